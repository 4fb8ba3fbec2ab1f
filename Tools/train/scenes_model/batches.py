"""Batches: pictures, sentences about them, and the truth of every pair."""
import collections

import numpy
import torch

from . import sampling
from .grammar import Grammar
from .meaning import truth
from .open_questions import left_open
from .scene import Scene

#: Columns of `Scene.numbers` that a mirrored picture changes: left and right.
MIRRORED_POSITION = numpy.array([2, 1, 0, 5, 4, 3, 8, 7, 6, -1], numpy.int8)
MIRRORED_RELATION = numpy.array([1, 0, 2, 3, -1], numpy.int8)


#: pixels: [n, 3, side, side] in −1…1; ids: [m, length]; truth: [n, m]; scenes: [n, 13]; targets: [4, n · patches].
Batch = collections.namedtuple("Batch", "pixels ids truth scenes targets")


class Batches:
    """Takes neighbours together, which differ in one attribute, and says of each something true and the same with one
    thing wrong."""

    def __init__(self, pictures, vocabulary, size, seed, part=0, parts=1):
        """- size: pictures of a batch of this part; all parts together take each picture once an epoch."""
        self.pictures, self.vocabulary, self.size, self.seed = pictures, vocabulary, size, seed
        self.part, self.parts = part, parts
        self.noise = numpy.random.default_rng((seed, 3)).standard_normal(1 << 22, numpy.float32)
        self.epoch, self.order = -1, None

    def indices(self, step):
        pairs, count = self.size // 2, len(self.pictures) // 2
        epoch, turn = divmod(step, count // (pairs * self.parts))
        if epoch != self.epoch:
            self.epoch, self.order = epoch, numpy.random.default_rng((self.seed, 4, epoch)).permutation(count)
        start = (turn * self.parts + self.part) * pairs
        chosen = self.order[start:start + pairs]
        return numpy.stack([2 * chosen, 2 * chosen + 1], 1).reshape(-1)

    def batch(self, step):
        """The same for the same step, wherever the run began."""
        self.random = numpy.random.default_rng((self.seed, 2, step, self.part))
        grammar, indices = Grammar(self.random), self.indices(step)
        pixels, patches = self.pictures.pictures(indices), self.pictures.patches[indices]
        scenes = self.pictures.scenes[indices].copy()
        for block in range(0, len(indices), 2):
            pair = slice(block, block + 2)
            mirrored = mirror(scenes[pair])
            if self.random.random() < 0.5 and not any(Scene.of(row).is_held_out for row in mirrored):
                pixels[pair], patches[pair] = pixels[pair, :, ::-1].copy(), patches[pair, :, ::-1].copy()
                scenes[pair] = mirrored
        meanings = []
        for row in scenes:
            said = sampling.said_of(Scene.of(row), self.random)
            meanings += [said, sampling.something_wrong(said, self.random)]
        ids = self.vocabulary.batch([grammar.sentence(meaning) for meaning in meanings])
        numbers = [meaning.numbers() for meaning in meanings]
        known = truth(scenes, numbers)
        known[(known < 0) & left_open(scenes, numbers)] = 0
        arrays = (self.augmented(pixels), ids, known.astype(numpy.float32), scenes.astype(numpy.int64),
                  patch_targets(scenes, patches))
        return Batch(*(torch.from_numpy(array) for array in arrays))

    def augmented(self, pixels):
        """In −1…1, [n, 3, side, side]: brightness, contrast, tint and noise vary a little."""
        count = len(pixels)
        normal = lambda *shape: self.random.standard_normal(shape, numpy.float32)
        values = pixels.transpose(0, 3, 1, 2).astype(numpy.float32) * (2 / 255) - 1
        gain = 1 + 0.04 * normal(count, 1, 1, 1)
        offset = 0.03 * normal(count, 1, 1, 1) + 0.015 * normal(count, 3, 1, 1)
        strength = 0.05 * self.random.random((count, 1, 1, 1), numpy.float32)
        extent = values[0].size
        starts = self.random.integers(0, len(self.noise) - extent, count)
        noise = numpy.stack([self.noise[start:start + extent] for start in starts]).reshape(values.shape)
        return numpy.clip(values * gain + offset + strength * noise, -1, 1)


def mirror(scenes):
    """The scenes with left and right exchanged."""
    scenes = scenes.copy()
    scenes[:, 1], scenes[:, 2] = MIRRORED_POSITION[scenes[:, 1]], MIRRORED_RELATION[scenes[:, 2]]
    return scenes


def patch_targets(scenes, patches):
    """Kind, colour, texture and centre of each patch, 0 for the background: int64 [4, n · patches]."""
    group = patches % 4
    groups = scenes[:, 3:].reshape(-1, 2, 5).astype(numpy.int64)
    rows = numpy.arange(len(scenes))[:, None, None]
    owner = numpy.maximum(group.astype(numpy.int64) - 1, 0)
    is_thing = group > 0
    columns = [numpy.where(is_thing, groups[rows, owner, column] + 1, 0) for column in (1, 2, 4)]
    return numpy.stack([*columns, (patches >= 4).astype(numpy.int64)]).reshape(4, -1)
