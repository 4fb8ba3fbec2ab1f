"""How a vector is divided: both towers aim at vectors in which each attribute has numbers of its own.

Nothing in such a vector depends on which attributes were seen together, so a combination that training never had is as
well described as any other.
"""
import collections

import torch

from .attributes import COLOUR_NAMES, KINDS, MAXIMUM_COUNT, POSITIONS, SIZES, TEXTURES

#: weight: the length of a scene's part; care: its share of a picture's loss, more for parts that few scenes have.
Block = collections.namedtuple("Block", "name size weight care")
BLOCKS = (
    Block("kinds", len(KINDS), 1.3, 1), Block("colours", len(COLOUR_NAMES), 1.0, 1),
    Block("background", len(COLOUR_NAMES), 0.9, 1), Block("count", MAXIMUM_COUNT + 2, 1.2, 1),
    Block("sizes", len(SIZES), 0.7, 2), Block("textures", len(TEXTURES), 0.8, 2),
    Block("position", len(POSITIONS), 0.9, 1), Block("bindings", 33, 0.8, 4), Block("across", 16, 0.7, 6),
    Block("down", 16, 0.7, 6))
BLOCK_SIZES = tuple(block.size for block in BLOCKS)
WIDTH = sum(BLOCK_SIZES)
#: The count of a scene of two groups.
TWO_GROUPS = MAXIMUM_COUNT + 1
#: A size or texture counts so much of what a colour does where it is bound to a kind.
FINE = 0.7


def spread(count, width, random):
    """So many unit vectors, nearly at right angles to each other: the fourth powers of their cosines are minimal."""
    vectors = unit(torch.randn(count, width, generator=random)).requires_grad_()
    optimizer = torch.optim.Adam([vectors], lr=0.01)
    for _ in range(2000):
        cosines = unit(vectors) @ unit(vectors).T - torch.eye(count)
        optimizer.zero_grad()
        (cosines ** 4).sum().backward()
        optimizer.step()
    return unit(vectors).detach()


def unit(vectors):
    return vectors / vectors.norm(dim=1, keepdim=True).clamp_min(1e-6)


def role_vectors():
    """Constants, the same in every run: a kind's signs, what is bound to them, and a kind's place on an axis."""
    random = torch.Generator().manual_seed(5)
    bound, axis = BLOCK_SIZES[7], BLOCK_SIZES[8]
    signs = torch.sign(torch.randn(len(KINDS), bound, generator=random))
    return signs, spread(len(COLOUR_NAMES) + 5, bound, random), spread(len(KINDS), axis, random)


SIGNS, BOUND, ON_AXIS = role_vectors()
#: Kinds that do not exist, for sentences: with so many nouns none can be learned by heart with its neighbours.
MADE_UP = 96
#: A row for each kind: itself; of each that is made up, a mixture.
KIND_VECTORS = torch.cat([torch.eye(len(KINDS)), unit(
    torch.randn(MADE_UP, len(KINDS), generator=torch.Generator().manual_seed(6)))])


def of_kinds(kinds):
    """What stands for a kind, [n, kinds]; zeros for −1 and −2."""
    return KIND_VECTORS[kinds.clamp(0)] * (kinds >= 0)[:, None]


def one_hot(values, size):
    """Rows of zeros where a value is outside of 0 ..< size."""
    known = (values >= 0) & (values < size)
    return torch.nn.functional.one_hot(values.clamp(0, size - 1), size).float() * known[:, None]


def bound_attributes(group):
    """What is bound to a group's kind: its attributes, each number with the kind's sign."""
    _, kind, colour, size, texture = group.unbind(1)
    small_or_large = one_hot(size, len(SIZES))[:, [0, 2]]
    colours, sizes, patterns = BOUND.split((len(COLOUR_NAMES), 2, len(TEXTURES) - 1))
    # What is plain is the opposite of every pattern.
    textures = torch.cat([-unit(patterns.sum(0, keepdim=True)), patterns])
    attributes = one_hot(colour, len(COLOUR_NAMES)) @ colours + FINE * (
        small_or_large @ sizes + one_hot(texture, len(TEXTURES)) @ textures)
    return (of_kinds(kind) @ SIGNS) * attributes


def on_axes(first, second, relation):
    """Where two kinds are on the axes across and down, −1 and 1: a pair of rows of `ON_AXIS`' width."""
    vectors = (of_kinds(first) - of_kinds(second)) @ ON_AXIS
    sign = lambda before, after: (relation == after).float()[:, None] - (relation == before).float()[:, None]
    return sign(0, 1) * vectors, sign(2, 3) * vectors
