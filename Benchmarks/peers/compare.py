"""Apus beside the engines that one would use instead, on the same models, inputs and processors.

Every engine runs in a process of its own, on processors of its own choice while it opens the model, and then on as many
as it has threads. All take turns, a few runs each, round after round, so that a change in the machine's speed meets all
of them alike: quote the ratios, not the times. Rounds go on until the ratio is known closely enough.

Models are made with random weights when a job first needs them: all together take about 24 GB. `--only ONNX` runs the
exports alone: each by both exporters of PyTorch, in dynamic int8 and QDQ int8, beside the folder of the same network.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import machine
import report
from interval import COVERAGE
from jobs import ENGINES, JOBS, PRECISIONS
from race import Race

ROOT = Path(__file__).resolve().parent.parent.parent


def chosen(names):
    """A parser of lists of some of `names`."""

    def parse(text):
        parts = text.split(",")
        for part in parts:
            if part not in names:
                raise argparse.ArgumentTypeError(f"'{part}' is none of {', '.join(names)}")
        return parts

    return parse


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=50, help="runs in a turn at most (50)")
    parser.add_argument(
        "--width", type=float, default=0.02,
        help=f"enough rounds once the {COVERAGE} %% interval of the ratio of minima is so narrow (0.02)")
    parser.add_argument(
        "--seconds", type=float, default=20, help="or once so much time went by for each engine (20)")
    parser.add_argument("--threads", default="1,2", help="numbers of threads (1,2)")
    parser.add_argument("--only", default="", help="jobs whose name contains this")
    parser.add_argument("--precision", type=chosen(PRECISIONS), default=PRECISIONS, help=",".join(PRECISIONS))
    parser.add_argument("--engines", type=chosen(ENGINES), default=ENGINES, help=",".join(ENGINES))
    parser.add_argument(
        "--models", type=Path, default=ROOT / ".build" / "peers", help="the folder of the models made")
    parser.add_argument("--apus", type=Path, help="the program; by default it is built first")
    parser.add_argument("--before", type=Path, help="the program of another revision, which takes turns too")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    parser.add_argument("--markdown", type=Path, help="a file for tables of them")
    options = parser.parse_args()
    options.models = options.models.resolve()
    options.models.mkdir(parents=True, exist_ok=True)
    options.shared = Path(os.environ.get("APUS_SHARED", ROOT.parent / "shared" / "data"))
    return options


def main():
    options = parse_options()
    # Ends the engines, and removes what they read and cached.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    environment = machine.clean_environment()
    if "apus" in options.engines and not options.apus:
        subprocess.run([ROOT / "Tools" / "apus", "--help"], check=True, stdout=subprocess.DEVNULL)
        options.apus = ROOT / ".build" / "release" / "apus"
    results = []
    for job in JOBS:
        if options.only.lower() not in job.name.lower() or job.precision not in options.precision:
            continue
        for threads in [int(text) for text in options.threads.split(",")]:
            machine.warn_if_busy()
            race = Race(job, threads, options, environment)
            race.measure()
            results.append(report.figures(race))
            report.print_text(results[-1])
            sys.stdout.flush()
            # After every race: a long series may be interrupted.
            if options.json:
                options.json.write_text(json.dumps(results, indent=1) + "\n")
            if options.markdown:
                options.markdown.write_text(report.markdown(results))
    if report.has_stand_ins(results):
        print("\n" + report.NOTE.lstrip("\\"))


main()
