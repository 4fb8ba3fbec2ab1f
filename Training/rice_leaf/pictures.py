"""The pictures of a folder with one folder for each class, as the classifier sees them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

CLASSES = ("bacterial_leaf_blight", "rice_blast", "rice_brown_spot")


@dataclass(frozen=True)
class Picture:
    path: Path
    label: int

    @property
    def name(self):
        """Class folder and file name: what tells a picture from all others of the set."""
        return f"{self.path.parent.name}/{self.path.name}"


def find(folder, classes=CLASSES):
    """The JPEGs of each class folder, sorted by name."""
    return [
        Picture(path, label)
        for label, name in enumerate(classes)
        for path in sorted((Path(folder) / name).iterdir())
        if path.suffix.lower() in (".jpg", ".jpeg")
    ]


def pixels(path, side):
    """A picture stretched to a square as the profile `mobilenet-v2` of Apus does: uint8 [side, side, 3]."""
    with Image.open(path) as image:
        return stretched(image.convert("RGB"), side)


def stretched(image, side):
    return np.asarray(image.resize((side, side), Image.Resampling.BILINEAR))


def load(pictures, side):
    """All pictures in one array: uint8 [count, side, side, 3]."""
    return np.stack([pixels(picture.path, side) for picture in pictures])


def normalized(bytes_):
    """The numbers that a float32 model gets for bytes."""
    return np.asarray(bytes_, np.float32) / np.float32(127.5) - np.float32(1)
