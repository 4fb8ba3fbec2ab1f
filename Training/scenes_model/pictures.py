"""Draws the training pictures once, into files that the batches are taken from."""
import json
import multiprocessing
import pathlib

import numpy
from PIL import Image

from . import renderer
from .scene import Scene, placements

SIDE, PATCH = 96, 12
GRID = SIDE // PATCH
#: Half the side of a shipped sample: as sharp after the reduction, and four times as fast.
DRAWN_SIDE = 192
#: Pictures of one file, drawn from one seed.
SHARD = 2048
RESAMPLING = Image.Resampling.BICUBIC


def owners(places):
    """For each patch the group that covers its middle, from 1, or 0; and 4 more where a thing's centre is."""
    middles = (numpy.arange(GRID) + 0.5) / GRID
    result = numpy.zeros((GRID, GRID), numpy.uint8)
    for place in places:
        reach = max(0.5 * place.extent, 0.5 / GRID)
        across, down = numpy.abs(middles - place.x) <= reach, numpy.abs(middles - place.y) <= reach
        result[down[:, None] & across[None, :]] = place.group + 1
    for place in places:
        cell = min(GRID - 1, int(place.y * GRID)), min(GRID - 1, int(place.x * GRID))
        result[cell] = place.group + 1 + 4
    return result


def draw_shard(task):
    folder, seed, shard, any_scene = task
    random = numpy.random.default_rng((seed, shard))
    pixels = numpy.empty((SHARD, SIDE, SIDE, 3), numpy.uint8)
    patches = numpy.empty((SHARD, GRID, GRID), numpy.uint8)
    scenes = numpy.empty((SHARD, Scene.COLUMNS), numpy.int8)
    for index in range(SHARD):
        scene = any_scene(random)
        places = placements(scene, random)
        drawn = renderer.draw(scene, random, DRAWN_SIDE, places)
        pixels[index] = drawn.resize((SIDE, SIDE), RESAMPLING)
        patches[index], scenes[index] = owners(places), scene.numbers()
    for name, values in (("pixels", pixels), ("patches", patches), ("scenes", scenes)):
        numpy.save(folder / f"{name}-{shard:04d}.npy", values)
    return shard


def draw_training_set(folder, count, seed, any_scene, processes):
    """Draws what is not there yet: 28 KB for each picture.

    - any_scene: makes a random scene of a generator.
    """
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    missing = [shard for shard in range(-(-count // SHARD)) if not (folder / f"scenes-{shard:04d}.npy").exists()]
    tasks = [(folder, seed, shard, any_scene) for shard in missing]
    with multiprocessing.Pool(processes) as pool:
        for done, shard in enumerate(pool.imap_unordered(draw_shard, tasks), 1):
            print(json.dumps({"drawn": done * SHARD, "of": len(missing) * SHARD}), flush=True)


class TrainingSet:
    """The drawn pictures, mapped into memory."""

    def __init__(self, folder, count):
        shards = range(-(-count // SHARD))
        load = lambda name, mode: [numpy.load(pathlib.Path(folder) / f"{name}-{s:04d}.npy", mode) for s in shards]
        self.pixels = load("pixels", "r")
        self.patches = numpy.concatenate(load("patches", None))
        self.scenes = numpy.concatenate(load("scenes", None))

    def __len__(self):
        return len(self.scenes)

    def pictures(self, indices):
        return numpy.stack([self.pixels[index // SHARD][index % SHARD] for index in indices])
