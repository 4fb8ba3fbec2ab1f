"""Trains, exports and measures Weights/rice-leaf. Run by Tools/train/rice-leaf."""

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from . import card, evaluation, export, pictures, split, training
from .classifiers import Apus
from .model import MobileNetV2

ROOT = Path(__file__).resolve().parents[3]
# Side of the pictures of the training set.
STORED_SIDE = 192


class Data:
    """The pictures of a folder with `rice_train` and, for the card, `rice_images`."""

    def __init__(self, folder, seed):
        self.other_pictures = folder / "rice_images"
        self.pictures = pictures.find(folder / "rice_train")
        self.labels = np.array([picture.label for picture in self.pictures])
        self.pixels = pictures.load(self.pictures, STORED_SIDE)
        self.split = split.split(self.pixels, self.labels, seed)

    def part(self, name):
        return [self.pictures[index] for index in self.split.indices(name)]


@dataclass(frozen=True)
class Run:
    """What the card says of a training."""

    settings: training.Settings
    seconds: float
    processor_seconds: float
    threshold: float
    calibration_count: int


def arguments():
    parser = argparse.ArgumentParser(prog="Tools/train/rice-leaf", description=__doc__)
    parser.add_argument("data", type=Path, metavar="DATA_DIR", help="a folder with rice_train and rice_images")
    parser.add_argument("--out", type=Path, default=ROOT / "Weights/rice-leaf", metavar="DIR")
    parser.add_argument(
        "--checkpoint", type=Path, default=ROOT / ".build/train/rice-leaf.pt", metavar="FILE",
        help="where the trained weights are kept; training is left out when it is there")
    parser.add_argument(
        "--apus", type=Path, default=ROOT / ".build/release/apus", metavar="FILE", help="the program to measure with")
    return parser.parse_args()


def log(line):
    print(time.strftime("%H:%M:%S"), line, flush=True)


def train(data, settings):
    """The checkpoint of a new training."""
    used, checked = data.split.indices("train"), data.split.indices("validation")
    validation = pictures.normalized(pictures.load(data.part("validation"), settings.side)), data.labels[checked]
    start, processor_start = time.monotonic(), time.process_time()
    model = training.train(
        data.pixels[used], data.labels[used], data.split.photograph[used], validation, settings, log)
    return {
        "model": model.state_dict(), "settings": asdict(settings), "seconds": time.monotonic() - start,
        "processor_seconds": time.process_time() - processor_start}


def write_files(folder, model, data, settings):
    """Writes the three files; returns how many pictures calibrated the int8 file."""
    samples = pictures.load(export.calibration_pictures(data.part("train"), settings.seed), settings.side)
    twin = export.keras_model(model, len(pictures.CLASSES), settings)
    export.check_same(model, twin, samples)
    (folder / export.FILES["float32"]).write_bytes(export.float32_file(twin))
    (folder / export.FILES["fp16"]).write_bytes(export.float16_file(twin))
    (folder / export.FILES["int8"]).write_bytes(export.int8_file(twin, samples))
    return len(samples)


def write_metadata(folder, settings, **more):
    metadata = {"input_size": [settings.side, settings.side], "preprocessing": "mobilenet_v2", **more}
    (folder / "meta.json").write_text(json.dumps(metadata) + "\n")


def main():
    given = arguments()
    folder, settings = given.out, training.Settings()
    folder.mkdir(parents=True, exist_ok=True)
    data = Data(given.data, settings.seed)
    split.write(folder / "split.csv", data.pictures, data.split)
    if not given.checkpoint.exists():
        given.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        torch.save(train(data, settings), given.checkpoint)
    checkpoint = torch.load(given.checkpoint, weights_only=True)
    settings = training.Settings(**checkpoint["settings"])
    model = MobileNetV2(len(pictures.CLASSES), settings.alpha, settings.dropout)
    model.load_state_dict(checkpoint["model"])

    log("writing the files")
    count = write_files(folder, model, data, settings)
    (folder / "labels.json").write_text(json.dumps(pictures.CLASSES) + "\n")
    write_metadata(folder, settings)
    log("measuring with apus")
    apus = Apus(given.apus, folder)
    validation = evaluation.answers(apus, folder / export.FILES["int8"], data.part("validation"))
    threshold = evaluation.smallest_threshold(validation)
    write_metadata(folder, settings, threshold_default=threshold)
    run = Run(settings, checkpoint["seconds"], checkpoint["processor_seconds"], threshold, count)
    card.write(folder, apus, run, data)
    log(f"wrote {folder}")


if __name__ == "__main__":
    main()
