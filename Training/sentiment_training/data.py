"""The training text, its own validation split, and the guard that keeps the development and test sets out of both.

SST-2 was made from the rt-polarity snippets: each of its sentences stands in them too, with other spacing, hyphens
and accents, and often as part of a longer line. Everything that matches a sentence of the development or the test
set, by letters or by words, is removed before anything is trained, the tokenizer included.
"""

import random
import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

SHORTEST_PART = 16
"""Letters a sentence needs before its being contained in another line counts as a match."""

SHARED_WORDS = 4
WORD_OVERLAP = 0.75
"""A line matches when it shares this many words, and this part of the shorter one's words."""

COMMON_WORD = 200
"""Words in more lines than this do not propose a pair; they still count in its overlap."""

RUN = 8
"""Words in a row that two texts share only where one quotes the other, or both a title or a saying."""


@dataclass
class Example:
    """One sentence in each of its spellings, or several of one label; 1 is positive, 0.5 neither."""

    label: float
    texts: list[str]
    group: int = -1


@dataclass
class Corpus:
    training: list[Example]
    validation: list[Example]
    development: list[Example]
    test: list[Example]
    removed: dict[str, Counter] = field(default_factory=dict)
    found: dict[str, int] = field(default_factory=dict)
    """Sentences of each held-out set that the files to train on had held."""


def repaired(text):
    """Undoes UTF-8 read as Latin-1, which SST has in places."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return text


def folded(text):
    letters = unicodedata.normalize("NFKD", repaired(text).lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def words(text):
    return re.findall(r"[a-z0-9]+", folded(text))


def key(text):
    """Letters and digits only: equal for two spellings of one sentence."""
    return "".join(words(text))


def runs(text):
    """Each `RUN` words in a row."""
    own = words(text)
    return {tuple(own[start : start + RUN]) for start in range(len(own) - RUN + 1)}


def sentence_keys(text):
    """The keys of a line's sentences; a line of one sentence has none besides its own."""
    return [part for part in map(key, re.split(r"[.?!]", text)) if part]


class Matcher:
    """Finds the kind of match a text has with any sentence of a set."""

    def __init__(self, texts):
        self.keys = [key(text) for text in texts]
        self.words = [Counter(words(text)) for text in texts]
        self.by_key = {part: index for index, text in enumerate(texts) for part in sentence_keys(text)}
        self.by_key.update((text, index) for index, text in enumerate(self.keys))
        self.by_run = {run: index for index, text in enumerate(texts) for run in runs(text)}
        self.by_word = defaultdict(list)
        for index, counts in enumerate(self.words):
            for word in counts:
                self.by_word[word].append(index)

    def match(self, text):
        """The index of a matching sentence and how it matches, or None."""
        own = key(text)
        if own in self.by_key:
            return self.by_key[own], "equal"
        for part in sentence_keys(text):
            if part in self.by_key:
                return self.by_key[part], "contained"
        counts = Counter(words(text))
        proposed = Counter(
            index for word in counts if len(self.by_word.get(word, ())) <= COMMON_WORD
            for index in self.by_word.get(word, ()))
        best = None
        for index, hits in sorted(proposed.items()):
            if hits == 1 and min(counts.total(), self.words[index].total()) > 2 * SHARED_WORDS:
                continue
            shorter, longer = sorted((own, self.keys[index]), key=len)
            if len(shorter) >= SHORTEST_PART and shorter in longer:
                return index, "contained"
            shared = (counts & self.words[index]).total()
            if shared >= SHARED_WORDS and shared >= WORD_OVERLAP * min(counts.total(), self.words[index].total()):
                best = (index, "similar")
        if best is None:
            best = next(((self.by_run[run], "run") for run in sorted(runs(text)) if run in self.by_run), None)
        return best


def read_sst(path):
    examples = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            text, label = line.rsplit("\t", 1)
            examples.append(Example(int(label), [repaired(text.strip())]))
    return examples


def read_snippets(folder):
    examples = []
    for label, name in ((0, "rt-polarity.neg"), (1, "rt-polarity.pos")):
        for line in (folder / name).read_bytes().split(b"\n"):
            if line.strip():
                examples.append(Example(label, [repaired(line.decode("latin-1").strip())]))
    return examples


def without(examples, guards, removed):
    kept = []
    for example in examples:
        match = next((match for guard in guards if (match := guard.match(example.texts[0]))), None)
        if match is None:
            kept.append(example)
        else:
            removed[match[1]] += 1
    return kept


def joined(sentences, snippets):
    """One list in which a snippet that repeats a sentence becomes a second spelling of it, or shares its group."""
    unique = {}
    for sentence in sentences:
        unique.setdefault(key(sentence.texts[0]), sentence)
    examples = list(unique.values())
    for index, example in enumerate(examples):
        example.group = index
    matcher = Matcher([example.texts[0] for example in examples])
    seen = set()
    for snippet in snippets:
        own = key(snippet.texts[0])
        if own in seen:
            continue
        seen.add(own)
        match = matcher.match(snippet.texts[0])
        if match and match[1] == "equal":
            examples[match[0]].texts.append(snippet.texts[0])
            continue
        snippet.group = match[0] if match else len(examples)
        examples.append(snippet)
    return examples


def load(folder: Path, validation_size: int, seed: int) -> Corpus:
    """The corpus in `folder`, which holds `sst2` and `rt_polarity`.

    Validation sentences are drawn from SST-2's own training file, so that they are of the held-out sets' kind; no
    sentence of a validation sentence's group is trained on.
    """
    sources = {
        "rt-polarity": read_snippets(folder / "rt_polarity"), "SST-2 train": read_sst(folder / "sst2" / "train.tsv")}
    held_out = {name: read_sst(folder / "sst2" / f"{name}.tsv") for name in ("dev", "test")}
    everything = Matcher([example.texts[0] for examples in sources.values() for example in examples])
    found = {
        name: sum(everything.match(example.texts[0]) is not None for example in examples)
        for name, examples in held_out.items()}
    guards = [Matcher([example.texts[0] for example in examples]) for examples in held_out.values()]
    removed = {name: Counter() for name in sources}
    snippets, sentences = (without(examples, guards, removed[name]) for name, examples in sources.items())
    count = len({key(sentence.texts[0]) for sentence in sentences})
    examples = joined(sentences, snippets)
    held = set(random.Random(seed).sample(range(count), validation_size))
    return Corpus(
        training=[example for example in examples if example.group not in held],
        validation=[examples[index] for index in sorted(held)],
        development=held_out["dev"], test=held_out["test"], removed=removed, found=found)
