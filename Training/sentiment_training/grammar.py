"""Sentences from templates: a slot in braces is filled with one of a list's entries, which may have slots too."""

import re

SLOT = re.compile(r"\{(\w+)\}")
TAKES_AN = re.compile(r"\b([Aa]) (?=[aeiou]|X-ray|hour)(?!uni|use|eu|one)", re.IGNORECASE)
TIDY = 0.5
"""Part of the sentences that keep their capital letter and full stop; film comments often have neither."""


def filled(template, lists, random):
    """The template with each slot filled, and `a` as `an` where it has to be."""
    while match := SLOT.search(template):
        entry = random.choice(lists[match[1]])
        template = template[: match.start()] + entry + template[match.end() :]
    return TAKES_AN.sub(lambda match: match[1] + "n ", template)


def sentence(template, lists, random):
    """A filled template that begins with a capital letter, with the words and stops as people leave them."""
    text = filled(template, lists, random)
    text = text[0].upper() + text[1:]
    if random.random() < 1 - TIDY:
        return text
    if random.random() < 0.5:
        text = text.lower()
    if text.endswith("?"):
        return text if random.random() < 0.7 else text[:-1]
    return text.rstrip(".") if random.random() < 0.5 else text


def entries(text):
    """The lines of a text, without empty ones."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def plural(noun):
    if noun.endswith("man"):
        return noun[:-2] + "en"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("ss", "ch", "x")) else "s")
