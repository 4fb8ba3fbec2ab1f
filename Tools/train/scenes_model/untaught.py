"""What training must not deny: that a combination it never sees could exist.

No picture and no sentence has a held-out combination. To learn from a green square that it is no circle would teach, where
green circles are held out, that nothing green is round. Such pairs of a picture and a sentence count for nothing.
"""
import numpy

from . import held_out
from .attributes import COLOUR_NAMES, KINDS, MAXIMUM_COUNT, POSITIONS, SIZES, TEXTURES


def table(rows, columns, test):
    """Whether a combination is held out, with a last row and column of no for −1, what is not said."""
    result = numpy.zeros((rows + 1, columns + 2), bool)
    result[:rows, :columns] = [[bool(test(row, column)) for column in range(columns)] for row in range(rows)]
    return result


#: Rows of each attribute; columns of kinds, and of backgrounds for the last.
COLOUR_KIND = table(len(COLOUR_NAMES), len(KINDS), held_out.colour_and_kind)
COUNT_KIND = table(MAXIMUM_COUNT + 1, len(KINDS), held_out.count_and_kind)
SIZE_KIND = table(len(SIZES), len(KINDS), held_out.size_and_kind)
TEXTURE_KIND = table(len(TEXTURES), len(KINDS), held_out.texture_and_kind)
POSITION_KIND = table(len(POSITIONS), len(KINDS), held_out.position_and_kind)
KIND_KIND = table(len(KINDS), len(KINDS), held_out.kinds)
COLOUR_BACKGROUND = table(len(COLOUR_NAMES), len(COLOUR_NAMES), held_out.colour_and_background)


def left_open(scenes, meanings):
    """Whether a scene and a meaning have a held-out combination between them: bool [n, m]."""
    scenes, meanings = numpy.asarray(scenes, numpy.int64)[:, None], numpy.asarray(meanings, numpy.int64)[None]
    result = numpy.zeros((scenes.shape[0], meanings.shape[1]), bool)
    is_pair = scenes[..., 8] > 0
    for shown in (scenes[..., 3:8], scenes[..., 8:13]):
        for said in (meanings[..., 3:8], meanings[..., 8:13]):
            open_pair = KIND_KIND[shown[..., 1], said[..., 1]] & is_pair
            for one, other, a, b in ((shown, said, scenes, meanings), (said, shown, meanings, scenes)):
                count, colour, size, texture = (one[..., column] for column in (0, 2, 3, 4))
                kind = other[..., 1]
                open_pair = (open_pair | COUNT_KIND[count, kind] | COLOUR_KIND[colour, kind] | SIZE_KIND[size, kind]
                             | TEXTURE_KIND[texture, kind] | POSITION_KIND[a[..., 1], kind]
                             | COLOUR_BACKGROUND[colour, b[..., 0]])
            result |= open_pair & (shown[..., 0] > 0) & (said[..., 0] >= 0)
    return result
