"""Figures of races as text, and as Markdown tables.

Usage: report.py FILE.json…   prints the tables of all that compare.py --json wrote
"""

import json
import sys
from pathlib import Path

import machine
from interval import COVERAGE, value

TITLES = {
    "apus": "Apus",
    "openvino": "OpenVINO",
    "onnxruntime": "ONNX Runtime",
    "litert": "LiteRT",
    "torch": "torch",
}
SAME_FILE, BEFORE = "best peer on the same file", "Apus before"
FOLDER = "Apus on the folder"
NOTE = "\\* The same architecture quantized anew by ONNX Runtime's own tool, which cannot read the file."

COSTS = (
    "Load: seconds to a model ready, for peers from their library imported. First result: seconds from the "
    "start of the process, for peers with Python's. Memory: the most that the process held, in MiB, and what "
    "a peer's process held before the model.")
KINDS = {"load": "load", "first": "first result", "peak": "memory", "base": "memory before"}


def figures(race):
    """What compare.py --json writes of a race."""
    engines = {}
    for engine in race.engines:
        entry = {"engine": engine.contender.engine, "is_stand_in": engine.contender.is_stand_in}
        if engine.error or not engine.turns:
            entry["error"] = engine.error or "no result"
        else:
            entry |= {kind: value(engine.turns, kind) for kind in ("min", "median")}
            entry |= {"turns": len(engine.turns), "load": engine.load, "first": engine.first}
            entry |= {"peak": engine.peak, "base": engine.base}
        engines[engine.contender.label] = entry
    result = {
        "model": race.job.name, "precision": race.job.precision, "threads": race.threads, "engines": engines,
        "without_cache": race.without_cache, "difference": race.difference, "cosine": race.cosine,
        "machine": machine.name(), "load": race.load,
    }
    rivals = {
        SAME_FILE: race.peers(any_file=False), "best peer on any file": race.peers(any_file=True), BEFORE: race.before(),
        FOLDER: race.folder()}
    return result | {"ratios": {title: ratio(race, engines, others) for title, others in rivals.items()}}


def ratio(race, engines, others):
    """Apus's times divided by those of the best of the others, each with its interval."""
    if not race.apus() or not others:
        return None
    times, of_others = engines["apus"], [engines[other.contender.label] for other in others]
    return {
        kind: {
            "ratio": times[kind] / min(other[kind] for other in of_others), "interval": race.interval(kind, others)}
        for kind in ("min", "median")
    }


def with_interval(figure):
    low, high = figure["interval"]
    return f"{figure['ratio']:.2f} ({low:.2f}–{high:.2f})"


def print_text(result):
    threads = result["threads"]
    print(f"\n{result['model']}, {result['precision']}, {threads} thread{'s' if threads > 1 else ''}")
    print(
        f"  {'engine':<18}{'min ms':>10}{'median ms':>11}{'Apus ÷ min':>12}{'÷ median':>10}{'load s':>9}"
        f"{'first s':>9}{'peak MiB':>10}")
    apus = result["engines"].get("apus", {})
    for label, entry in result["engines"].items():
        if "error" in entry:
            print(f"  {label:<18} {entry['error']}")
            continue
        line = f"  {label + '*' * entry['is_stand_in']:<18}{entry['min']:>10.3f}{entry['median']:>11.3f}"
        if "min" in apus and label != "apus":
            line += f"{apus['min'] / entry['min']:>12.2f}{apus['median'] / entry['median']:>10.2f}"
        else:
            line += " " * 22
        print(f"{line}{entry['load']:>9.3f}{entry['first']:>9.3f}{entry['peak']:>10.0f}")
    without = result["without_cache"]
    if without:
        print(
            f"  {'  without cache':<18}{'':>43}{without['load']:>9.3f}{without['first']:>9.3f}"
            f"{without['peak']:>10.0f}")
    if result["cosine"]:
        print(
            f"  Apus against PyTorch in f32: largest difference {result['difference']:.1e} of the largest "
            f"output, cosine {result['cosine']:.6f}")
    for title, figures in result["ratios"].items():
        if figures:
            minimum, median = with_interval(figures["min"]), with_interval(figures["median"])
            print(f"  Apus ÷ {title}: {minimum} by minimum, {median} by median")
    load = result["load"]
    if load:
        print(
            f"  {max(entry.get('turns', 0) for entry in result['engines'].values())} rounds; other programs took "
            f"{load['others']:.1%} of the processors' time, other machines {load['stolen']:.1%}")


