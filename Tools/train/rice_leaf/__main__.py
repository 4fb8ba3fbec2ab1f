"""Trains, exports and measures Weights/rice-leaf. Run by Tools/train/rice-leaf."""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import torch

from . import card, evaluation, export, labels, pictures, split, training
from .classifiers import Apus
from .data import Data
from .fit import log
from .model import MobileNetV2

ROOT = Path(__file__).resolve().parents[3]


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
        # PyTorch's optimizers and TensorFlow each bring an LLVM, and the two do not live in one process.
        subprocess.run([sys.executable, "-m", "rice_leaf.fit", given.data, given.checkpoint], check=True)
    checkpoint = torch.load(given.checkpoint, weights_only=True)
    settings = training.Settings(**checkpoint["settings"])
    model = MobileNetV2(len(pictures.CLASSES), settings.alpha, settings.dropout)
    model.load_state_dict(checkpoint["model"])

    log("writing the files")
    count = write_files(folder, model, data, settings)
    said = {label: labels.DETAILS[label] for label in pictures.CLASSES}
    (folder / "labels.json").write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
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
