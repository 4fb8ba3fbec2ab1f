"""Measures a model folder: with apus, and the same pictures with `transformers` to see that both agree."""
import collections
import csv
import json
import pathlib
import subprocess

import numpy
import torch
import transformers
from PIL import Image

from .grammar import UNSEEN_FRAMES
from .tasks import HELD_OUT, all_tasks, parts_of

#: Tasks that the frames never used in training are measured on, with so many pictures of each.
FRAMED_PICTURES = 100
FRAMED = ("colour and kind", "count and kind", "position and kind", "relation of two kinds")

Part = collections.namedtuple("Part", "task part paths truths labels")


def parts(folder):
    """The pictures of each task, with the position of the true label of each."""
    for task in all_tasks():
        labels = task.sentences()
        for part in parts_of(task):
            place = pathlib.Path(folder) / task.folder / part
            with open(place / "labels.csv", newline="") as file:
                rows = list(csv.DictReader(file))
            yield Part(task.name, part, [str(place / row["path"]) for row in rows],
                       numpy.array([labels.index(row["label"]) for row in rows]), labels)


def apus_answers(apus, model, paths, labels, precision="f32"):
    """What `apus zero-shot` gives: logits [pictures, labels], and whether the answer to each picture is certain."""
    options = [word for label in labels for word in ("--label", label)]
    result = subprocess.run(
        [apus, "zero-shot", "-", "--model", str(model), "--precision", precision, "--json", *options],
        input="\n".join(paths) + "\n", capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    found = {row["file"]: row for row in rows if "scores" in row}
    logits = numpy.empty((len(paths), len(labels)))
    for picture, path in enumerate(paths):
        for score in found[path]["scores"]:
            logits[picture, score["index"]] = score["logit"]
    return logits, numpy.array([not found[path]["uncertain"] for path in paths])


class Reference:
    """`transformers` in float32 on the same folder."""

    def __init__(self, folder):
        self.model = transformers.SiglipModel.from_pretrained(folder, dtype=torch.float32).eval()
        self.tokenizer = transformers.SiglipTokenizer.from_pretrained(folder)
        self.processor = transformers.SiglipImageProcessorPil.from_pretrained(folder)

    @torch.no_grad()
    def logits(self, paths, labels):
        ids = self.tokenizer(labels, padding="max_length", return_tensors="pt").input_ids
        pictures = self.processor([Image.open(path).convert("RGB") for path in paths], return_tensors="pt")
        return self.model(input_ids=ids, pixel_values=pictures.pixel_values).logits_per_image.numpy()


def measure(apus, model, folder, precision="f32"):
    """Accuracy of every task and part, and how many answers are certain and right."""
    rows = []
    for part in parts(folder):
        logits, certain = apus_answers(apus, model, part.paths, part.labels, precision)
        right = logits.argmax(1) == part.truths
        rows.append({"task": part.task, "part": part.part, "labels": len(part.labels), "pictures": len(part.paths),
                     "right": int(right.sum()), "accuracy": float(right.mean()),
                     "certain right": int((right & certain).sum())})
    return rows


def measure_reference(apus, model, folder):
    """The greatest difference of a logit between apus and `transformers`, and of an accuracy."""
    reference, worst, answers, pictures = Reference(model), 0.0, 0, 0
    for part in parts(folder):
        if part.part == HELD_OUT:
            ours, _ = apus_answers(apus, model, part.paths, part.labels)
            theirs = reference.logits(part.paths, part.labels)
            worst = max(worst, float(numpy.abs(ours - theirs).max() / numpy.abs(theirs).max()))
            answers += int((ours.argmax(1) != theirs.argmax(1)).sum())
            pictures += len(part.paths)
    return {"pictures": pictures, "relative difference": worst, "different answers": answers}


def measure_frames(apus, model, folder):
    """Accuracy with each frame that training did not use, over the held-out pictures of some tasks."""
    chosen = [part for part in parts(folder) if part.part == HELD_OUT and part.task in FRAMED]
    rows = []
    for frame in ("{}", *UNSEEN_FRAMES):
        right = pictures = 0
        for part in chosen:
            labels = [frame.replace("{}", label) for label in part.labels]
            paths, truths = part.paths[:FRAMED_PICTURES], part.truths[:FRAMED_PICTURES]
            right += int((apus_answers(apus, model, paths, labels)[0].argmax(1) == truths).sum())
            pictures += len(paths)
        rows.append({"frame": frame, "pictures": pictures, "accuracy": right / pictures})
    return rows
