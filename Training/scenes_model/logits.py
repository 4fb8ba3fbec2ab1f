"""Fits scale and bias of the logits, so that the sigmoid of a logit is how likely a sentence is true of a picture."""
import math

import numpy
import torch

from . import sampling
from .code_training import pairwise
from .grammar import Grammar
from .meaning import truth
from .scene import Scene

PICTURES = 2048


@torch.no_grad()
def embeddings(tower, inputs):
    parts = [tower(part).pooler_output for part in inputs.split(128)]
    vectors = torch.cat(parts)
    return vectors / vectors.norm(dim=1, keepdim=True)


def fit_logits(model, pictures, vocabulary, seed):
    """The pairwise sigmoid loss of SigLIP over training pictures and a true and a wrong sentence of each.

    - model: a trained `SiglipModel`, which is changed; pictures: the `TrainingSet`.
    """
    random = numpy.random.default_rng((seed, 10))
    grammar, meanings = Grammar(random), []
    scenes = pictures.scenes[:PICTURES]
    for row in scenes:
        said = sampling.said_of(Scene.of(row), random)
        meanings += [said, sampling.something_wrong(said, random)]
    ids = torch.from_numpy(vocabulary.batch([grammar.sentence(meaning) for meaning in meanings]))
    pixels = torch.from_numpy(pictures.pictures(numpy.arange(PICTURES))).permute(0, 3, 1, 2) * (2 / 255) - 1
    similarity = embeddings(model.vision_model, pixels) @ embeddings(model.text_model, ids).T
    known = torch.from_numpy(truth(scenes, [meaning.numbers() for meaning in meanings]))
    scale, bias = torch.tensor(math.log(50), requires_grad=True), torch.tensor(-10.0, requires_grad=True)
    optimizer = torch.optim.LBFGS([scale, bias], max_iter=100, line_search_fn="strong_wolfe")

    def loss():
        optimizer.zero_grad()
        result = pairwise(similarity * scale.exp() + bias, known.float())
        result.backward()
        return result

    optimizer.step(loss)
    with torch.no_grad():
        model.logit_scale.fill_(scale.item())
        model.logit_bias.fill_(bias.item())
