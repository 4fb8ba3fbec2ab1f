"""What the card states: each figure measured with `apus` on the files as they are shipped."""

import numpy as np

from . import measures
from .engine import PRECISIONS, parity
from .probes import PROBES

THRESHOLD_PRECISION = 0.9
PARITY_TOLERANCE = 1e-5
"""Largest difference of a logit at float32 between Apus and transformers."""


def arrays(examples):
    return [example.texts[0] for example in examples], np.array([example.label for example in examples])


def evaluate(engine, small, corpus):
    """`small` is the engine of the int8 files. Ends with an error when Apus and transformers differ."""
    texts, labels = arrays(corpus.development)
    validation_texts, validation_labels = arrays(corpus.validation)
    reference = parity(engine, texts)
    scores = {precision: engine.scores(texts, precision) for precision in PRECISIONS}
    flips = int(((scores["f32"] > 0.5) != reference.pop("positive")).sum())
    if reference["ids_differing"] or flips or reference["largest_difference"] > PARITY_TOLERANCE:
        raise SystemExit(f"Apus and transformers differ: {reference}, {flips} other answers")
    validation = engine.scores(validation_texts, "f32")
    limit = measures.threshold(validation, validation_labels, THRESHOLD_PRECISION)
    return {
        "parity": reference,
        "sst2_dev": {precision: figures(values, labels, scores["f32"]) for precision, values in scores.items()},
        "sst2_dev_int8_files": {
            precision: figures(small.scores(texts, precision), labels, scores["f32"]) for precision in PRECISIONS},
        "validation": figures(validation, validation_labels, validation),
        "threshold": {
            "value": limit, "precision": THRESHOLD_PRECISION,
            "validation": measures.kept(validation, validation_labels, limit),
            "sst2_dev": measures.kept(scores["f32"], labels, limit)},
        "probes": {name: probed(engine, sentences) for name, sentences in PROBES.items()},
    }


def figures(scores, labels, reference):
    """`wrong` are positions in the set, `flips` the answers other than those of the `reference` scores."""
    wrong = np.flatnonzero((scores > 0.5) != labels).tolist()
    right = len(labels) - len(wrong)
    return {
        "wrong": wrong, "right": right, "count": len(labels), "interval": measures.wilson(right, len(labels)),
        "confusion": measures.confusion(scores, labels),
        "calibration_error": float(measures.calibration_error(scores, labels)),
        "flips": int(((scores > 0.5) != (reference > 0.5)).sum())}


def probed(engine, sentences):
    scores = engine.scores([text for _, text in sentences], "f32")
    wrong = [(text, float(score)) for (label, text), score in zip(sentences, scores) if (score > 0.5) != label]
    return {"right": len(sentences) - len(wrong), "count": len(sentences), "wrong": wrong}
