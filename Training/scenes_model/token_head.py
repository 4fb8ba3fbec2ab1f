"""What the words of a phrase are part of: learned beside the sentence's vector, since it speeds learning up."""
import numpy
import torch

from .attributes import RELATIONS
from .code_blocks import BLOCK_SIZES, WIDTH, bound_attributes, on_axes

#: Widths of the blocks that need to know what belongs to which thing: bindings, across and down.
OF_PHRASES = BLOCK_SIZES[-3:]
#: Where a phrase's thing is from the other: one of the relations, or not said.
PLACES = len(RELATIONS) + 1


class TokenHead(torch.nn.Module):
    """Says of a word what its phrase adds to the sentence's vector, and where its thing is. Not part of the model."""

    def __init__(self):
        super().__init__()
        self.added = torch.nn.Linear(WIDTH, sum(OF_PHRASES))
        self.place = torch.nn.Linear(WIDTH, PLACES)

    def loss(self, tokens, meanings, phrases):
        """- tokens: [n, length, WIDTH]; meanings: int64 [n, 13]; phrases: of each token, 0 for none, [n, length]."""
        result = 0
        for number, (added, place) in enumerate(of_each_phrase(meanings), 1):
            rows, columns = (phrases == number).nonzero(as_tuple=True)
            words = tokens[rows, columns]
            result = result + ((self.added(words) - added[rows]) ** 2).mean()
            result = result + torch.nn.functional.cross_entropy(self.place(words), place[rows])
        return result


def of_each_phrase(meanings):
    """What each of two phrases adds to the blocks of phrases, [n, …], and its place, [n]."""
    relation, first, second = meanings[:, 2], meanings[:, 3:8], meanings[:, 8:13]
    nothing = torch.full_like(first[:, 1], -1)
    both = ((first, (first[:, 1], nothing), relation), (second, (nothing, second[:, 1]), relation ^ 1))
    for group, kinds, place in both:
        added = torch.cat([bound_attributes(group), *on_axes(*kinds, relation)], 1)
        yield added, torch.where(relation >= 0, place, PLACES - 1)


def phrases_of(spoken, vocabulary, length):
    """For each token of a sentence the number of its phrase, from 1, or 0."""
    result = numpy.zeros(length, numpy.int64)
    for number, (first, last) in enumerate(spoken.spans, 1):
        start = len(vocabulary.pieces_of(spoken.text[:first]))
        result[start:start + len(vocabulary.pieces_of(spoken.text[first:last]))] = number
    result[length - 1] = 0
    return result
