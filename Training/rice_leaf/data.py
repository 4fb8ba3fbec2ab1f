"""The data folder: pictures, labels and split."""

import numpy as np

from . import pictures, split

# Side of the pictures of the training set.
STORED_SIDE = 192


class Data:
    """The pictures of a folder with `rice_train` and, for the card, `rice_images`."""

    def __init__(self, folder, seed):
        self.folder = folder
        self.other_pictures = folder / "rice_images"
        self.pictures = pictures.find(folder / "rice_train")
        self.labels = np.array([picture.label for picture in self.pictures])
        self.pixels = pictures.load(self.pictures, STORED_SIDE)
        self.split = split.split(self.pixels, self.labels, seed)

    def part(self, name):
        return [self.pictures[index] for index in self.split.indices(name)]
