"""Counts, intervals and thresholds of two-class scores."""

import numpy as np

STANDARD_SCORE = 1.959964
"""Of a 95 % interval."""


def wilson(right, count):
    """The interval of a proportion (Wilson, 1927)."""
    share, squared = right / count, STANDARD_SCORE**2
    middle = (share + squared / (2 * count)) / (1 + squared / count)
    half = STANDARD_SCORE / (1 + squared / count) * np.sqrt(share * (1 - share) / count + squared / (4 * count**2))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def bootstrap(values, draws=2000):
    """The 95 % interval of a mean, by drawing the values anew."""
    generator = np.random.default_rng(0)
    means = [generator.choice(values, len(values)).mean() for _ in range(draws)]
    return tuple(float(bound) for bound in np.quantile(means, (0.025, 0.975)))


def confusion(scores, labels):
    """Counts by true class, then by answer; `scores` are those of class 1."""
    answers = (scores > 0.5).astype(int)
    return [[int(((labels == true) & (answers == given)).sum()) for given in (0, 1)] for true in (0, 1)]


def calibration_error(scores, labels, bins=10):
    """The expected calibration error of the better class's score, over bins of equal width from 0.5 to 1."""
    sure, right = np.maximum(scores, 1 - scores), (scores > 0.5) == labels
    place = np.minimum(((sure - 0.5) * 2 * bins).astype(int), bins - 1)
    return sum(abs(sure[place == index].sum() - right[place == index].sum()) for index in range(bins)) / len(scores)


def threshold(scores, labels, precision):
    """The lowest score, in steps of 0.01, from which on at least `precision` of the answers are right."""
    sure, right = np.maximum(scores, 1 - scores), (scores > 0.5) == labels
    for step in range(50, 100):
        kept = sure >= step / 100
        if kept.any() and right[kept].mean() >= precision:
            return step / 100
    raise SystemExit(f"no threshold reaches a precision of {precision}")


def kept(scores, labels, limit):
    """How many answers a threshold leaves, and how many of these are right."""
    sure, right = np.maximum(scores, 1 - scores), (scores > 0.5) == labels
    return int((sure >= limit).sum()), int(right[sure >= limit].sum())
