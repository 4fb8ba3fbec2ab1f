"""Writes what is meant as a sentence. Without randomness each choice is the first: the plainest wording."""
import collections

from .attributes import COLOUR_NAMES, KINDS, SIZES, TEXTURES
from .meaning import ANY_SHAPE, ANY_THING, SEVERAL, UNSAID

#: The first is the plain word; the figure is how often it is taken.
SYNONYMS = {
    "purple": (("purple", 0.85), ("violet", 0.15)), "grey": (("grey", 0.6), ("gray", 0.4)),
    "small": (("small", 0.6), ("little", 0.2), ("tiny", 0.2)), "large": (("large", 0.5), ("big", 0.4), ("huge", 0.1)),
    "plain": (("plain", 0.8), ("solid", 0.2)), "striped": (("striped", 0.8), ("stripy", 0.2)),
    "spotted": (("spotted", 0.6), ("dotted", 0.3), ("polka dot", 0.1)),
    "chequered": (("chequered", 0.5), ("checkered", 0.4), ("checked", 0.1)),
    "circle": (("circle", 0.85), ("disc", 0.15)), "ring": (("ring", 0.85), ("hoop", 0.15)),
    "cross": (("cross", 0.85), ("plus sign", 0.15)), "diamond": (("diamond", 0.85), ("rhombus", 0.15)),
    "house": (("house", 0.85), ("cottage", 0.15)), "boat": (("boat", 0.7), ("sailing boat", 0.15), ("ship", 0.15)),
    "face": (("face", 0.6), ("smiley face", 0.3), ("smiley", 0.1)),
    "mushroom": (("mushroom", 0.85), ("toadstool", 0.15)), "umbrella": (("umbrella", 0.85), ("parasol", 0.15)),
    "thing": (("object", 0.5), ("thing", 0.5)),
    "car": (("car", 0.9), ("automobile", 0.1)),
}
NUMBERS = (None, ("a", "one"), ("two", "2"), ("three", "3"), ("four", "4"), ("five", "5"))
POSITIONS = (
    ("in the top left corner", "in the upper left corner", "at the top left"),
    ("at the top", "at the top of the picture"),
    ("in the top right corner", "in the upper right corner", "at the top right"),
    ("on the left", "on the left side", "at the left"), ("in the middle", "in the centre", "in the center"),
    ("on the right", "on the right side", "at the right"),
    ("in the bottom left corner", "in the lower left corner", "at the bottom left"),
    ("at the bottom", "at the bottom of the picture"),
    ("in the bottom right corner", "in the lower right corner", "at the bottom right"))
RELATIONS = (
    ("to the left of", "left of", "on the left of"), ("to the right of", "right of", "on the right of"),
    ("above", "over"), ("below", "under", "beneath", "underneath"))
BACKGROUNDS = ("on a {} background", "against a {} background", "with a {} background", "on {}",
               "in front of a {} background")
JOINTS = ("and", "and", "next to", "together with")
#: `is` agrees with the number of what follows.
FRAMES = (
    "{}", "a photo of {}", "a picture of {}", "an image of {}", "a drawing of {}", "a picture showing {}",
    "an image with {}", "there is {}", "this is {}", "the picture shows {}", "this image shows {}", "we see {}",
    "here is {}", "a painting of {}", "an illustration of {}", "a simple drawing of {}", "a picture with {} in it",
    "you can see {}", "it shows {}", "i see {}", "a cartoon of {}", "a scene with {}", "a bad photo of {}",
    "a nice picture of {}", "{} in a picture")
#: Never used in training. The last two have words that training never saw.
UNSEEN_FRAMES = (
    "a photo showing {}", "an illustration with {}", "this drawing shows {}", "here we see {}",
    "in this picture there is {}", "a simple image of {}", "this is a painting of {}", "you see {} in the image",
    "a snapshot of {}", "look carefully, {}!")


#: A text, and first and last character of each phrase in it.
Spoken = collections.namedtuple("Spoken", "text spans")


