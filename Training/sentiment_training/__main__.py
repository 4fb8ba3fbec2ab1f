"""Trains the sentiment classifier, writes its folder and fills its card."""

import argparse
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(prog="Training/sentiment", description=__doc__)
    parser.add_argument("data", type=Path, metavar="DATA_DIR", help="the folder with sst2 and rt_polarity")
    parser.add_argument("--out", type=Path, default=ROOT / "Weights" / "sentiment", help="default: Weights/sentiment")
    parser.add_argument(
        "--work", type=Path, default=ROOT / ".build" / "train" / "sentiment",
        help="intermediate results; a stage whose result is there is not run again. Default: .build/train/sentiment")
    parser.add_argument(
        "--program", type=Path, default=ROOT / ".build" / "release" / "apus", help="apus, which measures the figures")
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="default: all there are")
    return parser.parse_args()


def main():
    options = arguments()
    if not options.program.exists():
        raise SystemExit(f"{options.program} is not there: build it with Tools/apus, or name one by --program")

    import torch

    from .pipeline import Pipeline

    torch.set_num_threads(options.threads)
    torch.use_deterministic_algorithms(True)
    Pipeline(options.data, options.work, options.out, options.program, options.seed).run()


main()
