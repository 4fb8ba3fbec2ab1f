"""How far the int8 file knows what it does not know: figures of the card."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

from . import pictures

CALIBRATION_BINS = 15
LIGHTS = (0.7, 0.5, 0.3)
# Deviations of a Gaussian filter in pixels of pictures of 192.
BLURS = (2, 4)


@dataclass(frozen=True)
class Certainty:
    """What became of answers; without labels none is right."""

    scores: np.ndarray
    reasons: list
    labels: np.ndarray
    threshold: float

    @property
    def right(self):
        return self.scores.argmax(axis=1) == self.labels

    @property
    def certain(self):
        return np.array([reason is None for reason in self.reasons])

    @property
    def sure(self):
        """Where the score is high enough, be the picture foreign or not."""
        return self.scores.max(axis=1) >= self.threshold

    @property
    def calibration_error(self):
        """The expected calibration error (Guo et al. 2017)."""
        confidence = self.scores.max(axis=1)
        bins = np.clip(np.ceil(confidence * CALIBRATION_BINS) - 1, 0, CALIBRATION_BINS - 1)
        return sum(
            abs(confidence[bins == number].mean() - self.right[bins == number].mean()) * (bins == number).mean()
            for number in np.unique(bins))


def measure(apus, file, paths, labels):
    scores, reasons = apus.answers(file, paths)
    return Certainty(scores, reasons, np.asarray(labels), apus.stated["threshold_default"])


def worse_leaves(apus, file, test):
    """The answers for leaves in little light and out of focus, by what was done to them."""
    changes = {f"at {light:.0%} of their light": dimming(light) for light in LIGHTS}
    changes |= {f"blurred by {blur} pixels": blurring(blur) for blur in BLURS}
    labels = [picture.label for picture in test]
    return {name: measure(apus, file, paths, labels) for name, paths in changed(test, changes)}


def changed(test, changes):
    for name, change in changes.items():
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for index, picture in enumerate(test):
                paths.append(Path(folder) / f"{index}.png")
                with Image.open(picture.path) as image:
                    change(image.convert("RGB")).save(paths[-1], compress_level=1)
            yield name, paths


def dimming(light):
    return lambda image: image.point(lambda byte: int(byte * light))


def blurring(deviation):
    return lambda image: image.filter(ImageFilter.GaussianBlur(deviation))


def foreign_pictures(apus, files, kinds):
    """The answers of each file for pictures that show no leaf, by kind."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        greys = []
        for index, grey in enumerate(range(0, 256, 15)):
            greys.append(Path(folder) / f"{index}.png")
            Image.new("RGB", (256, 256), (grey, grey, grey)).save(greys[-1])
        for kind, paths in (kinds | {"grey squares, like some that trained": greys}).items():
            found[kind] = {name: measure(apus, file, paths, [-1] * len(paths)) for name, file in files.items()}
    return found