class Grammar:
    """- random: a generator of numpy, or None for the plainest wording."""

    def __init__(self, random=None, nonsense=True):
        self.random = random
        self.has_nonsense = nonsense

    def chance(self, probability):
        return self.random is not None and self.random.random() < probability

    def one_of(self, choices):
        return choices[0] if self.random is None else choices[self.random.integers(len(choices))]

    def word(self, name):
        if self.random is None or name not in SYNONYMS:
            return SYNONYMS[name][0][0] if name in SYNONYMS else name
        draw = self.random.random()
        for word, share in SYNONYMS[name]:
            draw -= share
            if draw < 0:
                return word
        return SYNONYMS[name][0][0]

    def sentence(self, meaning, frame=None):
        """- frame: one of the frames; without it a random one, or none in the plainest wording."""
        return self.spoken(meaning, frame).text

    def spoken(self, meaning, frame=None):
        """The sentence, and where its phrases stand in it."""
        plural = bool(meaning.groups) and meaning.groups[0].count != 1
        if frame is None:
            frame = self.frame()
        if plural:
            frame = frame.replace("this is", "these are").replace(" is ", " are ")
        body = self.body(meaning)
        start = frame.index("{}")
        spans = tuple((start + first, start + last) for first, last in body.spans)
        return Spoken(frame.replace("{}", body.text), spans)

    def frame(self):
        if self.random is None or self.chance(0.4):
            return "{}"
        return self.one_of(FRAMES) if not (self.has_nonsense and self.chance(0.08)) else f"a {self.nonsense()} of {{}}"

    def nonsense(self):
        """A word of no meaning, so that unknown words around a description do no harm."""
        return "".join(self.one_of("bcdfghjklmnprstvwz") + self.one_of("aeiouy")
                       for _ in range(self.random.integers(1, 4)))

    def body(self, meaning):
        parts, spans = [], []
        for number, group in enumerate(meaning.groups):
            if number == 1:
                is_said = meaning.relation != UNSAID
                parts.append(self.one_of(RELATIONS[meaning.relation] if is_said else JOINTS))
            start = len(" ".join([*parts, ""]))
            parts.append(self.phrase(group))
            spans.append((start, start + len(parts[-1])))
        if meaning.position != UNSAID:
            parts.append(self.one_of(POSITIONS[meaning.position]))
        if meaning.background != UNSAID:
            colour = self.word(COLOUR_NAMES[meaning.background])
            parts.append(self.one_of(BACKGROUNDS).format(colour) if parts else f"a {colour} background")
        return Spoken(" ".join(parts), tuple(spans))

    def phrase(self, group):
        if group.count == 1 and group.kind == ANY_THING and group.colour != UNSAID and self.chance(0.3):
            size = f" {self.word(SIZES[group.size])}" if group.size != UNSAID else ""
            return f"something{size} {self.word(COLOUR_NAMES[group.colour])}"
        before, after = [], []
        if group.size != UNSAID:
            before.append(self.word(SIZES[group.size]))
        if group.texture != UNSAID:
            pattern = {1: "with stripes", 2: "with spots", 3: "with squares"}.get(group.texture)
            if pattern and self.chance(0.15):
                after.append(pattern)
            else:
                before.append(self.word(TEXTURES[group.texture]))
        if group.colour != UNSAID:
            colour = self.word(COLOUR_NAMES[group.colour])
            # Either order: "red striped" and "striped red".
            before.insert(len(before) if not before or not self.chance(0.3) else -1, colour)
        noun = self.word(name_of(group.kind))
        if group.count != 1:
            noun = plural(noun)
        text = " ".join([*before, noun, *after])
        return self.counted(group.count, text)

    def counted(self, count, text):
        if count == SEVERAL:
            return self.one_of(("{}", "some {}", "several {}")).format(text)
        number = NUMBERS[count][1] if self.chance(0.15) else NUMBERS[count][0]
        if number == "a" and text[0] in "aeiou":
            number = "an"
        return f"{number} {text}"


def name_of(kind):
    """The noun of a kind; that of a made-up one is written as nothing else is."""
    if kind >= len(KINDS):
        return made_up(kind - len(KINDS))
    return {ANY_THING: "thing", ANY_SHAPE: "shape"}.get(kind) or KINDS[kind]


def made_up(index):
    return f"wug{index}"


def plural(noun):
    if noun == "fish":
        return noun
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    if noun == "smiley":
        return "smileys"
    return noun + ("es" if noun.endswith(("s", "sh", "ch")) else "s")
