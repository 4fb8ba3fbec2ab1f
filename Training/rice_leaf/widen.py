"""Trains on from a float32 file and keeps the weights: `python -m rice_leaf.widen DATA_DIR FILE CHECKPOINT`."""

import sys
import time
from dataclasses import asdict
from pathlib import Path

import torch

from . import foreign, pictures, training, widening
from .augmentation import views
from .data import STORED_SIDE, Data
from .fit import log
from .model import MobileNetV2, read_folded

STATISTICS_COUNT = 512


def fit(folder, file):
    """The weights of a second training, the settings of both and how long it took."""
    settings, more = training.Settings(), widening.Settings()
    data = Data(folder, settings.seed)
    used, checked = data.split.indices("train"), data.split.indices("validation")
    model = MobileNetV2(len(pictures.CLASSES), settings.alpha, settings.dropout).to(memory_format=torch.channels_last)
    random = torch.Generator().manual_seed(more.seed)
    chances = training.draw_chances(data.labels[used], data.split.photograph[used])
    drawn = torch.multinomial(chances, STATISTICS_COUNT, replacement=True, generator=random)
    images = torch.from_numpy(data.pixels[used][drawn.numpy()]).permute(0, 3, 1, 2)
    read_folded(file, model, views(images, settings.side, random))
    unknown = [pictures.Picture(path, -1) for path in foreign.paths(folder, "fit")]
    validation = (
        pictures.normalized(pictures.load(data.part("validation"), settings.side)), data.labels[checked],
        pictures.normalized(pictures.load(unknown, settings.side)))
    start, processor_start = time.monotonic(), time.process_time()
    model = widening.widen(
        model, data.pixels[used], data.labels[used], data.split.photograph[used],
        foreign.pixels(folder, STORED_SIDE, more.seed), validation, more, log)
    return {
        "model": model.state_dict(), "settings": asdict(settings), "widening": asdict(more),
        "seconds": time.monotonic() - start, "processor_seconds": time.process_time() - processor_start}


if __name__ == "__main__":
    folder, file, checkpoint = map(Path, sys.argv[1:])
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    torch.save(fit(folder, file), checkpoint)
