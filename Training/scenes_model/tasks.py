"""Zero-shot tasks: pictures that hold a combination never trained on, and all labels they are chosen among."""
import csv
import dataclasses
import pathlib

import numpy

from . import held_out
from . import renderer
from .attributes import BACKGROUNDS, COLOUR_NAMES, KINDS, LARGE, SHAPES, SMALL, THING_COLOURS
from .grammar import Grammar
from .meaning import Meaning, Phrase, truth
from .scene import any_scene

HELD_OUT, SEEN = "held-out", "seen"
PICTURES = {HELD_OUT: 400, SEEN: 200}
KIND_INDICES, COLOURS = range(len(KINDS)), range(len(THING_COLOURS))
BINDING_COLOURS = [COLOUR_NAMES.index(name) for name in ("red", "blue", "yellow")]


@dataclasses.dataclass(frozen=True)
class Task:
    """`family` is of `held_out.FAMILIES`; `labels` are meanings of which one is true of each picture."""
    name: str
    family: str
    labels: tuple

    @property
    def folder(self):
        return self.name.replace(" ", "-")

    def sentences(self):
        return [Grammar().sentence(label) for label in self.labels]


def all_tasks():
    pairs = held_out.FAMILIES["two kinds"]
    backgrounds = [(c, b) for c in COLOURS for b in BACKGROUNDS if c != b]
    colours = [(a, b) for a in BINDING_COLOURS for b in BINDING_COLOURS if a != b]
    return [
        Task("colour and kind", "colour and kind",
             tuple(Meaning((Phrase(1, k, c),)) for k in KIND_INDICES for c in COLOURS)),
        Task("count and kind", "count and kind",
             tuple(Meaning((Phrase(n, k),)) for k in KIND_INDICES for n in range(1, 6))),
        Task("texture and shape", "texture and shape",
             tuple(Meaning((Phrase(1, k, texture=t),)) for k in range(len(SHAPES)) for t in range(4))),
        Task("size and kind", "size and kind",
             tuple(Meaning((Phrase(1, k, size=s),)) for k in KIND_INDICES for s in (SMALL, LARGE))),
        Task("position and kind", "position and kind",
             tuple(Meaning((Phrase(1, k),), position=p) for k in KIND_INDICES for p in range(9))),
        Task("colour and background", "colour and background",
             tuple(Meaning((Phrase(1, colour=c),), background=b) for c, b in backgrounds)),
        Task("two kinds", "two kinds",
             tuple(Meaning((Phrase(1, a), Phrase(1, b))) for a in KIND_INDICES for b in range(a + 1, len(KINDS)))),
        Task("relation of two kinds", "two kinds",
             tuple(Meaning((Phrase(1, a), Phrase(1, b)), relation=r) for a, b in pairs for r in range(4))),
        Task("colours of two kinds", "two kinds",
             tuple(Meaning((Phrase(1, a, c), Phrase(1, b, d))) for a, b in pairs for c, d in colours)),
    ]


def answer(task, scene):
    """The position of the one true label; None where not exactly one is true and all others are false."""
    known = truth([scene.numbers()], [label.numbers() for label in task.labels])[0]
    true = numpy.flatnonzero(known > 0)
    return int(true[0]) if len(true) == 1 and (known != 0).sum() == len(known) else None


def fitting_scene(task, part, random):
    """A scene with a combination of the task's family and of no other, or with none at all."""
    wanted = {task.family} if part == HELD_OUT else set()
    while True:
        scene = recoloured(task, any_scene(random), random)
        if not scene.is_drawable or held_out.combinations(scene) != wanted:
            continue
        index = answer(task, scene)
        if index is not None:
            return scene, index


def recoloured(task, scene, random):
    """For the task of two colours: the scene with a pair of the colours that its labels name."""
    if task.name != "colours of two kinds" or len(scene.groups) != 2:
        return scene
    first, second = random.permutation(BINDING_COLOURS)[:2]
    groups = tuple(dataclasses.replace(group, colour=int(colour))
                   for group, colour in zip(scene.groups, (first, second)))
    return dataclasses.replace(scene, groups=groups)


def parts_of(task):
    """Tasks whose labels name only held-out pairs have no pictures of seen ones."""
    return (HELD_OUT,) if task.family == "two kinds" and task.name != "two kinds" else (HELD_OUT, SEEN)


def draw_tasks(folder, seed):
    """Writes `TASK/PART/000.png …` with `labels.csv` (path, label), and `TASK/labels.txt` with all labels."""
    for number, task in enumerate(all_tasks()):
        sentences = task.sentences()
        for part in parts_of(task):
            random = numpy.random.default_rng((seed, 5, number, len(part)))
            place = pathlib.Path(folder) / task.folder / part
            place.mkdir(parents=True, exist_ok=True)
            rows = []
            for index in range(PICTURES[part]):
                scene, label = fitting_scene(task, part, random)
                name = f"{index:03d}.png"
                renderer.draw(scene, random).save(place / name)
                rows.append((name, sentences[label]))
            with open(place / "labels.csv", "w", newline="") as file:
                csv.writer(file).writerows([("path", "label"), *rows])
        (pathlib.Path(folder) / task.folder / "labels.txt").write_text("\n".join(sentences) + "\n")
