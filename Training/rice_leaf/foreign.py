"""Pictures that show no rice leaf: of other sets, and made here.

- train: what the network is taught to be unsure of.
- fit: what the rejection is fitted to and its threshold chosen by.
"""

from pathlib import Path

import numpy as np
from PIL import Image

# Whole classes of CIFAR-10, every fourth photograph of COCO and all of `imagenet150` are kept from training.
KEPT_CLASSES = ("cat", "truck")
KEPT_PHOTOGRAPHS = 4
MADE_COUNT = 128


def paths(data, part):
    """The files of a part in a folder with `small_sets`, `photo_search` and `imagenet150`."""
    data = Path(data)
    keeps = part == "fit"
    small = sorted((data / "small_sets/cifar10_jpg").glob("*/*.jpg"))
    photographs = sorted((data / "photo_search/coco").rglob("*.jpg"))
    return [path for path in small if (path.parent.name in KEPT_CLASSES) == keeps] + [
        path for index, path in enumerate(photographs) if (index % KEPT_PHOTOGRAPHS == 0) == keeps
    ] + (sorted((data / "imagenet150/images").iterdir()) if keeps else [])


def pixels(data, side, seed):
    """What is trained with, uint8 [count, side, side, 3]: of photographs the whole and its quarters, and made ones."""
    pictures = []
    for path in paths(data, "train"):
        with Image.open(path) as image:
            image = image.convert("RGB")
            boxes = [(0, 0, *image.size)] if "cifar10_jpg" in path.parts else whole_and_quarters(*image.size)
            pictures += [image.resize((side, side), Image.Resampling.BILINEAR, box) for box in boxes]
    return np.stack([np.asarray(picture) for picture in pictures] + made(side, np.random.default_rng(seed), MADE_COUNT))


def whole_and_quarters(width, height):
    x, y = width // 2, height // 2
    return [(0, 0, width, height), (0, 0, x, y), (x, 0, width, y), (0, y, x, height), (x, y, width, height)]


def made(side, random, count):
    """Greys, colours, gradients and noise of all grains."""
    pictures = []
    for index in range(count):
        cells = (1, 1, 2, 2, 4, 8, 32, side)[index % 8]
        channels = 1 if index % 16 < 8 else 3
        small = random.integers(0, 256, (cells, cells, channels), dtype=np.uint8).repeat(3 // channels, axis=2)
        picture = Image.fromarray(small)
        pictures.append(np.asarray(picture.resize((side, side), Image.Resampling.BILINEAR)))
    return pictures
