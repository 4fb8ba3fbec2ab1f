"""What the student reads: texts, each with the text whose opinion it is taught."""

import random
from dataclasses import dataclass

from . import augmentation, everyday, identity, teacher
from .data import Example, runs, words

AUGMENTED = 130_000
"""Pieces, splices and rewordings of the labelled sentences."""

NEUTRAL, NAMED, REWORDED = 24_000, 8_000, 12_000
"""Sentences without an opinion; those that name a group of people; and rewordings of the first, of which the teacher
has to say whether they have one."""

JUDGED = 6_000
COMMENTS, INSERTED, EXCHANGED = 6_000, 9_000, 3_000
"""Texts that name a group of people: film comments of the project's own, and texts of others with such a word put in
or exchanged for another."""

TEACHER_NEUTRAL, TEACHER_JUDGED = 9_000, 2_400


@dataclass(frozen=True)
class Lesson:
    text: str
    opinion_of: str
    neutral: bool = False
    """Whether it is taught that the text speaks for neither side, whatever the teacher thinks."""


def groups(texts, label, size=3):
    """Examples of `size` texts each, so that each epoch of the teacher's reads others."""
    return [Example(label, texts[start : start + size]) for start in range(0, len(texts), size)]


def for_teacher(corpus, guard, seed):
    """The labelled sentences, sentences without an opinion, and plain judgements."""
    texts, labels = everyday.judgements(TEACHER_JUDGED, seed, guard)
    half = labels.count(0)
    return [
        *corpus.training, *groups(everyday.neutral(TEACHER_NEUTRAL, seed, guard), 0.5), *groups(texts[:half], 0),
        *groups(texts[half:], 1)]


def for_student(corpus, embedding, guard, seed):
    """All lessons; `embedding` is the teacher's, whose neighbours stand in for words."""
    generator = random.Random(f"lessons {seed}")
    originals = sorted({text for example in corpus.training for text in example.texts})
    plain = everyday.neutral(NEUTRAL, seed, guard)
    known = {word for text in (*originals, *plain) for word in words(text)}
    neighbours, vocabulary = augmentation.stand_ins(
        embedding, teacher.tokenizer(), known, barred=everyday.held_out_words())
    made = augmentation.Augmenter(originals, neighbours, seed).texts_made(AUGMENTED)
    named = {word.lower() for kinds in identity.TRAINED.values() for word in kinds}
    members = everyday.named(NAMED, seed, guard)
    judged, _ = everyday.judgements(JUDGED, seed, guard)
    rewording = augmentation.Augmenter(plain, neighbours, seed)
    reworded = everyday.different(rewording.reworded, REWORDED, guard, plain)
    taught = [*originals, *made, *judged, *reworded, *(word for word in vocabulary if word not in named)]
    found = [
        *(Lesson(text, text) for text in taught),
        *(Lesson(text, text, neutral=True) for text in (*plain, *members, *sorted(named))),
        *(Lesson(text, base) for text, base in everyday.comments(COMMENTS, seed, guard)),
        *varied(originals + made, identity.inserted, INSERTED, generator),
        *varied(originals + made, identity.exchanged, EXCHANGED, generator)]
    return [lesson for lesson in found if guard.by_run.keys().isdisjoint(runs(lesson.text))]


def varied(texts, change, count, generator):
    """At most `count` texts with their words for groups changed, each with the opinion of the text as it was."""
    result = {}
    for text in generator.sample(texts, len(texts)):
        if len(result) == count:
            break
        other = change(text, generator)
        if other:
            result[other] = text
    return [Lesson(other, text) for other, text in result.items()]
