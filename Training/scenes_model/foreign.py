"""Pictures that show no scene, made here: what the rejection is fitted to. No photograph is needed for it."""
import math
import pathlib

import numpy
from PIL import Image, ImageDraw

from .renderer import SIDE


def noise(random):
    """Greys or colours of any grain, and one colour alone."""
    cells = (1, 2, 2, 3, 4, 8, 32, SIDE)[random.integers(8)]
    channels = 3 if random.random() < 0.6 else 1
    small = random.integers(0, 256, (cells, cells, channels), dtype=numpy.uint8).repeat(3 // channels, axis=2)
    filters = Image.Resampling.NEAREST, Image.Resampling.BILINEAR, Image.Resampling.BICUBIC
    return Image.fromarray(small).resize((SIDE, SIDE), filters[random.integers(3)])


def clouds(random):
    """Noise whose spectrum falls with frequency as photographs' does (Baradad et al. 2021)."""
    frequencies = numpy.fft.fftfreq(SIDE)
    stretch = random.uniform(0.5, 2, 2)
    radius = numpy.hypot(stretch[0] * frequencies[:, None], stretch[1] * frequencies[None, :])
    radius[0, 0] = math.inf
    amplitude = radius ** -random.uniform(0.7, 2.2)
    planes = [numpy.fft.ifft2(numpy.fft.fft2(random.normal(size=(SIDE, SIDE))) * amplitude).real for _ in range(3)]
    channels = numpy.stack([plane / plane.std() for plane in planes], -1)
    # Colours go together more or less.
    channels = channels @ (numpy.eye(3) * random.uniform(0, 0.6) + 1 / 3)
    light, contrast, tint = random.uniform(60, 190), random.uniform(15, 70), random.uniform(-40, 40, 3)
    return to_image(light + tint + contrast * channels / channels.std())


def leaves(random):
    """Things of all sizes over one another, the area of each size alike (dead leaves, Lee, Mumford and Huang 2001)."""
    base, spread = random.integers(0, 256, 3), random.uniform(20, 128)
    colour = lambda: tuple(int(channel) for channel in numpy.clip(base + random.normal(0, spread, 3), 0, 255))
    picture = Image.new("RGB", (SIDE, SIDE), colour())
    pen = ImageDraw.Draw(picture)
    smallest, largest = 0.01, 0.5
    for _ in range(random.integers(15, 300)):
        radius = SIDE / math.sqrt(random.uniform(largest ** -2, smallest ** -2))
        x, y = random.uniform(0, SIDE, 2)
        if random.random() < 0.35:
            across, down = radius, radius * random.uniform(0.3, 1)
            pen.ellipse([x - across, y - down, x + across, y + down], fill=colour())
        else:
            angles = numpy.sort(random.uniform(0, 2 * math.pi, random.integers(3, 8)))
            pen.polygon([(x + reach * math.cos(angle), y + reach * math.sin(angle))
                         for angle, reach in zip(angles, radius * random.uniform(0.4, 1, len(angles)))], fill=colour())
    return picture


def veiled_leaves(random):
    return Image.blend(leaves(random), clouds(random), random.uniform(0.15, 0.6))


def lines(random):
    """What a pen might draw or write on a plain ground."""
    ground = random.integers(0, 256, 3) if random.random() < 0.6 else numpy.repeat(random.choice([0, 255]), 3)
    picture = Image.new("RGB", (SIDE, SIDE), tuple(map(int, ground)))
    pen = ImageDraw.Draw(picture)
    for _ in range(random.integers(1, 13)):
        colour = random.integers(0, 256, 3) if random.random() < 0.5 else 255 - ground
        angle, step, bend = random.uniform(0, 2 * math.pi), random.uniform(0.05, 0.25) * SIDE, random.uniform(0, 1.2)
        points = [tuple(random.uniform(0.1, 0.9, 2) * SIDE)]
        for _ in range(random.integers(2, 9)):
            angle += random.normal(0, bend)
            points.append((points[-1][0] + step * math.cos(angle), points[-1][1] + step * math.sin(angle)))
        pen.line(points, fill=tuple(map(int, colour)), width=max(1, int(random.uniform(0.005, 0.12) * SIDE)), joint="curve")
    return picture


def to_image(channels):
    return Image.fromarray(numpy.clip(channels, 0, 255).astype(numpy.uint8))


MAKERS = (noise, clouds, leaves, veiled_leaves, lines)


def draw_foreign(folder, count, seed):
    """Writes so many pictures of each kind, those of one kind side by side in the order of names."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for number, make in enumerate(MAKERS):
        random = numpy.random.default_rng((seed, 13, number))
        for index in range(count):
            make(random).save(folder / f"{number}-{index:04d}.png")
