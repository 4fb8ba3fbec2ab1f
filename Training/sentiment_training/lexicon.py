"""Trains the list of words with which SentimentClassifierKit judges texts where it has no model.

A logistic regression with an absolute penalty, which leaves most words at zero, over the words of a text: how much
each speaks for a positive text. A word behind a negation is another word. There is no constant part, so a text of
unknown words is as much the one as the other. `Sources/SentimentClassifierKit/Lexicon` reads texts in the same way;
what this program makes of some is written down for its tests.
"""

import argparse
import json
import math
import re
import textwrap
from pathlib import Path

import numpy
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from . import data
from .measures import wilson

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|'[^\W\d_]+|[.,;:!?]")
NEGATIONS = {"not", "no", "never", "nothing", "nobody", "neither", "nor", "hardly", "without", "cannot"}
# Words behind a negation that it is taken to turn, up to the next mark of punctuation.
REACH = 3
LEAST_TEXTS = 8
STRENGTHS = (0.2, 0.3, 0.5, 0.8, 1.2)
CHECKED = (
    "I love this app!", "It is a table.", "A joy from start to finish.", "It never finds its feet.",
    "This film is not bad at all.", "not a dull moment, and a lovely ending", "don\u2019t bother", "", "42 !!!",
    "Wonderful; wonderful? Wonderful!", "STUPID", "nothing here works. The support is great", "caf\u00e9 na\u00efve",
)
ROOT = Path(__file__).parents[2]
WORDS = ROOT / "Sources/SentimentClassifierKit/Lexicon/LexiconWords.swift"
EXPECTED = ROOT / "Tests/Fixtures/sentiment-lexicon.json"


def features(text):
    """The words of a text, each once; one behind a negation begins with `not `."""
    found = []
    left = 0
    for word in WORD.findall(text.lower().replace("\u2019", "'")):
        if word in ".,;:!?":
            left = 0
        elif word in NEGATIONS or word.endswith("n't") or word == "n't":
            found.append(word)
            left = REACH
        else:
            found.append(f"not {word}" if left else word)
            left = max(left - 1, 0)
    return set(found)


def matrix(texts, places):
    rows, columns = [], []
    for row, text in enumerate(texts):
        for word in features(text):
            if word in places:
                rows.append(row)
                columns.append(places[word])
    return csr_matrix((numpy.ones(len(rows)), (rows, columns)), shape=(len(texts), len(places)))


def arrays(examples):
    pairs = [(example.texts[0], example.label) for example in examples]
    return [text for text, _ in pairs], numpy.array([label for _, label in pairs])


def vocabulary(texts):
    counts = {}
    for text in texts:
        for word in features(text):
            counts[word] = counts.get(word, 0) + 1
    return sorted(word for word, count in counts.items() if count >= LEAST_TEXTS)


def trained(corpus, seed):
    texts, labels = arrays(corpus.training)
    held, held_labels = arrays(corpus.validation)
    words = vocabulary(texts)
    places = {word: place for place, word in enumerate(words)}
    best = None
    for strength in STRENGTHS:
        model = LogisticRegression(solver="liblinear", l1_ratio=1, C=strength, random_state=seed, max_iter=1000, fit_intercept=False)
        model.fit(matrix(texts, places), labels)
        logits = model.decision_function(matrix(held, places))
        loss = numpy.log1p(numpy.exp(numpy.where(held_labels == 1, -logits, logits))).mean()
        right = ((logits > 0) == held_labels).mean()
        print(f"C {strength}: {numpy.count_nonzero(model.coef_)} words, right {right:.4f}, loss {loss:.4f}")
        if best is None or loss < best[0]:
            best = (loss, model)
    weights = {word: round(float(weight), 3) for word, weight in zip(words, best[1].coef_[0])}
    return {word: weight for word, weight in weights.items() if weight}


def score(text, weights):
    """The probability of positive, and the number of words that say anything."""
    known = [weights[word] for word in features(text) if word in weights]
    return 1 / (1 + math.exp(-math.fsum(known))), len(known)


def swift(weights):
    # Lines break between entries, and not behind `not`.
    entries = ", ".join(f"{word} {weight}".replace(" ", "\0") for word, weight in sorted(weights.items()))
    wrapped = textwrap.wrap(entries, 106, break_long_words=False, break_on_hyphens=False)
    lines = "\n".join(f"    {line}" for line in wrapped).replace("\0", " ")
    return f'''// Written by Training/sentiment-lexicon.

extension Lexicon {{
  /// Each word, or `not` and the word behind it, with the logarithm of the odds that it adds.
  static let words = """
{lines}
    """
}}
'''


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--seed", type=int, default=20261122)
    given = parser.parse_args()
    corpus = data.load(given.data, 800, given.seed)
    weights = trained(corpus, given.seed)
    WORDS.write_text(swift(weights), encoding="utf-8")
    expected = [dict(zip(("text", "positive", "known"), (text, *score(text, weights)))) for text in CHECKED]
    EXPECTED.write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")
    for name, examples in (("validation", corpus.validation), ("SST-2 dev", corpus.development)):
        texts, labels = arrays(examples)
        scores = numpy.array([score(text, weights)[0] for text in texts])
        answers = (scores > 0.5) == labels
        low, high = wilson(int(answers.sum()), len(texts))
        sure = numpy.maximum(scores, 1 - scores) >= 0.6
        print(f"{name}: {answers.sum()} of {len(texts)}, {answers.mean():.1%} ({low:.1%} to {high:.1%}); "
              f"neutral {(~sure).sum()}, right of the others {answers[sure].mean():.1%}")
    print(f"{len(weights)} words")


if __name__ == "__main__":
    main()
