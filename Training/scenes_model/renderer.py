"""Draws scenes: polygons on a canvas of twice the size, averaged down."""
import math

import numpy
from PIL import Image, ImageDraw

from .attributes import CHEQUERED, COLOUR_NAMES, COLOURS, PLAIN, SPOTTED, STRIPED
from .scene import placements
from .shapes import DETAIL, MAIN, parts

SUPERSAMPLING = 2
SIDE = 256


def draw(scene, random, side=SIDE, places=None):
    """A picture of the scene: places, colours, tilts and mirrorings are random within what the scene says."""
    places = placements(scene, random) if places is None else places
    canvas = backdrop(jittered(COLOURS[COLOUR_NAMES[scene.background]], random), side * SUPERSAMPLING, random)
    shades = [jittered(COLOURS[COLOUR_NAMES[group.colour]], random) for group in scene.groups]
    for place in places:
        group = scene.groups[place.group]
        draw_thing(canvas, group, shades[place.group], place, random)
    return canvas.reduce(SUPERSAMPLING)


def jittered(colour, random):
    """A shade by which the colour is still called the same."""
    light = random.uniform(0.92, 1.06)
    return tuple(int(min(255, max(0, channel * light + random.uniform(-9, 9)))) for channel in colour)


def backdrop(colour, side, random):
    """Slightly brighter at one end, from above or from one side."""
    ramp = numpy.linspace(0, 1, side)[:, None] * random.uniform(-12, 12)
    line = numpy.clip(numpy.asarray(colour) + ramp, 0, 255).astype(numpy.uint8)
    line = line[:, None, :] if random.random() < 0.5 else line[None, :, :]
    return Image.fromarray(line).resize((side, side), Image.Resampling.NEAREST)


def draw_thing(canvas, group, shade, place, random):
    tilt, mirror = math.radians(random.uniform(-9, 9)), -1 if random.random() < 0.5 else 1
    scale, side = place.extent * canvas.width, canvas.width
    cosine, sine = scale * math.cos(tilt), scale * math.sin(tilt)

    def placed(points):
        return [(place.x * side + mirror * x * cosine - y * sine, place.y * side + mirror * x * sine + y * cosine)
                for x, y in points]

    colours = {MAIN: shade, DETAIL: detail(group.colour)}
    pen = ImageDraw.Draw(canvas)
    for points, colour in parts(group.kind):
        points = placed(points)
        # Of an object what has its colour has the pattern, not its windows and wheels.
        if group.texture == PLAIN or colour != MAIN:
            pen.polygon(points, fill=colours.get(colour, colour))
        else:
            fill_with_texture(canvas, points, group, shade, scale, random)


def detail(colour):
    """What is seen on a colour: dark on light ones, light on dark ones; a flower's yellow heart otherwise."""
    return {"black": (235, 235, 235), "brown": (245, 225, 170), "purple": (245, 215, 70), "blue": (245, 215, 70),
            "red": (245, 225, 90), "green": (245, 225, 90)}.get(COLOUR_NAMES[colour], (60, 44, 40))


def fill_with_texture(canvas, points, group, shade, scale, random):
    """The pattern is white, on light colours black; a rim of the thing's own colour holds it together."""
    left, top = (int(min(point[axis] for point in points)) - 2 for axis in (0, 1))
    width, height = (int(max(point[axis] for point in points)) + 3 - start for axis, start in ((0, left), (1, top)))
    mask = Image.new("L", (width, height), 0)
    local = [(x - left, y - top) for x, y in points]
    ImageDraw.Draw(mask).polygon(local, fill=255)
    fill = Image.new("RGB", (width, height), shade)
    pen = ImageDraw.Draw(fill)
    light = COLOUR_NAMES[group.colour] in ("white", "yellow", "pink", "orange")
    pattern(pen, group.texture, width, height, random.uniform(1, 1.3) * max(0.26 * scale, 0.075 * canvas.width),
            (25, 25, 30) if light else (245, 245, 245), random)
    pen.line(local + local[:1], fill=shade, width=max(2, int(0.05 * scale)))
    canvas.paste(fill, (left, top), mask)


def pattern(pen, texture, width, height, step, colour, random):
    """`step` is the pattern's period."""
    x0, y0 = -random.uniform(0, step), -random.uniform(0, step)
    if texture == STRIPED:
        slope = pick_slope(random, height)
        x = x0 - abs(slope)
        while x < width + abs(slope):
            end = x + 0.45 * step
            pen.polygon([(x, 0), (end, 0), (end + slope, height), (x + slope, height)], fill=colour)
            x += step
        return
    row, y = 0, y0
    while y < height:
        x = x0 - (step / 2 if row % 2 else 0)
        while x < width:
            if texture == SPOTTED:
                radius = 0.27 * step
                pen.ellipse([x, y, x + 2 * radius, y + 2 * radius], fill=colour)
            elif texture == CHEQUERED:
                pen.rectangle([x, y, x + step / 2, y + step / 2], fill=colour)
            x += step
        y += step / 2 if texture == CHEQUERED else 0.8 * step
        row += 1


def pick_slope(random, height):
    """How far a stripe leans over the height."""
    return random.uniform(-0.5, 0.5) * height
