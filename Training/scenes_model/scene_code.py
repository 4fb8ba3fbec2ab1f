"""The vector of a scene."""
import torch

from .attributes import COLOUR_NAMES, KINDS, POSITIONS, SIZES, TEXTURES
from .code_blocks import BLOCKS, TWO_GROUPS, bound_attributes, on_axes, one_hot, unit


def scene_codes(scenes):
    """- scenes: rows of `Scene.numbers`, int64 [n, 13]; returns unit vectors [n, WIDTH]."""
    background, position, relation = scenes[:, 0], scenes[:, 1], scenes[:, 2]
    first, second = scenes[:, 3:8], scenes[:, 8:13]
    is_pair = second[:, 0] > 0

    def seen(column, size):
        return one_hot(first[:, column], size) + one_hot(second[:, column], size) * is_pair[:, None]

    across, down = on_axes(first[:, 1], second[:, 1], relation)
    groups = 1 + is_pair.float()[:, None]
    parts = (
        unit(seen(1, len(KINDS))), unit(seen(2, len(COLOUR_NAMES))), one_hot(background, len(COLOUR_NAMES)),
        one_hot(torch.where(is_pair, TWO_GROUPS, first[:, 0]), TWO_GROUPS + 1),
        seen(3, len(SIZES)) / groups, seen(4, len(TEXTURES)) / groups, one_hot(position, len(POSITIONS)),
        (bound_attributes(first) + bound_attributes(second)) * is_pair[:, None] / 2 ** 0.5, across / 2 ** 0.5,
        down / 2 ** 0.5)
    return unit(torch.cat([block.weight * part for block, part in zip(BLOCKS, parts)], 1))
