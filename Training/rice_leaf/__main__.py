"""Trains, exports and measures Weights/rice-leaf. Run by Training/rice-leaf."""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import torch

from . import card, export, labels, others, pictures, rejection, split, training, widening
from .classifiers import Apus
from .data import Data
from .fit import log
from .model import MobileNetV2

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Run:
    """What the card says of a training."""

    settings: training.Settings
    widening: widening.Settings
    calibration: dict
    found: rejection.Found
    range_count: int


def arguments():
    parser = argparse.ArgumentParser(prog="Training/rice-leaf", description=__doc__)
    parser.add_argument("data", type=Path, metavar="DATA_DIR", 
        help="a folder with rice_train, small_sets, photo_search, imagenet150 and rice_images")
    parser.add_argument(
        "others", type=Path, metavar="OTHERS",
        help="a folder with clones, by their names, of " + ", ".join(others.REPOSITORIES) + " of GitHub")
    parser.add_argument(
        "--keep-files", action="store_true",
        help="take the model files that lie in the folder, and make all else anew")
    parser.add_argument("--out", type=Path, default=ROOT / "Weights/rice-leaf", metavar="DIR")
    parser.add_argument(
        "--checkpoint", type=Path, default=ROOT / ".build/train/rice-leaf.pt", metavar="FILE",
        help="where the weights of the second training are kept; it is left out when they are there")
    parser.add_argument(
        "--first", type=Path, default=ROOT / ".build/train/rice-leaf-first.tflite", metavar="FILE",
        help="the float32 file of the first training, where it is kept; it is left out when that is there")
    parser.add_argument(
        "--apus", type=Path, default=ROOT / ".build/release/apus", metavar="FILE", help="the program to measure with")
    return parser.parse_args()


def train_first(file, data_folder):
    """Trains from random weights and writes the float32 file that is trained on from."""
    checkpoint = file.with_suffix(".pt")
    # PyTorch's optimizers and TensorFlow each bring an LLVM, and the two do not live in one process.
    subprocess.run([sys.executable, "-m", "rice_leaf.fit", data_folder, checkpoint], check=True)
    model, settings = read(torch.load(checkpoint, weights_only=True))
    file.write_bytes(export.float32_file(export.keras_model(model, len(pictures.CLASSES), settings)))


def read(checkpoint):
    settings = training.Settings(**checkpoint["settings"])
    model = MobileNetV2(len(pictures.CLASSES), settings.alpha, settings.dropout)
    model.load_state_dict(checkpoint["model"])
    return model, settings


def trained(given):
    """The network of both trainings, each of which is left out where its result is there."""
    if not given.checkpoint.exists():
        if not given.first.exists():
            train_first(given.first, given.data)
        subprocess.run(
            [sys.executable, "-m", "rice_leaf.widen", given.data, given.first, given.checkpoint], check=True)
    return read(torch.load(given.checkpoint, weights_only=True))[0]


def write_files(folder, model, data, settings):
    """Writes the three files."""
    samples = pictures.load(export.calibration_pictures(data.part("train"), settings.seed), settings.side)
    twin = export.keras_model(model, len(pictures.CLASSES), settings)
    export.check_same(model, twin, samples)
    (folder / export.FILES["float32"]).write_bytes(export.float32_file(twin))
    (folder / export.FILES["fp16"]).write_bytes(export.float16_file(twin))
    (folder / export.FILES["int8"]).write_bytes(export.int8_file(twin, samples))


def write_metadata(folder, settings):
    metadata = {"input_size": [settings.side, settings.side], "preprocessing": "mobilenet_v2"}
    (folder / "meta.json").write_text(json.dumps(metadata) + "\n")


def main():
    given = arguments()
    folder, settings = given.out, training.Settings()
    folder.mkdir(parents=True, exist_ok=True)
    data = Data(given.data, settings.seed)
    split.write(folder / "split.csv", data.pictures, data.split)
    if not given.keep_files:
        log("writing the files")
        write_files(folder, trained(given), data, settings)
    said = {label: labels.DETAILS[label] for label in pictures.CLASSES}
    (folder / "labels.json").write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    write_metadata(folder, settings)
    log("measuring with apus")
    apus = Apus(given.apus, folder)
    calibration = apus.calibrate(export.FILES["int8"], data.part("validation"))
    found = rejection.find(folder, apus, data, others.fit(given.others, given.data))
    run = Run(settings, widening.Settings(), calibration, found, export.CALIBRATION_COUNT)
    card.write(folder, apus, run, data, others.test(given.others))
    log(f"wrote {folder}")


if __name__ == "__main__":
    main()
