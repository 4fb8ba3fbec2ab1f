"""What clients of Text Embeddings Inference post, against PyTorch's numbers."""

import httpx
import numpy as np
from served import CLASSES, IDS, LOGITS, PAIRS, RAW, TEXTS, URL, VECTORS, same

client = httpx.Client(base_url=URL, timeout=30)


def post(path, body, status=200):
    answer = client.post(path, json=body)
    assert answer.status_code == status, (path, body, answer.status_code, answer.text)
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


same(post("/embed", {"inputs": TEXTS}), VECTORS)
same(post("/embed", {"inputs": TEXTS[0], "model": "sentence"}), VECTORS[:1])
same(post("/embed", {"inputs": [IDS[0], TEXTS[1]]}), VECTORS[:2])
same(post("/embed", {"inputs": TEXTS, "normalize": False}), RAW)
same(post("/embed", {"inputs": TEXTS, "normalize": False, "dimensions": 8}), np.array(RAW)[:, :8])

rows = post("/predict", {"inputs": [[text] for text in TEXTS], "model": "stars"})
for row, expected in zip(rows, CLASSES):
    same([element["score"] for element in row], sorted(expected, reverse=True))
assert post("/predict", {"inputs": TEXTS[0], "model": "stars"}) == rows[0]

raw = post("/predict", {"inputs": PAIRS, "model": "ranker", "raw_scores": True})
same([row[0]["score"] for row in raw], LOGITS)
# The first model that ranks, which is not the first that classifies.
for (query, text), logit in zip(PAIRS, LOGITS):
    same([post("/rerank", {"query": query, "texts": [text]})[0]["score"]], [1 / (1 + np.exp(-logit))])
texts = [text for _, text in PAIRS]
ranks = post("/rerank", {"query": TEXTS[0], "texts": texts, "return_text": True, "truncation_direction": "Left"})
assert sorted(rank["index"] for rank in ranks) == list(range(len(texts))), ranks
assert all(rank["text"] == texts[rank["index"]] for rank in ranks), ranks
assert [rank["score"] for rank in ranks] == sorted((rank["score"] for rank in ranks), reverse=True), ranks

same(
    post("/similarity", {"inputs": {"source_sentence": TEXTS[0], "sentences": TEXTS[1:]}}),
    np.array(VECTORS[1:]) @ np.array(VECTORS[0]))

tokens = post("/tokenize", {"inputs": TEXTS, "model": "sentence"})
assert [[token["id"] for token in row] for row in tokens] == IDS
for text, row in zip(TEXTS, tokens):
    for token in row:
        assert token["special"] == (token["start"] is None), token
        assert token["special"] or text[token["start"] : token["stop"]] == token["text"], token
bare = post("/tokenize", {"inputs": TEXTS[0], "add_special_tokens": False, "model": "sentence"})
assert [token["id"] for token in bare[0]] == IDS[0][1:-1]
# Places count characters, however many bytes each has.
accents = "a é😀 cat"
for token in post("/tokenize", {"inputs": accents, "model": "sentence"})[0]:
    assert token["special"] or accents[token["start"] : token["stop"]] == token["text"], token
decoded = post("/decode", {"ids": IDS, "model": "sentence"})
assert decoded == [post("/decode", {"ids": row, "model": "sentence"})[0] for row in IDS]
# The vocabulary is small: what it lacks has become [UNK].
assert "photo" in decoded[0] or "[UNK]" in decoded[0] or "of a" in decoded[0], decoded

info = client.get("/info").json()
assert info["max_client_batch_size"] > 0 and info["auto_truncate"] is True, info
assert "positive" in info["model_type"]["classifier"]["label2id"], info
assert client.get("/health").status_code == 200

assert post("/embed", {"inputs": []}, 400)["error_type"] == "Empty"
assert post("/embed", {"inputs": 5}, 422)["error_type"] == "Validation"
assert post("/embed", {"input": "a"}, 422)["error"] == "'inputs' is missing."
assert post("/embed", {"inputs": "a photo " * 100, "truncate": False}, 413)["error_type"] == "Validation"
assert post("/embed", {"inputs": "a", "model": "nothing"}, 404)["error_type"] == "Validation"
assert post("/predict", {"inputs": "a", "model": "sentence"}, 424)
assert post("/rerank", {"query": "a", "texts": ["b"], "model": "stars"}, 424)
assert client.post("/embed", content=b"{").status_code == 400
