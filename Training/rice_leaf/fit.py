"""Trains and keeps the weights: `python -m rice_leaf.fit DATA_DIR CHECKPOINT`."""

import sys
import time
from dataclasses import asdict
from pathlib import Path

import torch

from . import pictures, training
from .data import Data


def fit(data, settings):
    """The weights of a new training, its settings and how long it took."""
    used, checked = data.split.indices("train"), data.split.indices("validation")
    validation = pictures.normalized(pictures.load(data.part("validation"), settings.side)), data.labels[checked]
    start, processor_start = time.monotonic(), time.process_time()
    model = training.train(
        data.pixels[used], data.labels[used], data.split.photograph[used], validation, settings, log)
    return {
        "model": model.state_dict(), "settings": asdict(settings), "seconds": time.monotonic() - start,
        "processor_seconds": time.process_time() - processor_start}


def log(line):
    print(time.strftime("%H:%M:%S"), line, flush=True)


if __name__ == "__main__":
    folder, checkpoint = map(Path, sys.argv[1:])
    settings = training.Settings()
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    torch.save(fit(Data(folder, settings.seed), settings), checkpoint)
