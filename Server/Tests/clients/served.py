"""What clients here know: where the server is, their argument, and what other programs say that it should answer."""

import csv
import json
import sys
from pathlib import Path

import numpy as np

URL = sys.argv[1]
ROOT = Path(__file__).resolve().parents[3]


def expected(fixture, file="expected.json"):
    return json.loads((ROOT / "Tests/Fixtures/transformers" / fixture / file).read_text())


def unit(vectors):
    vectors = np.array(vectors)
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).tolist()


def softmax(rows):
    powers = np.exp(np.array(rows))
    return (powers / powers.sum(axis=-1, keepdims=True)).tolist()


_sentence = expected("bert-sentence")
TEXTS = _sentence["texts"]
IDS = _sentence["ids"]
# The folder has a Normalize module, which the fixture's numbers are before.
RAW = np.array(_sentence["embeddings"]).reshape(len(TEXTS), -1).tolist()
VECTORS = unit(RAW)

_stars = expected("bert-classifier")
assert _stars["texts"] == TEXTS
CLASSES = softmax(np.array(_stars["logits"]).reshape(len(TEXTS), -1))

_ranker = expected("bert-reranker", "pairs.json")
PAIRS, LOGITS = _ranker["pairs"], _ranker["logits"]

_folder = ROOT / "Weights/scenes/samples"
with open(_folder / "labels.csv", encoding="utf-8") as _file:
    SAMPLES = [(_folder / row["path"], row["label"]) for row in csv.DictReader(_file)]
LABELS = [label for _, label in SAMPLES]


def same(found, wanted, tolerance=1e-5):
    """The bound of the library for float32 against PyTorch."""
    found, wanted = np.asarray(found, dtype=np.float64), np.asarray(wanted)
    assert found.shape == wanted.shape, (found.shape, wanted.shape)
    assert np.abs(found - wanted).max() <= tolerance, np.abs(found - wanted).max()


def refused(kind, call):
    """The error that a call ends in, which must be of that kind."""
    try:
        result = call()
    except kind as error:
        return error
    raise AssertionError(f"taken, expected {kind.__name__}: {result}")
