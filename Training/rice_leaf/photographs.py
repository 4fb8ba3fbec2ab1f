"""Finds which pictures are copies of one photograph, and which photographs show one leaf.

The set holds every photograph about a dozen times, turned and mirrored, in nearly all of its series: the series are
no split. Two pictures are taken for one photograph when their thumbnails correlate in one of the eight orientations;
two photographs for one scene when they do so less strongly, or when their colours agree.
"""

import numpy as np
from scipy.sparse.csgraph import connected_components

THUMBNAIL = 16
COLOUR_STEPS = 8
SAME_PHOTOGRAPH = 0.97
SAME_SCENE = 0.93
SAME_COLOURS = 0.93


def photographs_and_scenes(pixels):
    """The number of the photograph and of the scene of each picture of uint8 [count, side, side, 3]."""
    likeness = thumbnail_likeness(pixels, pixels)
    same_photograph = likeness > SAME_PHOTOGRAPH
    same_scene = (likeness > SAME_SCENE) | (colour_likeness(pixels) > SAME_COLOURS)
    return components(same_photograph), components(same_photograph | same_scene)


def components(alike):
    return connected_components(alike, directed=False)[1]


def known_photographs(pixels, known, photographs):
    """The number of the photograph that each picture is a copy of, −1 for none, by numbered known pictures."""
    likeness = thumbnail_likeness(pixels, known)
    return np.where(likeness.max(axis=1) > SAME_PHOTOGRAPH, photographs[likeness.argmax(axis=1)], -1)


def thumbnail_likeness(pixels, others):
    """The correlation of the thumbnails of any two pictures in the orientation in which it is highest."""
    thumbnails, upright = thumbnails_of(pixels), standardized(thumbnails_of(others))
    best = np.full((len(pixels), len(others)), -1, np.float32)
    for turns in range(4):
        turned = np.rot90(thumbnails, turns, axes=(1, 2))
        for oriented in (turned, turned[:, :, ::-1]):
            np.maximum(best, standardized(oriented) @ upright.T, out=best)
    return best


def thumbnails_of(pixels):
    """The means of the cells of a grid laid over pictures whose side is a multiple of the grid's."""
    cell = pixels.shape[1] // THUMBNAIL
    return np.stack([
        picture.reshape(THUMBNAIL, cell, THUMBNAIL, cell, 3).mean(axis=(1, 3), dtype=np.float32) for picture in pixels
    ])


def standardized(thumbnails):
    rows = thumbnails.reshape(len(thumbnails), -1)
    rows = rows - rows.mean(axis=1, keepdims=True)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)


def colour_likeness(pixels):
    """The Bhattacharyya coefficient of the colour histograms of any two pictures."""
    step = 256 // COLOUR_STEPS
    cells = (pixels[:, ::3, ::3] // step).astype(np.int32) @ np.array([COLOUR_STEPS**2, COLOUR_STEPS, 1], np.int32)
    counts = np.stack([np.bincount(row.ravel(), minlength=COLOUR_STEPS**3) for row in cells])
    roots = np.sqrt(counts / counts.sum(axis=1, keepdims=True)).astype(np.float32)
    return roots @ roots.T
