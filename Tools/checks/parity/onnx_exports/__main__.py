"""Exports and generated cases against ONNX Runtime: see Tools/checks/onnx-exports."""
import argparse
import importlib
import pathlib
import sys
import tempfile

from held import Judge

SUBJECTS = {"torch": "torch_exports", "integers": "integer_cases", "learned": "learned_classifiers", "keras": "keras_exports", "folders": "folder_exports"}


def main():
    parser = argparse.ArgumentParser(prog="Tools/checks/onnx-exports")
    parser.add_argument("subject", choices=SUBJECTS)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--refused", action="store_true")
    options = parser.parse_args()
    judge = Judge(options.refused)
    with tempfile.TemporaryDirectory() as work:
        folder = options.keep or pathlib.Path(work)
        folder.mkdir(parents=True, exist_ok=True)
        importlib.import_module(SUBJECTS[options.subject]).run(judge, options.count, options.seed, folder, options.only)
    sys.exit(0 if judge.report() else 1)


main()
