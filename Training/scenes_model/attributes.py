"""What a scene can be made of. A value is an index into one of these tables."""

SHAPES = ("circle", "square", "triangle", "star", "heart", "ring", "cross", "diamond")
OBJECTS = ("house", "tree", "car", "boat", "flower", "fish", "face", "sun", "mushroom", "umbrella")
KINDS = SHAPES + OBJECTS

COLOURS = {
    "red": (215, 38, 40), "orange": (246, 138, 28), "yellow": (250, 222, 48), "green": (48, 165, 70),
    "blue": (42, 92, 215), "purple": (128, 56, 176), "pink": (250, 148, 196), "brown": (124, 74, 40),
    "black": (22, 22, 24), "white": (246, 246, 246), "grey": (140, 140, 144),
}
COLOUR_NAMES = tuple(COLOURS)
#: Colours of things: grey is for backgrounds only.
THING_COLOURS = COLOUR_NAMES[:10]
BACKGROUNDS = tuple(COLOUR_NAMES.index(name) for name in
                    ("white", "black", "grey", "red", "yellow", "green", "blue", "purple"))

SMALL, MEDIUM, LARGE = range(3)
SIZES = ("small", None, "large")
#: Extent as a part of the picture's side. No sentence speaks of the medium size.
EXTENTS = ((0.23, 0.28), (0.29, 0.36), (0.38, 0.50))

PLAIN, STRIPED, SPOTTED, CHEQUERED = range(4)
TEXTURES = ("plain", "striped", "spotted", "chequered")

#: Row by row: a position is `3 · row + column`.
POSITIONS = ("top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right")
#: Where the first of two things is, seen from the second; the opposite of `r` is `r ^ 1`.
RELATIONS = ("left of", "right of", "above", "below")

MAXIMUM_COUNT = 5
