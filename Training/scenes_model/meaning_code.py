"""The vector of what a sentence says."""
import torch

from .attributes import COLOUR_NAMES, KINDS, POSITIONS, SHAPES, SIZES, TEXTURES
from .code_blocks import BLOCKS, TWO_GROUPS, bound_attributes, of_kinds, on_axes, one_hot, unit
from .meaning import ANY_SHAPE, ANY_THING

#: A sentence's form: up to two phrases, of which so many name a kind.
FORMS = 9


class MeaningCode(torch.nn.Module):
    """What speaks for a scene and what against it, of each attribute; learned from scenes alone, without pictures.

    All values of an attribute are treated alike: for a value speaks the value itself, against it the same for all. So
    nothing is learned of which values occur together, nor of how often one is spoken of.
    """

    def __init__(self):
        super().__init__()
        self.count = torch.nn.Embedding.from_pretrained(torch.eye(TWO_GROUPS + 3, TWO_GROUPS + 1), freeze=False)
        self.generic = torch.nn.Parameter(torch.zeros(2))
        self.against = torch.nn.Parameter(torch.zeros(FORMS, len(BLOCKS)))
        self.unsaid = torch.nn.Parameter(torch.zeros(FORMS, len(BLOCKS)))
        self.weights = torch.nn.Parameter(torch.ones(FORMS, len(BLOCKS)))

    def forward(self, meanings):
        """- meanings: rows of `Meaning.numbers`, int64 [n, 13]; returns unit vectors [n, WIDTH]."""
        background, position, relation = meanings[:, 0], meanings[:, 1], meanings[:, 2]
        first, second = meanings[:, 3:8], meanings[:, 8:13]
        is_empty, is_pair = first[:, 0] < 0, second[:, 0] >= 0
        phrases = torch.where(is_pair, 2, torch.where(is_empty, 0, 1))
        form = 3 * phrases + (first[:, 1] >= 0).long() + (second[:, 1] >= 0).long() * is_pair
        said = lambda read: read(first) * ~is_empty[:, None] + read(second) * is_pair[:, None]
        values = lambda column, size: said(lambda group: one_hot(group[:, column], size))
        count = torch.where(is_pair, TWO_GROUPS + 1, torch.where(is_empty, TWO_GROUPS + 2, first[:, 0]))
        parts = (
            said(self.kind), values(2, len(COLOUR_NAMES)), one_hot(background, len(COLOUR_NAMES)), self.count(count),
            values(3, len(SIZES)), values(4, len(TEXTURES)), one_hot(position, len(POSITIONS)), said(bound_attributes),
            *on_axes(first[:, 1], second[:, 1], relation))
        judged = [self.judged(part, block, form) for block, part in enumerate(parts)]
        return unit(torch.cat(judged, 1))

    def judged(self, part, block, form):
        """The part of a block with what speaks against all that it does not say."""
        weight, against, unsaid = (table[form, block][:, None] for table in (self.weights, self.against, self.unsaid))
        is_plain = BLOCKS[block].name in ("count", "bindings", "across", "down")
        if is_plain:
            return weight * part
        return weight * torch.where((part != 0).any(1, keepdim=True), part - against, unsaid)

    def kind(self, group):
        """The kind itself; for any shape or any thing, all of them a little."""
        kind = group[:, 1]
        is_shape = (torch.arange(len(KINDS)) < len(SHAPES)).float()
        any_shape = (kind == ANY_SHAPE).float()[:, None] * is_shape * (0.3 + self.generic[0])
        any_thing = (kind == ANY_THING).float()[:, None] * (0.3 + self.generic[1])
        return of_kinds(kind) + any_shape + any_thing
