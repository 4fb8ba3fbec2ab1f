"""Sentences nobody wrote, for the teacher to judge: pieces, splices and rewordings of the training sentences.

The student learns from the teacher's opinion of them, so they need not be good English; they must hold the words and
turns that opinions are made of, in many more combinations than ten thousand sentences have.
"""

import random
import re

import torch

NEIGHBOURS = 12
"""Words of the teacher's vocabulary that may stand for a word."""

LEAST_SIMILARITY = 0.35
"""Cosine of the input embeddings of a word and its stand-in."""

ENDINGS = ["", "", "", " .", " !", " ..."]
BREAK = re.compile(r"\s(?:[,;:.!?()]|--|-|but|and|though|although|while|because)(?=\s)")
FUNCTION_WORDS = frozenset(
    "a an the this that these those it its is are was were be been am i you he she they we and or but if of in on at "
    "to for with from by as s t n not no do does did has have had will would can could".split())


def stand_ins(embedding, tokenizer, words, barred=frozenset()):
    """For each word that is one token of the teacher's: its nearest words, nearest first, but for barred ones. Then
    all such tokens."""
    vocabulary = {
        token: index for token, index in tokenizer.get_vocab().items()
        if token.isascii() and token.isalpha() and len(token) > 2}
    names = sorted(vocabulary, key=vocabulary.get)
    vectors = embedding[[vocabulary[name] for name in names]]
    vectors = torch.nn.functional.normalize(vectors - vectors.mean(0), dim=1)
    place = {name: index for index, name in enumerate(names)}
    wanted = sorted(word for word in words if word in place and word not in FUNCTION_WORDS)
    result = {}
    for start in range(0, len(wanted), 1024):
        part = wanted[start : start + 1024]
        similarity = vectors[[place[word] for word in part]] @ vectors.T
        values, indices = similarity.topk(NEIGHBOURS + 1, dim=1)
        for word, row, near in zip(part, values.tolist(), indices.tolist()):
            others = [names[index] for value, index in zip(row, near) if value >= LEAST_SIMILARITY]
            others = [word, *(other for other in others if other != word and other not in barred)]
            if others[1:]:
                result[word] = others[1:]
    return result, names


class Augmenter:
    """Makes sentences from a list of them; the same seed gives the same ones."""

    def __init__(self, texts, neighbours, seed):
        self.texts = texts
        self.neighbours = neighbours
        self.random = random.Random(seed)
        self.makers = [
            (3, self.reworded), (4, self.span), (4, self.clause), (2, self.splice), (1, self.shortened),
            (1, self.masked)]

    def sentence(self):
        return self.random.choice(self.texts)

    def span(self):
        """A run of a few words, often with one of them changed."""
        words = self.sentence().split()
        length = min(len(words), 1 + int(self.random.expovariate(0.22)))
        start = self.random.randint(0, len(words) - length)
        text = " ".join(words[start : start + length])
        return self.changed(text, 0.2) if self.random.random() < 0.6 else text

    def clauses(self, text):
        """A sentence cut before its punctuation and conjunctions."""
        cuts = [match.start() for match in BREAK.finditer(text)]
        return [text[a:b].strip() for a, b in zip([0, *cuts], [*cuts, len(text)])]

    def clause(self):
        parts = self.clauses(self.sentence())
        start = self.random.randrange(len(parts))
        text = " ".join(parts[start : start + self.random.choice((1, 1, 2))])
        return self.changed(text, 0.15) if self.random.random() < 0.7 else text

    def shortened(self):
        """A sentence without one of its clauses."""
        parts = self.clauses(self.sentence())
        if len(parts) > 1:
            del parts[self.random.randrange(len(parts))]
        return self.changed(" ".join(parts), 0.1)

    def splice(self):
        """The beginning of one sentence and the end of another."""
        first, second = self.clauses(self.sentence()), self.clauses(self.sentence())
        head = first[: self.random.randint(1, max(1, len(first) - 1))]
        tail = second[self.random.randint(min(1, len(second) - 1), len(second) - 1) :]
        return self.changed(" ".join(head[-2:] + tail[:2]), 0.1)

    def reworded(self):
        return self.changed(self.sentence(), self.random.uniform(0.1, 0.35))

    def masked(self):
        words = self.sentence().split()
        part = self.random.uniform(0.1, 0.3)
        return " ".join("[MASK]" if self.random.random() < part else word for word in words)

    def changed(self, text, part):
        words = text.split()
        for index, word in enumerate(words):
            near = self.neighbours.get(word.lower())
            if near and self.random.random() < part:
                words[index] = self.random.choice(near)
        return " ".join(words)

    def texts_made(self, count):
        """`count` different sentences, none of them one of the originals."""
        weights, makers = zip(*self.makers)
        made = set(self.texts)
        result = []
        while len(result) < count:
            text = self.random.choices(makers, weights)[0]().lstrip(",;:.!?- ").rstrip()
            if not text or not any(map(str.isalpha, text)):
                continue
            if not text.endswith((".", "!", "?", "...")):
                text += self.random.choice(ENDINGS)
            if text not in made:
                made.add(text)
                result.append(text)
        return result
