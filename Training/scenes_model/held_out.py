"""Combinations of two attributes that no picture and no sentence of the training set has.

Each value occurs in training with other partners, so the model has learned its parts and must put them together.
"""
from .attributes import COLOUR_NAMES, KINDS, LARGE, OBJECTS, SHAPES, THING_COLOURS


def colour_and_kind(colour, kind):
    """One colour of each object, two of each shape."""
    return colour == (3 * kind + 1) % 10 or (kind < len(SHAPES) and colour == (3 * kind + 6) % 10)


def count_and_kind(count, kind):
    """One number above one of each kind."""
    return count == 2 + kind % 4


def texture_and_kind(texture, kind):
    """One texture of every second shape; no object has any."""
    return kind < len(SHAPES) and kind % 2 == 0 and texture == 1 + kind // 2 % 3


def size_and_kind(size, kind):
    return size == LARGE and kind in (2, 6, 11, 15)


def position_and_kind(position, kind):
    """One position of each kind."""
    return position == (2 * kind + 1) % 9


def colour_and_background(colour, background):
    """One background of each colour that is not its own."""
    return HELD_BACKGROUND.get(colour) == background


def kinds(first, second):
    """About one pair of seven; a kind beside itself never."""
    return first != second and (first + second) % 7 == 3


HELD_BACKGROUND = {
    COLOUR_NAMES.index(colour): COLOUR_NAMES.index(background) for colour, background in {
        "red": "blue", "orange": "grey", "yellow": "purple", "green": "white", "blue": "yellow",
        "purple": "green", "pink": "black", "brown": "white", "black": "red", "white": "grey"}.items()}
FAMILIES = {
    "colour and kind": [(c, k) for k in range(len(KINDS)) for c in range(len(THING_COLOURS)) if colour_and_kind(c, k)],
    "count and kind": [(2 + k % 4, k) for k in range(len(KINDS))],
    "texture and shape": [(1 + k // 2 % 3, k) for k in range(0, len(SHAPES), 2)],
    "size and kind": [(LARGE, k) for k in range(len(KINDS)) if size_and_kind(LARGE, k)],
    "position and kind": [((2 * k + 1) % 9, k) for k in range(len(KINDS))],
    "colour and background": sorted(HELD_BACKGROUND.items()),
    "two kinds": [(a, b) for a in range(len(KINDS)) for b in range(a + 1, len(KINDS)) if kinds(a, b)],
}
assert len(OBJECTS) == 10 and len(THING_COLOURS) == 10


def combinations(description):
    """The families of which a scene or a sentence has a held-out combination.

    `description` has `groups` (each with count, kind, colour, size, texture), `position` and `background`; −1, −2
    and None stand for what is not said, and match nothing here.
    """
    found = set()
    for group in description.groups:
        tests = {
            "colour and kind": colour_and_kind(group.colour, group.kind) and group.kind >= 0,
            "count and kind": group.count > 1 and group.kind >= 0 and count_and_kind(group.count, group.kind),
            "texture and shape": group.kind >= 0 and texture_and_kind(group.texture, group.kind),
            "size and kind": size_and_kind(group.size, group.kind),
            "position and kind": (
                description.position >= 0 and group.kind >= 0 and position_and_kind(description.position, group.kind)),
            "colour and background": (
                group.colour >= 0 and description.background >= 0
                and colour_and_background(group.colour, description.background)),
        }
        found.update(name for name, holds in tests.items() if holds)
    if len(description.groups) == 2:
        first, second = (group.kind for group in description.groups)
        if first >= 0 and second >= 0 and kinds(first, second):
            found.add("two kinds")
    return found
