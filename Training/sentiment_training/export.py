"""Writes the student as a model folder: BERT for sequence classification, weights in float16."""

import json
import math

import torch

from .student import LONGEST
from .tokenizer import CLASS, MASK, PADDING, SEPARATOR, UNKNOWN


def temperature(logits, labels):
    """The number to divide logits by so that their probabilities fit the labels best (Guo et al., 2017)."""
    best, lowest = 1.0, math.inf
    for step in range(-60, 61):
        candidate = 1.03**step
        loss = torch.nn.functional.cross_entropy(logits / candidate, labels).item()
        if loss < lowest:
            best, lowest = candidate, loss
    return best


def export(model, tokenizer, scale, folder):
    """`scale` is the temperature; it goes into the last layer, so that scores are probabilities as they come."""
    classifier = model.classifier.eval()
    with torch.no_grad():
        classifier.classifier.weight /= scale
        classifier.classifier.bias /= scale
    folder.mkdir(parents=True, exist_ok=True)
    classifier.half().save_pretrained(folder)
    (folder / "model.safetensors").chmod(0o644)
    tokenizer.no_truncation()
    tokenizer.save(str(folder / "tokenizer.json"))
    vocabulary = sorted(tokenizer.get_vocab().items(), key=lambda entry: entry[1])
    (folder / "vocab.txt").write_text("".join(token + "\n" for token, _ in vocabulary), encoding="utf-8")
    configuration = {
        "tokenizer_class": "BertTokenizer", "do_lower_case": True, "strip_accents": None,
        "tokenize_chinese_chars": True, "model_max_length": LONGEST, "pad_token": PADDING, "unk_token": UNKNOWN,
        "cls_token": CLASS, "sep_token": SEPARATOR, "mask_token": MASK}
    (folder / "tokenizer_config.json").write_text(json.dumps(configuration, indent=2) + "\n")
