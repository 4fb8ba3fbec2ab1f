"""Writes the card of the model: its text is card.md, its figures are measured here."""

import math
import textwrap
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path

import numpy as np

from . import augmentation, certainty, discriminant, evaluation, foreign, photographs, views
from .export import FILES
from .others import REPOSITORIES
from .pictures import CLASSES
from .rejection import DIVISIONS, FOREIGN_SHARE, MADE_COUNT
from .split import PARTS

TEMPLATE = Path(__file__).with_name("card.md")
# What the files hold.
NUMBERS = {"float32": "float32", "fp16": "float16 weights, float32 arithmetic", "int8": "int8, per channel"}


def write(folder, apus, run, data, others):
    """Measures the files of a folder and writes its README.md.

    - others: foreign pictures that nothing was fitted to or chosen by, by kind.
    """
    files = {name: folder / file for name, file in FILES.items()}
    test = data.part("test")
    answers = {name: evaluation.answers(apus, file, test) for name, file in files.items()}
    figures = {
        "command": "Training/rice-leaf",
        "files": file_table(files),
        "elsewhere": other_pictures(apus, files, data),
        "reference": reference_table(answers, files, test),
        **training_figures(run),
        **data_figures(data),
        **calibration_figures(run),
        **certainty_figures(apus, files, data, others),
        **test_figures(answers, data, run),
    }
    (folder / "README.md").write_text(wrapped(TEMPLATE.read_text().format(**figures)) + "\n")


def wrapped(text):
    """A text whose paragraphs fill lines of 120; tables, headings and commands stay."""
    return "\n\n".join(
        paragraph if paragraph.startswith(("|", "#", "    "))
        else textwrap.fill(paragraph, 120, break_long_words=False, break_on_hyphens=False)
        for paragraph in text.strip().split("\n\n"))


def training_figures(run):
    settings = run.settings
    return {
        **vars(settings), "statistics": settings.statistics_batches * settings.statistics_batch,
        "views": settings.views_per_epoch, "area_low": augmentation.AREA[0], "area_high": augmentation.AREA[1],
        "range_count": run.range_count, "more": run.widening,
        "darkest": augmentation.DARKEST, "dark_share": augmentation.DARK_SHARE,
        "blurred_share": augmentation.BLURRED_SHARE, "blur": augmentation.BLUR, "made": foreign.MADE_COUNT}


def data_figures(data):
    return {
        "pictures": len(data.pictures), "photographs": data.split.photograph_count(slice(None)),
        "copied": copied_count(data), "scenes": data.split.scene_count, "parts": part_table(data),
        "thumbnail": photographs.THUMBNAIL, "same_photograph": photographs.SAME_PHOTOGRAPH,
        "same_scene": photographs.SAME_SCENE, "same_colours": photographs.SAME_COLOURS}


def copied_count(data):
    """How many pictures there are whose photograph is also in another series of file names."""
    series = [picture.path.stem.rsplit("_", 1)[0] for picture in data.pictures]
    of_photographs = defaultdict(set)
    for name, number in zip(series, data.split.photograph):
        of_photographs[number].add(name)
    return sum(len(of_photographs[number]) > 1 for number in data.split.photograph)


def calibration_figures(run):
    known, found = run.calibration["known"], run.found
    held_out = ", ".join(f"{certain:.1f} of {count} {kind}" for kind, (count, certain) in found.kinds.items())
    return {
        "threshold": run.calibration["threshold"], "temperature": run.calibration["temperature"],
        "novelty": found.threshold, "validation_right": run.calibration["right"], "held_out": held_out,
        "validation_count": known["count"], "others_count": sum(count for count, _ in found.kinds.values()),
        "foreign_share": FOREIGN_SHARE, "divisions": DIVISIONS, "squares": discriminant.SQUARES,
        "members": discriminant.MEMBERS, "axes": discriminant.AXES, "light": views.LIGHT, "made_to_fit": MADE_COUNT,
        "repositories": ", ".join(f"`{name}` ({commit[:8]})" for name, commit in REPOSITORIES.items())}


def certainty_figures(apus, files, data, kinds):
    """What is certain of leaves, of bad photographs of them, and of what is no leaf."""
    leaves = certainty.leaves(apus, files, data.part("test"))
    rows = [[view, name, share(c.right.sum(), len(c.labels)), share((c.sure & c.right).sum(), len(c.labels)),
             share((c.certain & c.right).sum(), len(c.labels)), share((c.certain & ~c.right).sum(), len(c.labels))]
            for view, of_files in leaves.items() for name, c in of_files.items() if name != "fp16"]
    others = [[kind, view, *(interval(c.certain.sum(), len(c.labels)) for c in of_files.values())]
              for kind, of_views in certainty.foreign_pictures(apus, files, kinds).items()
              for view, of_files in of_views.items()]
    return {
        "certain_leaves": table(
            ["leaves of the test part", "file", "right", "right, by the score certain", "right and certain",
             "wrong and certain"], rows, texts=2),
        "certain_others": table(
            ["what is no rice leaf", "light", *(f"certain, {name}" for name in files)], others, texts=2),
        "untouched": sum(map(len, kinds.values())),
        "calibration_error": leaves["as they are"]["int8"].calibration_error}


