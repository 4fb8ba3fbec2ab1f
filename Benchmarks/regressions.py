"""Compares the benchmark runs of two revisions, each difference with how far runs differ by themselves.

A change counts when it is larger than the range of the runs of either side and no run of one side lies among those of
the other: of five runs each, one in 252 times by chance.
"""

import statistics
import sys
from pathlib import Path

# No machine is steadier than that from run to run.
LEAST_NOISE = 0.02


def medians(folder):
    """The median of each benchmark and metric, by the name of its file."""
    values = {}
    for path in folder.glob("*.tsv"):
        samples = [float(line) for line in path.read_text().split() if is_number(line)]
        if samples:
            values[path.name.split(".", 2)[2].removesuffix(".histogram.samples.tsv")] = statistics.median(samples)
    return values


def is_number(text):
    return text.replace(".", "", 1).isdigit()


def runs(results, side):
    return [medians(folder) for folder in sorted(results.glob(f"{side}-*"))]


def spread(values):
    """The range of some runs beside their median."""
    return (max(values) - min(values)) / statistics.median(values) if statistics.median(values) else 0


def main(results):
    base, head = runs(results, "base"), runs(results, "head")
    names = sorted(set.intersection(*(set(run) for run in base + head))) if base and head else []
    if not names:
        sys.exit(f"no benchmark ran on both sides; see {results}")
    slower = 0
    print(f"{'benchmark':<70} {'base':>12} {'head':>12} {'change':>8} {'noise':>7}")
    for name in names:
        before, after = [run[name] for run in base], [run[name] for run in head]
        noise = max(LEAST_NOISE, spread(before), spread(after))
        old, new = statistics.median(before), statistics.median(after)
        change = new / old - 1 if old else 0
        is_worse, is_better = min(after) > max(before), max(after) < min(before)
        verdict = "WORSE" if change > noise and is_worse else "better" if change < -noise and is_better else ""
        slower += verdict == "WORSE"
        print(f"{name:<70} {old:12.0f} {new:12.0f} {change:+8.1%} {noise:7.1%} {verdict}")
    sys.exit(1 if slower else 0)


main(Path(sys.argv[1]))
