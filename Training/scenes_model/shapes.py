"""Outlines of everything that is drawn, in a square from −0.5 to 0.5, y downwards."""
import math

from .attributes import KINDS


def ellipse(x, y, a, b=None, start=0.0, end=360.0, steps=40):
    b = a if b is None else b
    angles = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return [(x + a * math.cos(angle), y + b * math.sin(angle)) for angle in angles]


def box(left, top, right, bottom):
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def wheel(points, outer, inner, start=-90.0):
    """A star: radii alternate."""
    return [(radius * math.cos(angle), radius * math.sin(angle))
            for index in range(2 * points)
            for angle, radius in [(math.radians(start + 180.0 * index / points), inner if index % 2 else outer)]]


def heart():
    angles = [2 * math.pi * step / 48 for step in range(48)]
    return [(0.52 * math.sin(t) ** 3,
             -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)) / 31 - 0.04)
            for t in angles]


def ring():
    # Out and back through one seam: the fill rule leaves the hole.
    return ellipse(0, 0, 0.5) + ellipse(0, 0, 0.27)[::-1]


def cross():
    a, b = 0.17, 0.48
    return [(-a, -b), (a, -b), (a, -a), (b, -a), (b, a), (a, a), (a, b), (-a, b), (-a, a), (-b, a), (-b, -a), (-a, -a)]


GLASS, WOOD, LEAF, SLATE, CREAM = (190, 222, 240), (112, 70, 40), (60, 140, 60), (78, 78, 90), (240, 226, 196)
#: Stand for colours that depend on the thing's: its own, and one that is seen on it.
MAIN, DETAIL = "main", "detail"


def house():
    return [(box(-0.38, -0.08, 0.38, 0.48), MAIN), ([(-0.5, -0.06), (0, -0.5), (0.5, -0.06)], SLATE),
            (box(-0.08, 0.16, 0.12, 0.48), SLATE), (box(-0.30, 0.06, -0.14, 0.22), GLASS),
            (box(0.18, 0.06, 0.32, 0.22), GLASS)]


def tree():
    return [(box(-0.08, 0.05, 0.08, 0.5), WOOD), (ellipse(-0.2, 0.0, 0.22), MAIN), (ellipse(0.2, 0.0, 0.22), MAIN),
            (ellipse(0, -0.22, 0.27), MAIN), (ellipse(0, 0.02, 0.22), MAIN)]


def car():
    return [([(-0.3, -0.02), (-0.18, -0.28), (0.16, -0.28), (0.32, -0.02)], MAIN),
            ([(-0.2, -0.02), (-0.13, -0.21), (-0.02, -0.21), (-0.02, -0.02)], GLASS),
            ([(0.03, -0.02), (0.03, -0.21), (0.12, -0.21), (0.22, -0.02)], GLASS),
            ([(-0.5, 0.0), (-0.44, -0.04), (0.42, -0.04), (0.5, 0.04), (0.5, 0.2), (-0.5, 0.2)], MAIN),
            (ellipse(-0.26, 0.2, 0.13), (30, 30, 32)), (ellipse(0.26, 0.2, 0.13), (30, 30, 32)),
            (ellipse(-0.26, 0.2, 0.055), (190, 190, 195)), (ellipse(0.26, 0.2, 0.055), (190, 190, 195))]


def boat():
    return [(box(-0.02, -0.5, 0.03, 0.2), WOOD), ([(0.05, -0.48), (0.42, 0.1), (0.05, 0.1)], CREAM),
            ([(-0.04, -0.36), (-0.34, 0.1), (-0.04, 0.1)], CREAM),
            ([(-0.5, 0.17), (0.5, 0.17), (0.34, 0.45), (-0.34, 0.45)], MAIN)]


def flower():
    petals = [(ellipse(0.21 * math.cos(angle), -0.2 + 0.21 * math.sin(angle), 0.135, steps=20), MAIN)
              for angle in (math.radians(60 * index + 30) for index in range(6))]
    return [(box(-0.03, 0.0, 0.03, 0.5), LEAF), (ellipse(0.13, 0.3, 0.12, 0.06, steps=20), LEAF),
            *petals, (ellipse(0, -0.2, 0.11, steps=20), DETAIL)]


def fish():
    return [(ellipse(-0.08, 0, 0.4, 0.25), MAIN), ([(0.22, 0), (0.5, -0.26), (0.5, 0.26)], MAIN),
            (ellipse(-0.28, -0.06, 0.07, steps=16), (250, 250, 250)),
            (ellipse(-0.29, -0.06, 0.035, steps=12), (20, 20, 20))]


def face():
    smile = ellipse(0, 0.05, 0.28, 0.25, 15, 165, 16) + ellipse(0, 0.05, 0.28, 0.14, 165, 15, 16)
    return [(ellipse(0, 0, 0.5), MAIN), (ellipse(-0.18, -0.14, 0.075, 0.1, steps=16), DETAIL),
            (ellipse(0.18, -0.14, 0.075, 0.1, steps=16), DETAIL), (smile, DETAIL)]


def sun():
    rays = [([turned((-0.07, -0.33), angle), turned((0, -0.52), angle), turned((0.07, -0.33), angle)], MAIN)
            for angle in range(0, 360, 45)]
    return [(ellipse(0, 0, 0.27), MAIN), *rays]


def turned(point, degrees):
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return point[0] * cosine - point[1] * sine, point[0] * sine + point[1] * cosine


def mushroom():
    return [([(-0.13, 0.0), (0.13, 0.0), (0.17, 0.5), (-0.17, 0.5)], CREAM),
            (ellipse(0, 0.06, 0.5, 0.52, 180, 360), MAIN), (ellipse(-0.24, -0.12, 0.085, steps=16), DETAIL),
            (ellipse(0.06, -0.26, 0.085, steps=16), DETAIL), (ellipse(0.28, -0.06, 0.075, steps=16), DETAIL)]


def umbrella():
    canopy = ellipse(0, -0.02, 0.5, 0.46, 180, 360)
    for centre in (0.333, 0.0, -0.333):
        canopy += ellipse(centre, -0.02, 0.167, 0.08, 0, -180, 12)
    hook = ellipse(0.1, 0.36, 0.13, 0.13, 180, 0, 16) + ellipse(0.1, 0.36, 0.07, 0.07, 0, 180, 16)
    return [(box(-0.03, -0.1, 0.03, 0.38), SLATE), (hook, SLATE), (canopy, MAIN)]


OUTLINES = {
    "circle": ellipse(0, 0, 0.5), "square": box(-0.45, -0.45, 0.45, 0.45),
    "triangle": [(0, -0.48), (0.52, 0.42), (-0.52, 0.42)], "star": wheel(5, 0.54, 0.22), "heart": heart(),
    "ring": ring(), "cross": cross(), "diamond": [(0, -0.52), (0.37, 0), (0, 0.52), (-0.37, 0)],
}
OBJECT_PARTS = {
    "house": house(), "tree": tree(), "car": car(), "boat": boat(), "flower": flower(), "fish": fish(),
    "face": face(), "sun": sun(), "mushroom": mushroom(), "umbrella": umbrella(),
}


def parts(kind):
    """Polygons with their colours, the lowest first."""
    name = KINDS[kind]
    return OBJECT_PARTS.get(name) or [(OUTLINES[name], MAIN)]