def test_figures(answers, data, run):
    indices = data.split.indices("test")
    int8, fp16 = answers["int8"], answers["fp16"]
    return {
        "test_pictures": len(indices), "test_photographs": data.split.photograph_count(indices),
        "accuracy": accuracy_table(answers, data.split.photograph[indices], run.settings.seed),
        "recall": recall_table(answers), "changed": (int8.classes != fp16.classes).sum(),
        "points": 100 * (int8.right.mean() - fp16.right.mean()),
        "litert": version("ai-edge-litert")}


def table(head, rows, texts=1):
    """A Markdown table whose first columns are texts, and the others figures."""
    lines = [head, ["---"] * texts + ["---:"] * (len(head) - texts), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def share(right, count):
    return f"{right} of {count} ({right / max(count, 1):.1%})"


def interval(part, whole):
    """A share with the 95 % interval of Wilson (1927)."""
    z, p = 1.959964, part / whole
    middle, reach = p + z * z / (2 * whole), z * math.sqrt(p * (1 - p) / whole + (z / whole / 2) ** 2)
    low, high = ((middle + sign * reach) / (1 + z * z / whole) for sign in (-1, 1))
    return f"{part} of {whole}: {p:.1%} ({max(low, 0):.1%} to {min(high, 1):.1%})"


def file_table(files):
    rows = [[f"`{path.name}`", NUMBERS[name], f"{path.stat().st_size:,}"] for name, path in files.items()]
    return table(["file", "numbers", "bytes"], rows, texts=2)


def part_table(data):
    labels = data.labels
    rows = []
    for part in PARTS:
        indices = data.split.indices(part)
        of_classes = [indices[labels[indices] == label] for label in range(len(CLASSES))]
        rows.append([part, *(f"{len(i)} / {data.split.photograph_count(i)}" for i in (*of_classes, indices))])
    return table(["pictures / photographs", *CLASSES, "all"], rows)


def accuracy_table(answers, numbers, seed):
    rows = []
    for name, of_file in answers.items():
        low, high = evaluation.accuracy_interval(of_file, numbers, seed)
        each = evaluation.photograph_accuracy(of_file, numbers)
        rows.append([name, share(of_file.right.sum(), len(of_file.right)), f"{low:.1%} to {high:.1%}", f"{each:.1%}"])
    return table(["file", "right", "interval", "every photograph counted once"], rows)


def recall_table(answers):
    rows = [[name, *(share(*of_file.recall(label)) for label in range(len(CLASSES)))]
            for name, of_file in answers.items()]
    return table(["file", *CLASSES], rows)


def reference_table(answers, files, pictures):
    rows = []
    for name, kernels in (("float32", "default"), ("fp16", "default"), ("int8", "default"), ("int8", "reference")):
        changed, difference = evaluation.litert_difference(answers[name], files[name], pictures, kernels)
        rows.append([name, kernels, changed, f"{difference:.2g}"])
    return table(["file", "LiteRT's kernels", "other answers", "largest difference of a score"], rows, texts=2)


def other_pictures(apus, files, data):
    """The scores on pictures of `rice_images`; a note where that folder is not there."""
    folder = data.other_pictures
    if not folder.is_dir():
        return "The pictures of `rice_images` were not at hand."
    larger = evaluation.copies_in_other_sizes(folder / "mendeley", data)
    rows = [[name, share(evaluation.answers(apus, file, larger).right.sum(), len(larger))]
            for name, file in files.items()]
    return (
        "Other copies of the same test photographs, in the 300×300 in which the set was published:\n\n"
        + table(["file", "right"], rows) + "\n\n" + uci_section(apus, files, folder / "uci"))


def uci_section(apus, files, folder):
    """What is answered for another set, whose classes are only partly the same."""
    rows, right, count = [], dict.fromkeys(files, 0), 0
    for name, pictures in evaluation.uci_pictures(folder).items():
        of_files = {file: evaluation.answers(apus, path, pictures) for file, path in files.items()}
        if evaluation.UCI_CLASSES[name]:
            count += len(pictures)
            right = {file: right[file] + of_file.right.sum() for file, of_file in of_files.items()}
        rows += [[name, file, *np.bincount(of_file.classes, minlength=len(CLASSES))]
                 for file, of_file in of_files.items()]
    scores = ", ".join(f"{file} {share(right[file], count)}" for file in files)
    return (
        "Another set is \"Rice Leaf Diseases\" (Shah, Prajapati and Dabhi, UCI Machine Learning Repository 486, CC BY "
        "4.0):\nphotographs of cut leaves on white ground, nearly all of them 3081×897, so that the stretch to a square "
        f"distorts them.\nOf the {count} at hand in the two classes that both sets have, right are: {scores}.\n"
        "So few say little. Leaf smut has no counterpart, so that any answer for it is wrong. The answers:\n\n"
        + table(["class in the UCI set", "file", *CLASSES], rows, texts=2))
