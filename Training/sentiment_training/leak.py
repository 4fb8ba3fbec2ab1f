"""What is left of the held-out sentences in the text to train on, counted in three ways."""

from . import data

LETTERS = 40
"""Letters and digits in a row, whatever stands between them."""


def stretches(text):
    own = data.key(text)
    return {own[start : start + LETTERS] for start in range(len(own) - LETTERS + 1)}


def shared(sentences, texts, parts):
    """How many sentences have a part that any of the texts has."""
    wanted = [parts(sentence) for sentence in sentences]
    known = set().union(*wanted)
    found = set().union(*(parts(text) & known for text in texts))
    return sum(not found.isdisjoint(own) for own in wanted)


def counts(corpus, texts):
    """For each held-out set: matches with the labelled sentences, and parts shared with all texts that are read."""
    lines = [text for example in corpus.training for text in example.texts]
    result = {}
    for name, examples in (("dev", corpus.development), ("test", corpus.test)):
        sentences = [example.texts[0] for example in examples]
        guard = data.Matcher(sentences)
        result[name] = {
            "matches": len({match[0] for text in lines if (match := guard.match(text))}),
            "runs": shared(sentences, texts, data.runs), "stretches": shared(sentences, texts, stretches)}
    return result
