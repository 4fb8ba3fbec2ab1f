"""A quadratic discriminant of low rank.

A logistic regression with squares beside its linear term: the logit of a picture is w·z + b + Σ ±(u·z + c)², where z
are its features along their principal axes. Those of leaves in less and less light lie on a curve, which no plane
follows.
"""

import math
from dataclasses import dataclass

import numpy as np

AXES = 256
# Squares of one network, half of them with a minus; how many networks' logits are averaged.
SQUARES = 16
MEMBERS = 4
# Weights of squared coefficients in the loss: of the linear term where it begins, and of both while squares are learnt.
START_PENALTY, LINEAR_PENALTY, SQUARE_PENALTY = 0.002, 0.001, 0.003
# Axes of smaller deviations are not brought to the same scatter as others before they are squared.
LEAST_DEVIATION = 0.3
# Newton's steps for the linear term, then Adam's (Kingma and Ba 2015).
STEPS, EPOCHS, BATCH, RATE = 8, 6, 512, 3e-3
MOMENTA, EPSILON = (0.9, 0.999), 1e-8
START = 0.02
SIGNS = np.tile(np.float32([1, -1]), SQUARES // 2)


@dataclass(frozen=True)
class Discriminant:
    """Above 0 where a picture is likelier foreign than known.

    Of features x less their centre it is linear·x + bias + Σ signs·(rows·x + shifts)².
    """

    center: np.ndarray
    linear: np.ndarray
    bias: float
    rows: np.ndarray
    shifts: np.ndarray
    # Of squares, with the share of one network in the average.
    signs: np.ndarray

    def __call__(self, features):
        centred = features - self.center
        return centred @ self.linear + self.bias + (centred @ self.rows.T + self.shifts) ** 2 @ self.signs


@dataclass(frozen=True)
class Axes:
    """Principal axes of standardized features."""

    center: np.ndarray
    # [features, axes]
    basis: np.ndarray
    deviations: np.ndarray

    def __call__(self, features):
        return ((features - self.center) @ self.basis).astype(np.float32)


def axes(features, weights):
    weights = weights / weights.sum()
    center = weights @ features
    scale = np.sqrt(weights @ (features - center) ** 2) + 1e-9
    rows = ((features - center) / scale).astype(np.float32)
    squares, basis = np.linalg.eigh(((rows * weights[:, None].astype(np.float32)).T @ rows).astype(np.float64))
    chosen = np.argsort(squares)[::-1][:AXES]
    return Axes(center, basis[:, chosen] / scale[:, None], np.sqrt(np.maximum(squares[chosen], LEAST_DEVIATION**2)))


def fit(features, is_foreign, weights):
    """A discriminant of rows of features, of which known and foreign ones weigh half each in all."""
    space = axes(features, weights)
    places, deviations = space(features), space.deviations.astype(np.float32)
    start = regression(places, is_foreign, weights)
    members = [learn(places, is_foreign, weights, start, deviations, seed) for seed in range(MEMBERS)]
    linear = np.mean([linear for linear, _, _ in members], axis=0, dtype=np.float64)
    rows = np.concatenate([rows / deviations for _, rows, _ in members]).astype(np.float64)
    shifts = np.concatenate([shifts for _, _, shifts in members]).astype(np.float64)
    return Discriminant(
        space.center, space.basis @ linear[:-1], float(linear[-1]), rows @ space.basis.T, shifts,
        np.tile(SIGNS, MEMBERS).astype(np.float64) / MEMBERS)


def regression(places, is_foreign, weights):
    """A logistic regression by Newton's method: weights, and the bias behind them."""
    rows = np.column_stack([places, np.ones(len(places), np.float32)])
    penalty = np.full(rows.shape[1], START_PENALTY)
    penalty[-1] = 0
    answer = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-rows @ answer.astype(np.float32)))
        slope = rows.T @ (weights * (likely - is_foreign)) + penalty * answer
        curvature = (rows * (weights * likely * (1 - likely))[:, None].astype(np.float32)).T @ rows
        answer -= np.linalg.solve(curvature + np.diag(penalty + 1e-9), slope)
    return answer


def learn(places, is_foreign, weights, start, deviations, seed):
    """The linear term with its bias, and the rows and shifts of the squares, of axes brought to one scatter."""
    random = np.random.default_rng(seed)
    even = places / deviations
    weights, is_foreign = (weights * len(weights) / weights.sum()).astype(np.float32), is_foreign.astype(np.float32)
    parts = [start.astype(np.float32), random.normal(0, START, (SQUARES, places.shape[1])).astype(np.float32),
             np.zeros(SQUARES, np.float32)]
    means, squares = ([np.zeros_like(part) for part in parts] for _ in range(2))
    count = EPOCHS * -(-len(places) // BATCH)
    batches = (drawn for _ in range(EPOCHS) for drawn in batched(random.permutation(len(places))))
    for step, drawn in enumerate(batches):
        slopes = gradient(parts, places[drawn], even[drawn], is_foreign[drawn], weights[drawn])
        rate = RATE * (1 + math.cos(math.pi * step / count)) / 2
        for part, mean, square, slope in zip(parts, means, squares, slopes):
            mean += (1 - MOMENTA[0]) * (slope - mean)
            square += (1 - MOMENTA[1]) * (slope**2 - square)
            first, second = (1 - momentum ** (step + 1) for momentum in MOMENTA)
            part -= rate * (mean / first) / (np.sqrt(square / second) + EPSILON)
    return parts


def batched(order):
    return (order[start:start + BATCH] for start in range(0, len(order), BATCH))


def gradient(parts, places, even, is_foreign, weights):
    """Of the weighted mean of the logistic losses and of the penalties."""
    linear, rows, shifts = parts
    turned = even @ rows.T + shifts
    logits = places @ linear[:-1] + linear[-1] + turned**2 @ SIGNS
    slopes = weights * (1 / (1 + np.exp(-np.clip(logits, -60, 60))) - is_foreign) / len(places)
    inner = 2 * slopes[:, None] * turned * SIGNS
    return (np.append(slopes @ places + np.float32(LINEAR_PENALTY) * linear[:-1], slopes.sum()),
            inner.T @ even + np.float32(SQUARE_PENALTY) * rows, inner.sum(axis=0))
