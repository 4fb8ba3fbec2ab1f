"""Figures of races as text, and as Markdown tables.

Usage: report.py FILE.json…   prints the tables of all that compare.py --json wrote
"""

import json
import statistics
import sys
from pathlib import Path

TITLES = {
    "apus": "Apus",
    "openvino": "OpenVINO",
    "onnxruntime": "ONNX Runtime",
    "litert": "LiteRT",
    "torch": "torch",
}
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
        if engine.error or not engine.times:
            entry["error"] = engine.error or "no result"
        else:
            entry |= {"min": min(engine.times), "median": statistics.median(engine.times)}
            entry |= {"runs": len(engine.times), "load": engine.load, "first": engine.first}
            entry |= {"peak": engine.peak, "base": engine.base}
        engines[engine.contender.label] = entry
    result = {
        "model": race.job.name, "precision": race.job.precision, "threads": race.threads, "engines": engines,
        "without_cache": race.without_cache, "difference": race.difference, "cosine": race.cosine,
    }
    return result | {"ratios": {title: ratio(engines, any_file) for title, any_file in RATIOS.items()}}


RATIOS = {"the same file": False, "any file": True}


def ratio(engines, any_file):
    """Apus's times divided by those of the best peer."""
    peers = [
        entry for entry in engines.values()
        if entry["engine"] != "apus" and "error" not in entry and (any_file or not entry["is_stand_in"])
    ]
    apus = engines.get("apus", {"error": "not run"})
    if "error" in apus or not peers:
        return None
    return {kind: apus[kind] / min(peer[kind] for peer in peers) for kind in ("min", "median")}


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
    for title, value in result["ratios"].items():
        if value:
            minimum, median = value["min"], value["median"]
            print(f"  Apus ÷ best peer on {title}: {minimum:.2f} by minimum, {median:.2f} by median")


def number(value):
    """Three digits."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def cell(result, engine, kind):
    """An engine's figure; that of another file in parentheses."""
    entries = [entry for entry in result["engines"].values() if entry["engine"] == engine and entry.get(kind)]
    same = [number(entry[kind]) for entry in entries if not entry["is_stand_in"]]
    other = [number(entry[kind]) + " *" for entry in entries if entry["is_stand_in"]]
    if same and other:
        return f"{same[0]} ({other[0]})"
    return (same + other + [""])[0]


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
    yield from ["Shortest times in milliseconds:", ""]
    yield from heading(["model", "precision", "threads", *TITLES.values(), "Apus ÷ best peer"])
    for result in results:
        quotient = result["ratios"]["the same file"]
        yield row(
            [result["model"], result["precision"], str(result["threads"])]
            + [cell(result, engine, "min") for engine in TITLES]
            + [f"{quotient['min']:.2f}" if quotient else ""])
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
