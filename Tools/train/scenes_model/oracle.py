"""An encoder that is told the scene in place of its picture.

It and the text's tower learn from each other at once what pictures will mean, and the picture's tower then has a whole
vector to aim at, not only answers to questions. It is not part of the shipped model.
"""
import torch

from .attributes import COLOUR_NAMES, KINDS, MAXIMUM_COUNT, POSITIONS, RELATIONS, SIZES, TEXTURES

#: Where a thing is: one of the positions, one of the relations to the other thing, or not said.
NOWHERE = len(POSITIONS) + len(RELATIONS)


class Oracle(torch.nn.Module):
    """The sum of what is seen of each group and of the background, and a perceptron of it."""

    def __init__(self, width):
        super().__init__()
        sizes = (MAXIMUM_COUNT + 1, len(KINDS), len(COLOUR_NAMES), len(SIZES), len(TEXTURES), NOWHERE + 1)
        self.tables = torch.nn.ModuleList(torch.nn.Embedding(size, width) for size in sizes)
        self.group = self.perceptron(len(sizes) * width, width)
        self.background = torch.nn.Embedding(len(COLOUR_NAMES), width)
        self.whole = self.perceptron(width, width)

    @staticmethod
    def perceptron(inputs, outputs):
        return torch.nn.Sequential(
            torch.nn.Linear(inputs, 4 * outputs), torch.nn.GELU(), torch.nn.Linear(4 * outputs, outputs))

    def forward(self, scenes):
        """- scenes: rows of `Scene.numbers`, int64 [n, 13]; returns [n, width]."""
        background, position, relation = scenes[:, 0], scenes[:, 1], scenes[:, 2]
        both = relation >= 0
        first = torch.where(both, len(POSITIONS) + relation, torch.where(position >= 0, position, NOWHERE))
        second = torch.where(both, len(POSITIONS) + (relation ^ 1), NOWHERE)
        seen = self.seen(scenes[:, 3:8], first) + self.seen(scenes[:, 8:13], second) * both[:, None]
        seen = seen + self.background(background)
        return seen + self.whole(seen)

    def seen(self, group, place):
        columns = [*group.unbind(1), place]
        return self.group(torch.cat([table(column) for table, column in zip(self.tables, columns)], 1))
