"""How good the files are: the figures of the card."""

from dataclasses import dataclass

import numpy as np

from . import pictures
from .classifiers import litert_scores
from .photographs import known_photographs

RESAMPLES = 10_000
# Folders of the pictures in the size in which they were published, and what they are called here.
MENDELEY_CLASSES = {
    "Bacterialblight": "bacterial_leaf_blight",
    "Blast": "rice_blast",
    "Brownspot": "rice_brown_spot",
}
# Folders of the UCI set and what they are called here; leaf smut has no counterpart.
UCI_CLASSES = {
    "Bacterial_leaf_blight": "bacterial_leaf_blight",
    "Brown_spot": "rice_brown_spot",
    "Leaf_smut": None,
}


@dataclass(frozen=True)
class Answers:
    """The scores that a file gives for pictures, and what they should be."""

    scores: np.ndarray
    labels: np.ndarray

    @property
    def classes(self):
        return self.scores.argmax(axis=1)

    @property
    def right(self):
        return self.classes == self.labels

    def recall(self, label):
        """How many pictures of a class are right, and how many there are."""
        of_class = self.labels == label
        return int(self.right[of_class].sum()), int(of_class.sum())


def accuracy_interval(answers, photographs, seed):
    """Limits of 95 % for the accuracy by a bootstrap of photographs: pictures of one are no separate trials."""
    _, inverse = np.unique(photographs, return_inverse=True)
    counts, right = np.bincount(inverse), np.bincount(inverse, weights=answers.right)
    drawn = np.random.default_rng(seed).integers(len(counts), size=(RESAMPLES, len(counts)))
    return np.quantile(right[drawn].sum(axis=1) / counts[drawn].sum(axis=1), (0.025, 0.975))


def photograph_accuracy(answers, photographs):
    """The share of right answers when every photograph counts once, however many copies there are of it."""
    return np.mean([answers.right[photographs == number].mean() for number in np.unique(photographs)])


def answers(apus, file, pictures_):
    paths = [picture.path for picture in pictures_]
    return Answers(apus.scores(file, paths), np.array([picture.label for picture in pictures_]))


def litert_difference(answers_, file, pictures_, kernels):
    """How many answers of apus are other than LiteRT's, and the largest difference of a score."""
    scores = litert_scores(file, [picture.path for picture in pictures_], kernels)
    return int((scores.argmax(axis=1) != answers_.classes).sum()), float(np.abs(scores - answers_.scores).max())


def copies_in_other_sizes(folder, data):
    """The pictures of a folder that show photographs of the test part."""
    found = pictures.find(folder, list(MENDELEY_CLASSES))
    numbers = known_photographs(pictures.load(found, data.pixels.shape[1]), data.pixels, data.split.photograph)
    of_test = np.isin(numbers, data.split.photograph[data.split.indices("test")])
    return [
        pictures.Picture(picture.path, pictures.CLASSES.index(MENDELEY_CLASSES[picture.path.parent.name]))
        for picture, is_of_test in zip(found, of_test) if is_of_test
    ]


def uci_pictures(folder):
    """The pictures of the UCI set by class: label −1 where there is no counterpart."""
    return {
        name: [
            pictures.Picture(picture.path, pictures.CLASSES.index(ours) if ours else -1)
            for picture in pictures.find(folder, [name])
        ]
        for name, ours in UCI_CLASSES.items()
    }
