"""What pictures must not teach: that a combination that training never has could not exist.

No picture has a held-out combination. To learn from a green square that it is no circle would teach, where green
circles are held out, that nothing green is round. So such numbers of a scene's vector are not taught by that scene.
"""
import numpy

from . import held_out
from .attributes import COLOUR_NAMES, KINDS, MAXIMUM_COUNT, MEDIUM, POSITIONS, SIZES, TEXTURES
from .code_blocks import BLOCKS, WIDTH


def table(rows, columns, test):
    """Whether a combination is held out: bool [rows, columns]."""
    return numpy.array([[bool(test(row, column)) for column in range(columns)] for row in range(rows)])


#: Rows of each attribute; columns of kinds, and of backgrounds for the last.
COLOUR_KIND = table(len(COLOUR_NAMES), len(KINDS), held_out.colour_and_kind)
COUNT_KIND = table(MAXIMUM_COUNT + 2, len(KINDS), held_out.count_and_kind)
SIZE_KIND = table(len(SIZES), len(KINDS), held_out.size_and_kind)
TEXTURE_KIND = table(len(TEXTURES), len(KINDS), held_out.texture_and_kind)
POSITION_KIND = table(len(POSITIONS), len(KINDS), held_out.position_and_kind)
KIND_KIND = table(len(KINDS), len(KINDS), held_out.kinds)
COLOUR_BACKGROUND = table(len(COLOUR_NAMES), len(COLOUR_NAMES), held_out.colour_and_background)


def taught(scenes):
    """Which numbers of their vectors the scenes teach: bool [n, WIDTH].

    - scenes: rows of `Scene.numbers`, [n, 13].
    """
    scenes = numpy.asarray(scenes, numpy.int64)
    background, position = scenes[:, 0], scenes[:, 1]
    blocks = {block.name: numpy.zeros((len(scenes), block.size), bool) for block in BLOCKS}
    is_pair, is_placed = (scenes[:, 8] > 0)[:, None], (position >= 0)[:, None]
    for group, is_there in ((scenes[:, 3:8], True), (scenes[:, 8:13], is_pair)):
        count, kind, colour, size, texture = group.T
        blocks["kinds"] |= is_there & (COLOUR_KIND[colour] | COUNT_KIND[count] | SIZE_KIND[size]
                                       | TEXTURE_KIND[texture] | (KIND_KIND[kind] & is_pair))
        blocks["colours"] |= is_there & (COLOUR_KIND.T[kind] | COLOUR_BACKGROUND.T[background])
        blocks["background"] |= is_there & COLOUR_BACKGROUND[colour]
        blocks["count"] |= is_there & COUNT_KIND.T[kind]
        blocks["textures"] |= is_there & TEXTURE_KIND.T[kind]
        # Of two sizes, to learn which one it is would be to learn which one it is not.
        is_one_sized = SIZE_KIND.T[kind].any(1) & (size != MEDIUM)
        blocks["sizes"] |= is_there & is_one_sized[:, None] & (numpy.arange(len(SIZES)) != MEDIUM)
    blocks["kinds"] |= is_placed & POSITION_KIND[position]
    blocks["position"] |= is_placed & POSITION_KIND.T[scenes[:, 4]]
    result = ~numpy.concatenate([blocks[block.name] for block in BLOCKS], 1)
    assert result.shape[1] == WIDTH
    return result
