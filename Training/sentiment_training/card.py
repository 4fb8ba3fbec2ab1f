"""The model's card and its machine-readable part, written from what the evaluation measured."""

import json
import re
from pathlib import Path
from string import Template

from . import identity, lessons
from .engine import PRECISIONS
from .student import LONGEST, VOCABULARY

TEMPLATE = Path(__file__).with_name("card.md")


def percent(share):
    return f"{100 * share:.1f} %"


def share(figures):
    return figures["right"] / figures["count"]


def accuracy_table(results):
    rows = [
        "| files | `--precision` | right of 872 | accuracy | 95 % interval | calibration error | other answers |",
        "|---|---|---|---|---|---|---|"]
    for name, form in (("f16", results["sst2_dev"]), ("int8", results["sst2_dev_int8_files"])):
        for precision in PRECISIONS:
            figures = form[precision]
            low, high = figures["interval"]
            rows.append(
                f"| {name} | {precision} | {figures['right']} | {percent(share(figures))} | "
                f"{percent(low)} to {percent(high)} | {figures['calibration_error']:.3f} | {figures['flips']} |")
    return "\n".join(rows)


def confusion_table(figures):
    rows = ["| | answered negative | answered positive |", "|---|---|---|"]
    for name, (negative, positive) in zip(("negative", "positive"), figures["confusion"], strict=True):
        rows.append(f"| **{name}** | {negative} | {positive} |")
    return "\n".join(rows)


def probe_table(probes):
    rows = ["| sentences | right | judged wrongly, with the score of `positive` |", "|---|---|---|"]
    for name, figures in probes.items():
        wrong = "; ".join(f"“{text}” {score:.2f}" for text, score in figures["wrong"]) or "none"
        rows.append(f"| {name} | {figures['right']} of {figures['count']} | {wrong} |")
    return "\n".join(rows)


def interval(figures):
    return " to ".join(map(percent, figures["interval"]))


def neutral_table(kinds):
    rows = [
        "| sentences | certain | of these `negative` | share | 95 % interval | mean score of `positive` |",
        "|---|---|---|---|---|---|"]
    for name, figures in kinds.items():
        rows.append(
            f"| {name} | {figures['certain']} of {figures['count']} | {figures['negative']} | "
            f"{percent(figures['certain'] / figures['count'])} | {interval(figures)} | {figures['mean']:.2f} |")
    return "\n".join(rows)


def identity_table(kinds):
    rows = [
        "| sentences | words | mean shift, either way | 95 % interval | mean shift | spread | largest | over 0.15 | "
        "certain |", "|---|---|---|---|---|---|---|---|---|"]
    for name, forms in kinds.items():
        for form, figures in forms.items():
            low, high = figures["interval"]
            rows.append(
                f"| {name} | {figures['words']} {form} | {figures['mean']:.3f} | {low:.3f} to {high:.3f} | "
                f"{figures['signed']:+.3f} | {figures['spread']:.3f} | "
                f"{figures['largest']:+.2f} “{figures['sentence']}” | {figures['far']} of {figures['count']} | "
                f"{figures['certain']} |")
    return "\n".join(rows)


def extremes(kinds):
    return ";\n".join(
        " and ".join(f"“{word}”" for word in forms[form]["extremes"]) + f" of those {form} in {name}"
        for name, forms in kinds.items() for form in forms)


def leak_table(sets):
    rows = [
        "| set | match a labelled sentence | share eight words in a row with a text of step 4 | share 40 letters |",
        "|---|---|---|---|"]
    for name, figures in sets.items():
        rows.append(f"| SST-2 {name} | {figures['matches']} | {figures['runs']} | {figures['stretches']} |")
    return "\n".join(rows)


def removed_text(corpus):
    parts = []
    for name, kinds in corpus.removed.items():
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        parts.append(f"{sum(kinds.values())} of {name} ({counts})")
    return " and ".join(parts)


def kept_text(pair, count):
    kept, right = pair
    return f"{kept} of {count} answers stand, {percent(right / kept)} of them right"


def megabytes(folder):
    return f"{(folder / 'model.safetensors').stat().st_size / 1e6:.1f}"


def write(folder, small, results, corpus, seed):
    """Fills the card's template and writes `meta.json` beside it; `small` is the folder of the int8 files."""
    limit, dev, test = results["threshold"], results["sst2_dev"]["f32"], results["sst2_test"]
    values = {
        "accuracy_table": accuracy_table(results), "confusion_table": confusion_table(dev),
        "probe_table": probe_table(results["probes"]), "removed": removed_text(corpus),
        "found": " and ".join(
            f"{corpus.found[name]} of the {len(examples)} sentences of its {title} set"
            for name, title, examples in (
                ("dev", "development", corpus.development), ("test", "test", corpus.test))),
        "test_right": test["right"], "test_count": test["count"], "test_accuracy": percent(share(test)),
        "test_interval": interval(test), "test_calibration": f"{test['calibration_error']:.3f}",
        "neutral_table": neutral_table(results["neutral"]), "identity_table": identity_table(results["identity"]),
        "extremes": extremes(results["identity"]), "leak_table": leak_table(results["leak"]),
        "bare_example": identity.rendered(identity.MEASURED_BARE[0], "kind", "gay"),
        "comment_example": identity.rendered(identity.MEASURED_COMMENTS[0], "kind", "gay"),
        "neutral": lessons.NEUTRAL + lessons.NAMED, "judged": lessons.JUDGED,
        "named": lessons.COMMENTS + lessons.INSERTED + lessons.EXCHANGED,
        "training": len(corpus.training), "validation": len(corpus.validation), "sentences": results["sentences"],
        "validation_accuracy": percent(share(results["validation"])),
        "teacher_validation": percent(results["teacher_validation"]),
        "threshold": f"{limit['value']:.2f}", "threshold_precision": f"{100 * limit['precision']:.0f} %",
        "threshold_validation": kept_text(limit["validation"], len(corpus.validation)),
        "threshold_dev": kept_text(limit["sst2_dev"], len(corpus.development)),
        "threshold_test": kept_text(limit["sst2_test"], len(corpus.test)),
        "vocabulary": VOCABULARY, "longest": LONGEST, "seed": seed,
        "megabytes": megabytes(folder), "small_megabytes": megabytes(small),
        "seconds": ", ".join(f"{name} {seconds / 60:.0f} min" for name, seconds in results["seconds"].items()),
        "difference": f"{results['parity']['largest_difference']:.1e}",
    }
    text = Template(TEMPLATE.read_text(encoding="utf-8")).substitute(values)
    for place, form in ((folder, "sst2_dev"), (small, "sst2_dev_int8_files")):
        (place / "README.md").write_text(text, encoding="utf-8")
        (place / "meta.json").write_text(printed(meta(results, form, seed)) + "\n", encoding="utf-8")


def printed(value):
    """JSON with lists of numbers on one line."""
    return re.sub(r"\[[\d,\s]+\]", lambda match: re.sub(r"\s+", " ", match[0]), json.dumps(value, indent=2))


def meta(results, form, seed):
    """What programs read; `form` names the results of these files. `wrong` are lines of the set, from 0, at f32."""
    limit, figures = results["threshold"], results[form]
    return {
        "task": "text-classification", "labels": ["negative", "positive"], "threshold_default": limit["value"],
        "threshold_precision": limit["precision"], "seed": seed,
        "evaluation": {
            "set": "SST-2 dev", "count": figures["f32"]["count"],
            "right": {precision: figures[precision]["right"] for precision in PRECISIONS},
            "wrong": figures["f32"]["wrong"]}}
