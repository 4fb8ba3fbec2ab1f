"""What the CLARA app sends: the embedding of a picture that it computed itself, and how it reads the answer."""

import base64
import json
import urllib.error
import urllib.request

from served import LABELS, SAMPLES, URL


def post(path, body):
    request = urllib.request.Request(
        f"{URL}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.headers["Content-Type"] == "application/json"
        return json.load(answer)


for picture, caption in SAMPLES:
    image = base64.b64encode(picture.read_bytes()).decode()
    embedding = post("/api/embed-image", {"image": image, "model": "scenes"})["embedding"]
    results = post("/api/classify", {"embedding": embedding, "top_k": 5})["results"]
    assert len(results) == 5 and all(set(result) == {"label", "score"} for result in results), results
    assert results[0]["label"] == caption, (caption, results)
    # The same picture itself gives the same scores.
    whole = post("/api/zero-shot", {"image": image, "labels": LABELS, "top_k": 5})
    assert [result["label"] for result in whole["results"]] == [result["label"] for result in results]
    for one, other in zip(whole["results"], results):
        assert abs(one["score"] - other["score"]) < 1e-5, (one, other)

# The app shows "Server error STATUS: BODY".
for body, words in [
    ({"embedding": [1.0, 2.0], "top_k": 5}, "2 numbers"),
    ({"embedding": []}, "'embedding' is a list of 0"),
    ({"top_k": 5}, "'embedding' is missing."),
]:
    try:
        post("/api/classify", body)
        raise AssertionError(f"{body} was taken")
    except urllib.error.HTTPError as error:
        text = error.read().decode()
        assert error.code == 400 and error.headers["Content-Type"].startswith("text/plain"), error
        assert words in text and "{" not in text, text
