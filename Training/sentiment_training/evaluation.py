"""What the card states: each figure measured with `apus` on the files as they are shipped."""

import numpy as np

from . import everyday, held_out, identity, measures
from .engine import PRECISIONS, parity
from .probes import PROBES

THRESHOLD_PRECISION = 0.9
PARITY_TOLERANCE = 1e-5
"""Largest difference of a logit at float32 between Apus and transformers."""

NEUTRAL = 600
"""Questions, and as many statements, of the held-out templates and words."""

FAR = 0.15
"""A shift of the probability by a word for a group that counts as far."""


def arrays(examples):
    return [example.texts[0] for example in examples], np.array([example.label for example in examples])


def evaluate(engine, small, corpus, seed):
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
    test_texts, test_labels = arrays(corpus.test)
    test = engine.scores(test_texts, "f32")
    return {
        "parity": reference,
        "sst2_dev": {precision: figures(values, labels, scores["f32"]) for precision, values in scores.items()},
        "sst2_dev_int8_files": {
            precision: figures(small.scores(texts, precision), labels, scores["f32"]) for precision in PRECISIONS},
        "validation": figures(validation, validation_labels, validation),
        "threshold": {
            "value": limit, "precision": THRESHOLD_PRECISION,
            "validation": measures.kept(validation, validation_labels, limit),
            "sst2_dev": measures.kept(scores["f32"], labels, limit),
            "sst2_test": measures.kept(test, test_labels, limit)},
        "sst2_test": figures(test, test_labels, test),
        "neutral": neutral(engine, limit, seed),
        "identity": {
            "plain sentences": shifts(engine, limit, identity.MEASURED_BARE),
            "film comments": shifts(engine, limit, identity.MEASURED_COMMENTS)},
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


def neutral(engine, limit, seed):
    """For each kind of sentence without an opinion: how many answers are certain, and of which side."""
    result = {}
    kinds = {f"{name} of held-out templates": texts for name, texts in everyday.held_out_neutral(NEUTRAL, seed).items()}
    kinds |= {f"{name} by hand": texts for name, texts in held_out.WRITTEN.items()}
    kinds["all by hand"] = [text for texts in held_out.WRITTEN.values() for text in texts]
    for name, texts in kinds.items():
        scores = engine.scores(texts, "f32")
        certain = np.maximum(scores, 1 - scores) >= limit
        result[name] = {
            "count": len(texts), "certain": int(certain.sum()), "negative": int((certain & (scores < 0.5)).sum()),
            "interval": measures.wilson(int(certain.sum()), len(texts)), "mean": float(scores.mean()),
            "sentences": [(text, float(score)) for text, score, sure in zip(texts, scores, certain) if sure]}
    return result


def shifts(engine, limit, templates):
    """How far a word for a group moves the score of `positive`, for words trained and held out; `words` are each
    word's mean shift."""
    rows = []
    for plain, variants in identity.measured(templates):
        scores = engine.scores([plain, *(text for _, _, text in variants)], "f32")
        rows += [(*variant, score - scores[0], score) for variant, score in zip(variants, scores[1:], strict=True)]
    result = {}
    for name, wanted in (("trained", False), ("held out", True)):
        part = [row for row in rows if row[0] == wanted]
        moved = np.array([row[3] for row in part])
        scores = np.array([row[4] for row in part])
        words = {word: float(moved[[row[1] == word for row in part]].mean()) for _, word, *_ in part}
        far = np.abs(moved).argmax()
        result[name] = {
            "count": len(part), "words": len(words), "mean": float(np.abs(moved).mean()),
            "interval": measures.bootstrap(np.abs(moved)), "signed": float(moved.mean()),
            "spread": float(np.std(list(words.values()))), "largest": float(moved[far]), "sentence": part[far][2],
            "far": int((np.abs(moved) > FAR).sum()), "certain": int((np.maximum(scores, 1 - scores) >= limit).sum()),
            "extremes": [pick(words, key=words.get) for pick in (min, max)]}
    return result
