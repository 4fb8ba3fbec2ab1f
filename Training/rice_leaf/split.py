"""Divides the pictures into train, validation and test so that no scene is on two sides."""

import csv
from dataclasses import dataclass

import numpy as np

from .photographs import photographs_and_scenes

PARTS = ("train", "validation", "test")
# Shares of the photographs of each class that validation and test get at least.
VALIDATION_SHARE = 0.15
TEST_SHARE = 0.20


@dataclass(frozen=True)
class Split:
    """For each picture: the index of its part in PARTS, and the numbers of its photograph and scene."""

    part: np.ndarray
    photograph: np.ndarray
    scene: np.ndarray

    def indices(self, part):
        return np.flatnonzero(self.part == PARTS.index(part))

    @property
    def scene_count(self):
        return len(np.unique(self.scene))

    def photograph_count(self, indices):
        return len(np.unique(self.photograph[indices]))


def split(pixels, labels, seed):
    """Scenes in random order go to test, then to validation, until each has its share of each class."""
    photograph, scene = photographs_and_scenes(pixels)
    order = np.random.default_rng(seed).permutation(scene.max() + 1)
    part = np.full(len(labels), PARTS.index("train"))
    for label in np.unique(labels):
        of_class = labels == label
        photographs = len(np.unique(photograph[of_class]))
        wanted = {"test": TEST_SHARE * photographs, "validation": VALIDATION_SHARE * photographs}
        for number in order:
            members = of_class & (scene == number)
            open_parts = [name for name, count in wanted.items() if count > 0]
            if not members.any() or not open_parts:
                continue
            part[members] = PARTS.index(open_parts[0])
            wanted[open_parts[0]] -= len(np.unique(photograph[members]))
    return Split(part, photograph, scene)


def write(path, pictures, split_):
    """One line for each picture: class folder and file name, class, part, number of the photograph."""
    with open(path, "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["path", "label", "split", "photograph"])
        for picture, part, photograph in zip(pictures, split_.part, split_.photograph):
            rows.writerow([picture.name, picture.path.parent.name, PARTS[part], photograph])
