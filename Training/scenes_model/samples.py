"""The pictures that are shipped, each named by what it shows."""
import csv
import pathlib

import numpy
from PIL import Image

from . import renderer
from .attributes import COLOUR_NAMES, KINDS, LARGE, MEDIUM, SMALL, SPOTTED, STRIPED
from .scene import Group, Scene

#: Colours of a palette in a shipped file: gradients are slight, so this many are enough.
PALETTE = 128


def group(count, colour, kind, size=LARGE, texture=0):
    return Group(count, KINDS.index(kind), COLOUR_NAMES.index(colour), size, texture)


def scene(background, *groups, position=-1, relation=-1):
    return Scene(groups, COLOUR_NAMES.index(background), position, relation)


SAMPLES = {
    "three red circles": scene("white", group(3, "red", "circle", MEDIUM)),
    "a yellow sun in the top right corner": scene("blue", group(1, "yellow", "sun"), position=2),
    "five white stars on a black background": scene("black", group(5, "white", "star", SMALL)),
    "a red house to the left of a green tree":
        scene("grey", group(1, "red", "house"), group(1, "green", "tree"), relation=0),
    "a brown boat above an orange fish":
        scene("blue", group(1, "brown", "boat"), group(1, "orange", "fish"), relation=2),
    "a large striped blue heart": scene("yellow", group(1, "blue", "heart", LARGE, STRIPED), position=4),
    "two pink flowers": scene("green", group(2, "pink", "flower")),
    "a small black car at the bottom": scene("yellow", group(1, "black", "car", SMALL), position=7),
    "four orange mushrooms": scene("green", group(4, "orange", "mushroom", SMALL)),
    "a purple umbrella": scene("grey", group(1, "purple", "umbrella"), position=4),
    "a yellow face in the middle": scene("purple", group(1, "yellow", "face"), position=4),
    "a spotted green square": scene("white", group(1, "green", "square", LARGE, SPOTTED), position=3),
}


def draw_samples(folder, seed):
    """Draws them, and writes `labels.csv` with the sentence of each."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for index, (sentence, shown) in enumerate(SAMPLES.items()):
        picture = renderer.draw(shown, numpy.random.default_rng((seed, 6, index)))
        picture = picture.quantize(PALETTE, dither=Image.Dither.NONE)
        picture.save(folder / file_name(sentence), optimize=True)
    with open(folder / "labels.csv", "w", newline="") as file:
        rows = sorted((file_name(sentence), sentence) for sentence in SAMPLES)
        csv.writer(file, lineterminator="\n").writerows([("path", "label"), *rows])


def file_name(sentence):
    return f"{sentence.replace(' ', '-')}.png"
