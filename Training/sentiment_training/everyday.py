"""Sentences without an opinion, and plain judgements, as many as are asked for; and those that measure the first."""

import random
from dataclasses import replace

from . import data, domains, held_out, identity, judged, neutral_templates, probes
from .augmentation import FUNCTION_WORDS
from .grammar import filled, plural, sentence

KINDS = (
    (6, neutral_templates.STATEMENTS), (4, neutral_templates.QUESTIONS), (2, neutral_templates.INSTRUCTIONS),
    (2, identity.BARE))

COMMON = frozenset("after before day end half his last mr mrs my over second tomorrow up yesterday couple".split())
"""Words of the held-out lists that are in trained ones too, and name nothing."""


def lists_of(domain, others, common, random):
    """What fills the slots of one sentence, whose things are of one domain and its second ones of another."""
    base, did = random.choice(domain.verbs)
    return common | {
        "who": domain.people, "who2": others.people, "whos": [plural(person) for person in domain.people],
        "thing": domain.things, "thing2": others.things,
        "place": domain.places, "place2": others.places, "do": [base], "did": [did],
        "Do": [base[0].upper() + base[1:]]}


def written_for(templates, known, common, random):
    domain, others = random.choice(known), random.choice(known)
    return sentence(random.choice(templates), lists_of(domain, others, common, random), random)


def different(make, count, guard, given=()):
    """`count` different texts of those that `make` makes, none of which matches a held-out one."""
    seen, result = set(given), []
    while len(result) < count:
        text = make()
        if text not in seen:
            seen.add(text)
            if guard.match(text) is None:
                result.append(text)
    return result


def neutral(count, seed, guard):
    """Sentences without an opinion to train on."""
    generator = random.Random(f"neutral {seed}")
    common = neutral_templates.LISTS | identity.TRAINED
    weights, kinds = zip(*KINDS)
    return different(
        lambda: written_for(generator.choices(kinds, weights)[0], domains.TRAINED, common, generator), count, guard)


def named(count, seed, guard):
    """Sentences without an opinion to train on, of members of groups where others have people of a trade."""
    generator = random.Random(f"named {seed}")
    known = [replace(domain, people=identity.TRAINED["one"]) for domain in domains.TRAINED]
    common = neutral_templates.LISTS | identity.TRAINED
    people = [
        template for template in neutral_templates.STATEMENTS + neutral_templates.QUESTIONS if "{who" in template]
    return different(
        lambda: written_for(generator.choice((people, identity.BARE)), known, common, generator), count, guard)


def judgements(count, seed, guard):
    """Half positive and half negative sentences to train on: the texts and their labels."""
    generator = random.Random(f"judged {seed}")
    common = neutral_templates.LISTS | judged.LISTS
    sides = [
        different(lambda: written_for(templates, domains.TRAINED, common, generator), count // 2, guard)
        for templates in (judged.NEGATIVE, judged.POSITIVE)]
    return [*sides[0], *sides[1]], [0] * len(sides[0]) + [1] * len(sides[1])


def comments(count, seed, guard):
    """Film comments in which a group is named, and the same ones without: pairs."""
    generator = random.Random(f"comments {seed}")
    adjectives = judged.LISTS["gooda"] + judged.LISTS["bada"]
    pairs = {}
    while len(pairs) < count:
        template = generator.choice(identity.COMMENTS)
        slot = identity.slot_of(template)
        template = filled(template.replace(f"{{{slot}}}", "\0"), neutral_templates.LISTS | {
            "adjective": adjectives}, generator).replace("\0", f"{{{slot}}}")
        text = identity.rendered(template, slot, generator.choice(identity.TRAINED[slot]))
        if guard.match(text) is None:
            pairs[text] = identity.rendered(template, slot, identity.PLAIN[slot])
    return list(pairs.items())


def held_out_neutral(count, seed):
    """`count` questions and as many statements of the held-out templates and words."""
    generator = random.Random(f"held out {seed}")
    return {
        name: different(
            lambda: written_for(templates, domains.HELD_OUT, held_out.LISTS, generator), count, data.Matcher([]))
        for name, templates in (("questions", held_out.QUESTIONS), ("statements", held_out.STATEMENTS))}


def guard(sentences):
    """A matcher of everything that measures the model, so that nothing made here repeats it."""
    written = [text for texts in held_out.WRITTEN.values() for text in texts]
    probed = [text for group in probes.PROBES.values() for _, text in group]
    measured = [
        text for templates in (identity.MEASURED_BARE, identity.MEASURED_COMMENTS)
        for plain, variants in identity.measured(templates) for text in (plain, *(text for _, _, text in variants))]
    return data.Matcher([*written, *probed, *measured, *sentences])


def own_words(parts, lists):
    """The words of domains and lists, besides those that any text has."""
    found = {word for texts in lists.values() for text in texts for word in data.words(text)}
    for part in parts:
        for texts in (part.people, part.things, part.places, [verb for pair in part.verbs for verb in pair]):
            found.update(word for text in texts for word in data.words(text))
    return found - FUNCTION_WORDS - COMMON


def held_out_words():
    """The words that are in no neutral sentence to train on; ends with an error where one is in both."""
    words = own_words(domains.HELD_OUT, held_out.LISTS)
    both = words & own_words(domains.TRAINED, neutral_templates.LISTS | judged.LISTS)
    if both:
        raise SystemExit(f"held-out words are trained: {', '.join(sorted(both))}")
    return words
