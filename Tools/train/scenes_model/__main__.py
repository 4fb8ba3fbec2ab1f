"""Draws, trains, exports, measures and writes the card: all of Weights/scenes from one seed, and its int8 form."""
import argparse
import pathlib
import shutil
import subprocess
import time

import torch

from . import card, vocabulary
from .evaluation import measure, measure_frames, measure_reference
from .export import export
from .model import new_model
from .pictures import draw_training_set
from .samples import draw_samples
from .tasks import draw_tasks
from .training import STEPS, train

ROOT = pathlib.Path(__file__).resolve().parents[3]


def arguments():
    parser = argparse.ArgumentParser(prog="Tools/train/scenes", description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "Weights" / "scenes", help="the model's folder")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / ".build" / "train" / "scenes",
                        help="drawn pictures and checkpoints; a run that was stopped goes on from there")
    parser.add_argument("--apus", type=pathlib.Path, default=ROOT / "Tools" / "apus", help="the program that measures")
    parser.add_argument("--pictures", type=int, default=90000, help="training pictures")
    parser.add_argument("--steps", type=int, default=STEPS, help="training steps")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--note", default="", help="what else the card shall say of this run")
    return parser.parse_args()


def main():
    options = arguments()
    work, out = options.work, options.out
    draw_training_set(work / "pictures", options.pictures, options.seed, processes=2)
    vocabulary.train(work / "vocabulary", options.seed)
    begun = time.time()
    train((work / "pictures", options.pictures), work / "vocabulary", work / "run", options.steps, options.seed)
    minutes = (time.time() - begun) / 60
    export_checkpoint(work, out)
    quantized = out.with_name(out.name + "-int8")
    subprocess.run([options.apus, "quantize", out, quantized, "--to", "int8", "--force"], check=True)
    draw_samples(out / "samples", options.seed)
    draw_tasks(work / "tasks", options.seed)
    figures = {
        "f32": measure(options.apus, out, work / "tasks"),
        "int8": measure(options.apus, quantized, work / "tasks", "int8"),
        "frames": measure_frames(options.apus, out, work / "tasks"),
        "reference": measure_reference(options.apus, out, work / "tasks")}
    card.write(out, figures, options, f"It took {minutes:.0f} minutes.")
    card.write_quantized(quantized, out)


def export_checkpoint(work, out):
    state = torch.load(work / "run" / "checkpoint.pt")
    model = new_model(len(vocabulary.Vocabulary(work / "vocabulary")), seed=0)
    model.load_state_dict(state["average"])
    export(model, out)
    for path in (work / "vocabulary").iterdir():
        shutil.copy(path, out)


if __name__ == "__main__":
    main()
