"""How far the files know what they do not know: figures of the card."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from .views import blurring, dimming

CALIBRATION_BINS = 15
LIGHTS = (0.7, 0.5, 0.3)
FOREIGN_LIGHTS = (0.5, 0.3)
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


def leaves(apus, files, test):
    """The answers of each file for leaves as they are, in little light and out of focus, by what was done to them."""
    paths, labels = [picture.path for picture in test], [picture.label for picture in test]
    changes = {f"at {light:.0%} of their light": dimming(light) for light in LIGHTS}
    changes |= {f"blurred by {blur} pixels": blurring(blur) for blur in BLURS}
    return by_view(apus, files, paths, labels, changes)


def by_view(apus, files, paths, labels, changes):
    found = {"as they are": paths_measured(apus, files, paths, labels)}
    for name, change in changes.items():
        with tempfile.TemporaryDirectory() as folder:
            found[name] = paths_measured(apus, files, changed(paths, change, Path(folder)), labels)
    return found


def paths_measured(apus, files, paths, labels):
    return {name: measure(apus, file, paths, labels) for name, file in files.items()}


def changed(paths, change, folder):
    written = []
    for index, path in enumerate(paths):
        written.append(folder / f"{index}.png")
        with Image.open(path) as image:
            change(image.convert("RGB")).save(written[-1], compress_level=1)
    return written


def foreign_pictures(apus, files, kinds):
    """The answers of each file for pictures that show no leaf, by kind and light."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        greys = []
        for index, grey in enumerate(range(0, 256, 15)):
            greys.append(Path(folder) / f"{index}.png")
            Image.new("RGB", (256, 256), (grey, grey, grey)).save(greys[-1])
        changes = {f"at {light:.0%} of their light": dimming(light) for light in FOREIGN_LIGHTS}
        for kind, paths in kinds.items():
            found[kind] = by_view(apus, files, paths, [-1] * len(paths), changes)
        found["grey squares, like some that trained"] = by_view(apus, files, greys, [-1] * len(greys), {})
    return found
