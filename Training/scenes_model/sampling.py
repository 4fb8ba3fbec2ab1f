"""Picks what to say of a scene: something true, or the same with one thing wrong."""
import dataclasses

from .attributes import BACKGROUNDS, CHEQUERED, KINDS, LARGE, MAXIMUM_COUNT, MEDIUM, PLAIN, SHAPES, SMALL, THING_COLOURS
from .meaning import ANY_SHAPE, ANY_THING, SEVERAL, UNSAID, Meaning, Phrase, truth
from .scene import pick


def something_true(scene, random):
    while True:
        meaning = said_of(scene, random)
        if truth([scene.numbers()], [meaning.numbers()])[0, 0] > 0:
            return meaning


def said_of(scene, random):
    background = scene.background if random.random() < 0.3 else UNSAID
    if len(scene.groups) == 1:
        group = scene.groups[0]
        position = scene.position if scene.position >= 0 and random.random() < 0.35 else UNSAID
        if random.random() < 0.03:
            return Meaning((), scene.background)
        count = SEVERAL if group.count > 1 and random.random() < 0.12 else group.count
        return Meaning((phrase(group, count, random),), background, position)
    first, second = scene.groups
    relation = scene.relation
    if random.random() < 0.5:
        first, second, relation = second, first, relation ^ 1
    if random.random() < 0.15:
        return Meaning((phrase(first, 1, random),), background)
    if random.random() < 0.08:
        return Meaning((Phrase(2, shared(first.kind, second.kind), shared_colour(first, second)),), background)
    relation = relation if random.random() < 0.7 else UNSAID
    return Meaning((phrase(first, 1, random), phrase(second, 1, random)), background, relation=relation)


def shared(first, second):
    return first if first == second else ANY_SHAPE if max(first, second) < len(SHAPES) else ANY_THING


def shared_colour(first, second):
    return first.colour if first.colour == second.colour else UNSAID


def phrase(group, count, random):
    is_shape, draw = group.kind < len(SHAPES), random.random()
    kind = group.kind if draw < 0.8 else ANY_SHAPE if is_shape and draw < 0.9 else ANY_THING
    is_general = kind < 0
    colour = group.colour if random.random() < (0.85 if is_general else 0.65) else UNSAID
    size = group.size if group.size != MEDIUM and random.random() < 0.3 else UNSAID
    texture = UNSAID
    if is_shape and kind != ANY_THING and random.random() < (0.35 if group.texture == PLAIN else 0.55):
        texture = group.texture
    return Phrase(count, kind, colour, size, texture)


def something_wrong(meaning, random):
    """The meaning with one said thing changed; it may by chance still be true. Where hardly anything is said, as in
    "a thing and a thing", nothing can be changed."""
    for _ in range(50):
        other = changed(meaning, random)
        if other != meaning and not other.is_held_out:
            return other
    return meaning


def changed(meaning, random):
    choices = [name for name in ("background", "position", "relation") if getattr(meaning, name) != UNSAID]
    for index, group in enumerate(meaning.groups):
        choices += [("count", index)] * (2 if len(meaning.groups) == 1 else 0)
        choices += [("kind", index)] * (group.kind >= 0) + [("colour", index)] * (group.colour >= 0)
        choices += [("size", index)] * (group.size >= 0) + [("texture", index)] * (group.texture >= 0)
    if len(meaning.groups) == 2:
        choices += ["exchange", "exchange", "order"]
    choice = choices[random.integers(len(choices))]
    if choice == "background":
        return dataclasses.replace(meaning, background=pick(random, BACKGROUNDS))
    if choice == "position":
        return dataclasses.replace(meaning, position=int(random.integers(9)))
    if choice == "relation":
        return dataclasses.replace(meaning, relation=int(random.integers(4)))
    if choice == "order":
        return dataclasses.replace(meaning, groups=meaning.groups[::-1])
    if choice == "exchange":
        return exchanged(meaning)
    name, index = choice
    group = meaning.groups[index]
    values = {"count": range(0, MAXIMUM_COUNT + 1), "kind": range(len(KINDS)), "colour": range(len(THING_COLOURS)),
              "size": (SMALL, LARGE), "texture": range(CHEQUERED + 1)}[name]
    group = dataclasses.replace(group, **{name: pick(random, values)})
    if group.kind >= len(SHAPES) or group.kind == ANY_THING:
        group = dataclasses.replace(group, texture=UNSAID)
    return dataclasses.replace(meaning, groups=(*meaning.groups[:index], group, *meaning.groups[index + 1:]))


def exchanged(meaning):
    """The things' colours the other way round."""
    first, second = meaning.groups
    return dataclasses.replace(meaning, groups=(
        dataclasses.replace(first, colour=second.colour), dataclasses.replace(second, colour=first.colour)))
