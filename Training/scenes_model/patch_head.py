"""What each patch of a picture shows: learned beside the picture's vector, since it speeds learning up."""
import numpy
import torch

from .attributes import COLOUR_NAMES, KINDS, TEXTURES
from .code_blocks import WIDTH
from .untaught import COLOUR_KIND, TEXTURE_KIND

#: What a patch of the background counts.
BACKGROUND = 0.2
#: A logit that no class is chosen by.
NEVER = -1e4


def of_patches(table):
    """Whether a kind (row) and another attribute (column) are never trained together; 0 stands for the background."""
    return torch.nn.functional.pad(torch.from_numpy(table.T.copy()), (1, 0, 1, 0))


WITH_COLOUR, WITH_TEXTURE = of_patches(COLOUR_KIND), of_patches(TEXTURE_KIND)


class PatchHead(torch.nn.Module):
    """Kind, colour and texture of what covers a patch, and whether its centre is there. Not part of the model."""
    SIZES = (len(KINDS) + 1, len(COLOUR_NAMES) + 1, len(TEXTURES) + 1, 2)

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(WIDTH, sum(self.SIZES))

    def loss(self, tokens, targets):
        """- tokens: [n, patches, WIDTH]; targets: [4, n · patches], class 0 for the background, which counts less."""
        parts = self.linear(tokens).flatten(0, 1).split(self.SIZES, 1)
        kinds, colours, textures = targets[:3]
        parts = [parts[0].masked_fill(WITH_COLOUR.T[colours] | WITH_TEXTURE.T[textures], NEVER),
                 parts[1].masked_fill(WITH_COLOUR[kinds], NEVER), parts[2].masked_fill(WITH_TEXTURE[kinds], NEVER),
                 parts[3]]
        weights = [torch.ones(size) for size in self.SIZES]
        for weight in weights:
            weight[0] = BACKGROUND
        losses = [torch.nn.functional.cross_entropy(*both, weight) for *both, weight in zip(parts, targets, weights)]
        return sum(losses) / len(losses)


def patch_targets(scenes, patches):
    """Kind, colour, texture and centre of each patch, 0 for the background: int64 [4, n · patches].

    - scenes: rows of `Scene.numbers`, [n, 13]; patches: as `pictures.owners` gives them, [n, GRID, GRID].
    """
    group = patches % 4
    groups = scenes[:, 3:].reshape(-1, 2, 5).astype(numpy.int64)
    rows = numpy.arange(len(scenes))[:, None, None]
    owner = numpy.maximum(group.astype(numpy.int64) - 1, 0)
    is_thing = group > 0
    columns = [numpy.where(is_thing, groups[rows, owner, column] + 1, 0) for column in (1, 2, 4)]
    return numpy.stack([*columns, (patches >= 4).astype(numpy.int64)]).reshape(4, -1)
