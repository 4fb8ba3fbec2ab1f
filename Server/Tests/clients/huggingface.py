"""huggingface_hub's client, which posts all tasks to one address; against PyTorch's numbers and pictures' captions."""

import numpy as np
from huggingface_hub import InferenceClient
from huggingface_hub.errors import HfHubHTTPError
from served import CLASSES, LABELS, SAMPLES, TEXTS, URL, VECTORS, refused, same

server = InferenceClient(model=URL)

same(server.feature_extraction(TEXTS[0]), VECTORS[:1])
same(server.feature_extraction(TEXTS, normalize=True, truncate=True), VECTORS)

near = server.sentence_similarity(TEXTS[0], other_sentences=TEXTS[1:])
same(near, np.array(VECTORS[1:]) @ np.array(VECTORS[0]))

# The first model that classifies texts, and another by its address.
moods = server.text_classification("a joy from start to finish, warm and funny")
assert moods[0].label == "positive" and moods[0].score > 0.9, moods
stars = InferenceClient(model=f"{URL}/models/stars")
for text, row in zip(TEXTS, CLASSES):
    found = {element.label: element.score for element in stars.text_classification(text)}
    same([found[f"{count + 1} star{'s' if count else ''}"] for count in range(3)], row)
assert len(stars.text_classification(TEXTS[0], top_k=1)) == 1

picture, caption = SAMPLES[0]
leaf = server.image_classification(str(picture))
assert len(leaf) >= 2 and abs(sum(element.score for element in leaf) - 1) < 1e-3, leaf
assert server.image_classification(picture.read_bytes(), top_k=2) == leaf[:2]

for picture, caption in SAMPLES:
    ranked = server.zero_shot_image_classification(picture.read_bytes(), candidate_labels=LABELS)
    assert ranked[0].label == caption, (caption, ranked[:3])
    assert [element.score for element in ranked] == sorted((element.score for element in ranked), reverse=True)
templated = server.zero_shot_image_classification(
    str(picture), candidate_labels=LABELS, hypothesis_template="this is {}")
assert {element.label for element in templated} == set(LABELS)

error = refused(HfHubHTTPError, lambda: InferenceClient(model=f"{URL}/models/nothing").feature_extraction("a"))
assert error.response.status_code == 404, error
error = refused(HfHubHTTPError, lambda: server.image_classification(b"\x89PNG no picture"))
assert error.response.status_code == 422, error
error = refused(HfHubHTTPError, lambda: server.feature_extraction("a", prompt_name="query"))
assert error.response.status_code == 422 and "prompt_name" in str(error), error
