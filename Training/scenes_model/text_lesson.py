"""What the text's tower learns: the vector of what a sentence means."""
import dataclasses

import numpy
import torch

from . import sampling
from .attributes import KINDS
from .code_blocks import BLOCK_SIZES, MADE_UP
from .grammar import Grammar, made_up, plural
from .meaning_code import MeaningCode
from .model import VECTOR_LENGTH, new_model
from .scene import training_scene
from .token_head import TokenHead, phrases_of
from .vocabulary import LENGTH, Vocabulary

#: How often a kind is exchanged for one that is made up.
RETOLD = 0.5


def retold(meaning, random):
    """The same, perhaps of kinds that do not exist."""
    groups = tuple(
        dataclasses.replace(group, kind=int(len(KINDS) + random.integers(MADE_UP)))
        if group.kind >= 0 and random.random() < RETOLD else group for group in meaning.groups)
    return dataclasses.replace(meaning, groups=groups)


class TextLesson(torch.nn.Module):
    """- code: the learned values of a `MeaningCode`; vocabulary: its folder; part, parts: this process among all."""

    def __init__(self, code, vocabulary, batch, seed, part, parts):
        super().__init__()
        self.vocabulary, self.size, self.seed, self.part = Vocabulary(vocabulary), batch, seed, part
        self.code = MeaningCode()
        self.code.load_state_dict(code)
        self.code.requires_grad_(False)
        self.vocabulary.add([(made_up(index), plural(made_up(index))) for index in range(MADE_UP)])
        self.tower = new_model(len(self.vocabulary) + MADE_UP, seed).text_model
        self.tokens = TokenHead()
        # Every block counts the same, however few sentences speak of it.
        self.care = self.shares(numpy.random.default_rng((seed, 11)))

    def losses(self, step):
        """The loss of the batch of a step, the same wherever a run began, and figures to report."""
        ids, meanings, phrases = self.batch(numpy.random.default_rng((self.seed, 9, step, self.part)))
        with torch.autocast("cpu", torch.bfloat16):
            read = self.tower(ids, output_hidden_states=True)
        errors = (read.pooler_output.float() / VECTOR_LENGTH - self.code(meanings)) ** 2
        # The sentence's vector is what the last layer reads from the layer before.
        tokens = self.tokens.loss(read.hidden_states[-2].float(), meanings, phrases)
        return (errors * self.care).sum(1).mean() + tokens, {"vector": errors.sum(1).mean(), "tokens": tokens}

    def batch(self, random):
        """Ids of new sentences, true ones of some scene and the same with one thing wrong; what they mean; and to which
        phrase each token belongs."""
        grammar, meanings = Grammar(random), []
        while len(meanings) < self.size:
            said = sampling.said_of(training_scene(random), random)
            meanings += [retold(said, random), retold(sampling.something_wrong(said, random), random)]
        spoken = [grammar.spoken(meaning) for meaning in meanings]
        ids = self.vocabulary.batch([sentence.text for sentence in spoken])
        phrases = numpy.stack([phrases_of(sentence, self.vocabulary, LENGTH) for sentence in spoken])
        numbers = numpy.array([meaning.numbers() for meaning in meanings], numpy.int64)
        return tuple(torch.from_numpy(array) for array in (ids, numbers, phrases))

    def shares(self, random):
        """For each number what one is of its block's mean squared length, as a part of all blocks: [WIDTH]."""
        meanings = torch.cat([self.batch(random)[1] for _ in range(20)])
        lengths = [(part ** 2).sum(1).mean() for part in self.code(meanings).split(BLOCK_SIZES, 1)]
        return torch.cat([torch.full((size,), 1 / (len(lengths) * length.item()))
                          for size, length in zip(BLOCK_SIZES, lengths)])


def without_made_up(values, vocabulary):
    """The tower's values for the words that exist."""
    name = "embeddings.token_embedding.weight"
    return {**values, name: values[name][:vocabulary]}