def number(value):
    """Three digits."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def cell(result, engine, kind):
    """An engine's figure; that of another file in parentheses."""
    entries = [entry for entry in result["engines"].values() if entry["engine"] == engine and entry.get(kind)]
    # Apus comes first with the job's file, then with others.
    same = [number(entry[kind]) for entry in entries if not entry["is_stand_in"]]
    other = [number(entry[kind]) + " *" for entry in entries if entry["is_stand_in"]]
    if same and other:
        return f"{same[0]} ({other[0]})"
    return (same + other + [""])[0]


def other_work(result):
    load = result["load"]
    return f"{load['others'] + load['stolen']:.0%}" if load else ""


def has_stand_ins(results):
    return any(entry["is_stand_in"] for result in results for entry in result["engines"].values())


def row(cells):
    return "| " + " | ".join(cells) + " |"


def heading(cells):
    return [row(cells), "|" + "---|" * len(cells)]


def markdown(results):
    """Shortest times; load times and memory; distance to PyTorch: the last two on the fewest threads."""
    first = {}
    for result in sorted(results, key=lambda result: result["threads"]):
        first.setdefault((result["model"], result["precision"]), result)
    parts = [times(results), costs(first.values()), distances(first.values())]
    return "\n".join(line for lines in parts for line in lines)


def times(results):
    names = ", ".join(sorted({result["machine"] for result in results}))
    yield from [
        f"Shortest times in milliseconds on {names}; ratios with their {COVERAGE} % intervals, and which part of "
        "the processors' time other work took:", ""]
    quotients = {SAME_FILE: "Apus ÷ best peer"}
    if any(result["ratios"][BEFORE] for result in results):
        quotients[BEFORE] = "Apus ÷ before"
    if any(result["ratios"].get(FOLDER) for result in results):
        quotients[FOLDER] = "Apus ÷ its folder"
    yield from heading(
        ["model", "precision", "threads", *TITLES.values(), *quotients.values(), "other work"])
    for result in results:
        ratios = [result["ratios"].get(title) for title in quotients]
        yield row(
            [result["model"], result["precision"], str(result["threads"])]
            + [cell(result, engine, "min") for engine in TITLES]
            + [with_interval(ratio["min"]) if ratio else "" for ratio in ratios] + [other_work(result)])
    yield ""
    if has_stand_ins(results):
        yield from [NOTE, ""]


def costs(results):
    yield from [COSTS, ""]
    yield from heading(["model", "precision", "", "Apus without cache", *TITLES.values()])
    for result in results:
        for kind, title in KINDS.items():
            without = (result["without_cache"] or {}).get(kind)
            yield row(
                [result["model"], result["precision"], title, number(without) if without else ""]
                + [cell(result, engine, kind) for engine in TITLES])
    yield ""


def distances(results):
    results = [result for result in results if result["cosine"]]
    if not results:
        return
    yield from ["Apus's outputs beside those of PyTorch in float32:", ""]
    yield from heading(["model", "precision", "largest difference ÷ largest output", "cosine"])
    for result in results:
        distance = [f"{result['difference']:.1e}", f"{result['cosine']:.6f}"]
        yield row([result["model"], result["precision"], *distance])
    yield ""


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print(markdown([result for file in sys.argv[1:] for result in json.loads(Path(file).read_text())]))
