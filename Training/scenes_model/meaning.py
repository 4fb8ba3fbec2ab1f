"""What a sentence says of a picture, as numbers, and whether it is true.

A phrase has a count (0: several, without a number), a kind (−1: any thing, −2: any shape), a colour, a size and a
texture (−1: not said). A count is exact: "a circle" is not true of two circles.
"""
import dataclasses

import numpy

from . import held_out
from .attributes import MEDIUM, SHAPES

ANY_THING, ANY_SHAPE, UNSAID = -1, -2, -1
SEVERAL = 0


@dataclasses.dataclass(frozen=True)
class Phrase:
    count: int
    kind: int = ANY_THING
    colour: int = UNSAID
    size: int = UNSAID
    texture: int = UNSAID


@dataclasses.dataclass(frozen=True)
class Meaning:
    """Up to two phrases; with two, perhaps where the first is from the second."""
    groups: tuple = ()
    background: int = UNSAID
    position: int = UNSAID
    relation: int = UNSAID

    def numbers(self):
        absent = (-1, UNSAID, UNSAID, UNSAID, UNSAID)
        rows = [dataclasses.astuple(group) for group in self.groups] + [absent] * (2 - len(self.groups))
        return [self.background, self.position, self.relation, *rows[0], *rows[1]]

    @property
    def is_held_out(self):
        return bool(held_out.combinations(self))


def truth(scenes, meanings):
    """Whether each meaning is true of each scene: +1 true, −1 false, 0 where a person might say either.

    - scenes: rows of `Scene.numbers`, [n, 13].
    - meanings: rows of `Meaning.numbers`, [m, 13].
    - returns: int8 [n, m].
    """
    scenes, meanings = numpy.asarray(scenes, numpy.int16), numpy.asarray(meanings, numpy.int16)
    bounds = [holds(scenes, meanings, lenient) for lenient in (False, True)]
    return numpy.where(bounds[0] & bounds[1], 1, numpy.where(bounds[0] | bounds[1], 0, -1)).astype(numpy.int8)


def holds(scenes, meanings, lenient):
    """One reading: is a medium size any size, is a corner also a side, has a thing among others a position?"""
    background, position, relation = (scenes[:, None, column] for column in range(3))
    groups = [scenes[:, 3:8], scenes[:, 8:13]]
    phrases = [meanings[:, 3:8], meanings[:, 8:13]]
    matches = [[matching(group, phrase, lenient) for group in groups] for phrase in phrases]
    result = (meanings[None, :, 0] == UNSAID) | (meanings[None, :, 0] == background)
    for phrase, (first, second) in zip(phrases, matches):
        number = first * groups[0][:, None, 0] + second * groups[1][:, None, 0]
        count = phrase[None, :, 0]
        result = result & numpy.where(count == SEVERAL, number >= 2, (count < 0) | (count == number))
    said, is_single = meanings[None, :, 1], position >= 0
    agrees = said == position
    if lenient:
        agrees = agrees | ~is_single | is_corner_at(position, said)
    result = result & ((said == UNSAID) | agrees)
    said = meanings[None, :, 2]
    forward = matches[0][0] & matches[1][1] & ((said == UNSAID) | (said == relation))
    backward = matches[0][1] & matches[1][0] & ((said == UNSAID) | (said == (relation ^ 1)))
    has_two = groups[1][:, None, 0] > 0
    return result & ((phrases[1][None, :, 0] < 0) | (has_two & (forward | backward)))


def matching(group, phrase, lenient):
    count, kind, colour, size, texture = (group[:, None, column] for column in range(5))
    said_kind, said_colour, said_size, said_texture = (phrase[None, :, column] for column in range(1, 5))
    result = (count > 0) & ((said_kind == ANY_THING) | (said_kind == kind)
                            | ((said_kind == ANY_SHAPE) & (kind < len(SHAPES))))
    result = result & ((said_colour == UNSAID) | (said_colour == colour))
    result = result & ((said_texture == UNSAID) | (said_texture == texture))
    return result & ((said_size == UNSAID) | (said_size == size) | (lenient & (size == MEDIUM)))


def is_corner_at(position, side):
    """Whether a thing in a corner might be said to be at that side."""
    row, column = position // 3, position % 3
    is_corner = (row != 1) & (column != 1)
    return is_corner & (((side == 1) & (row == 0)) | ((side == 7) & (row == 2))
                        | ((side == 3) & (column == 0)) | ((side == 5) & (column == 2)))
