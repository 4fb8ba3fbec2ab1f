"""Writes the card of the model: its text is card.md, its figures are measured here."""

from importlib.metadata import version
from pathlib import Path

import numpy as np

from . import augmentation, evaluation, photographs
from .export import FILES
from .pictures import CLASSES
from .split import PARTS

TEMPLATE = Path(__file__).with_name("card.md")
# What the files hold.
NUMBERS = {"float32": "float32", "fp16": "float16 weights, float32 arithmetic", "int8": "int8, per channel"}


def write(folder, apus, run, data):
    """Measures the files of a folder and writes its README.md."""
    files = {name: folder / file for name, file in FILES.items()}
    test = data.part("test")
    answers = {name: evaluation.answers(apus, file, test) for name, file in files.items()}
    validation = evaluation.answers(apus, files["int8"], data.part("validation"))
    numbers = data.split.photograph[data.split.indices("test")]
    certain = answers["int8"].certain(run.threshold)
    settings = run.settings
    text = TEMPLATE.read_text().format(
        **vars(settings), command="Tools/train/rice-leaf", files=file_table(files), threshold=run.threshold,
        precision=evaluation.PRECISION, validation_right=validation.right.sum(),
        validation_count=len(validation.right), pictures=len(data.pictures),
        photographs=data.split.photograph_count(slice(None)), scenes=data.split.scene_count,
        thumbnail=photographs.THUMBNAIL, same_photograph=photographs.SAME_PHOTOGRAPH,
        same_scene=photographs.SAME_SCENE, same_colours=photographs.SAME_COLOURS, parts=part_table(data),
        views=settings.views_per_epoch, area_low=augmentation.AREA[0], area_high=augmentation.AREA[1],
        minutes=run.seconds / 60, processor_minutes=run.processor_seconds / 60, calibration=run.calibration_count,
        test_pictures=len(test), test_photographs=len(np.unique(numbers)),
        accuracy=accuracy_table(answers, numbers, settings.seed), recall=recall_table(answers),
        changed=(answers["int8"].classes != answers["fp16"].classes).sum(),
        points=100 * (answers["int8"].right.mean() - answers["fp16"].right.mean()),
        certain=certain.mean(), certain_right=answers["int8"].precision(run.threshold),
        litert=version("ai-edge-litert"), reference=reference_table(answers, files, test),
        elsewhere=other_pictures(apus, files, data.other_pictures, test))
    (folder / "README.md").write_text(text.rstrip() + "\n")


def table(head, rows):
    """A Markdown table: names to the left, figures to the right."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def share(right, count):
    return f"{right} of {count} ({right / count:.1%})"


def file_table(files):
    rows = [[f"`{path.name}`", NUMBERS[name], f"{path.stat().st_size:,}"] for name, path in files.items()]
    return table(["file", "numbers", "bytes"], rows)


def part_table(data):
    labels = data.labels
    rows = []
    for part in PARTS:
        indices = data.split.indices(part)
        of_classes = [indices[labels[indices] == label] for label in range(len(CLASSES))]
        rows.append([part, *(f"{len(i)} of {data.split.photograph_count(i)}" for i in (*of_classes, indices))])
    return table(["pictures of photographs", *CLASSES, "all"], rows)


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
    for name, of_file in answers.items():
        changed, difference = evaluation.litert_difference(of_file, files[name], pictures)
        rows.append([name, changed, f"{difference:.2g}"])
    return table(["file", "other answers", "largest difference of a score"], rows)


def other_pictures(apus, files, folder, test):
    """The scores on pictures of `rice_images`; a note where that folder is not there."""
    if not folder.is_dir():
        return "The pictures of `rice_images` were not at hand."
    parts = []
    larger = evaluation.in_other_sizes(folder / "mendeley", test)
    if larger:
        rows = [[name, share(evaluation.answers(apus, file, larger).right.sum(), len(larger))]
                for name, file in files.items()]
        parts.append("The test photographs that are also at hand in 300×300, the size that was published:\n\n"
                     + table(["file", "right"], rows))
    return "\n\n".join([*parts, uci_section(apus, files, folder / "uci")])


def uci_section(apus, files, folder):
    """What is answered for another set, whose classes are only partly the same."""
    rows, right, count = [], dict.fromkeys(files, 0), 0
    for name, pictures in evaluation.uci_pictures(folder).items():
        of_files = {file: evaluation.answers(apus, path, pictures) for file, path in files.items()}
        if pictures[0].label >= 0:
            count += len(pictures)
            right = {file: right[file] + of_file.right.sum() for file, of_file in of_files.items()}
        rows += [[f"{name}, {file}", *np.bincount(of_file.classes, minlength=len(CLASSES))]
                 for file, of_file in of_files.items()]
    scores = ", ".join(f"{file} {share(right[file], count)}" for file in files)
    return (
        "Pictures of another set, \"Rice Leaf Diseases\" (Shah, Prajapati and Dabhi, UCI Machine Learning Repository "
        f"486, CC BY 4.0), full camera pictures of cut leaves on white ground.\nOf the two classes that both sets have, "
        f"right are: {scores}.\nLeaf smut is unknown here, so that every answer for it is wrong. Answers:\n\n"
        + table(["class in the UCI set, file", *CLASSES], rows))
