"""Learns the vectors of meanings: near those of the scenes that they are true of, and far from all others."""
import json
import math
import multiprocessing

import numpy
import torch

from . import sampling
from .code_blocks import WIDTH, unit
from .meaning import truth
from .meaning_code import MeaningCode
from .scene import Scene, changed, training_scene
from .scene_code import scene_codes

SCENES, PART = 200_000, 20_000
STEPS, BATCH, PEAK = 3000, 256, 1e-2
#: Length of the noise beside a scene's vector: pictures will not say it exactly.
NOISE = 0.3


def scenes_and_meanings(task):
    """Neighbours that differ in one attribute, and of each something true and the same with one thing wrong:
    [n, 13] and [n, 2, 13]."""
    random, scenes, meanings = numpy.random.default_rng(task), [], []

    def tell(scene):
        said = sampling.said_of(scene, random)
        scenes.append(scene.numbers())
        meanings.append([said.numbers(), sampling.something_wrong(said, random).numbers()])

    for _ in range(PART // 2):
        scene = training_scene(random)
        tell(scene)
        tell(changed(scene, random))
    return numpy.array(scenes, numpy.int8), numpy.array(meanings, numpy.int8)


def rate(step):
    """The learning rate as a part of its peak: up, level, and along a cosine down from the middle on."""
    return min(1.0, (step + 1) / 100, 0.5 * (1 + math.cos(math.pi * max(0, 2 * step / STEPS - 1))))


def learn_meanings(seed):
    """Returns a `MeaningCode`: the pairwise sigmoid loss of SigLIP over scenes and meanings, without pictures."""
    with multiprocessing.Pool(2) as pool:
        parts = pool.map(scenes_and_meanings, [(seed, 7, part) for part in range(SCENES // PART)])
    scenes, meanings = (numpy.concatenate(arrays) for arrays in zip(*parts))
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    code = MeaningCode()
    scale, bias = torch.nn.Parameter(torch.tensor(math.log(16))), torch.nn.Parameter(torch.tensor(-8.0))
    optimizer = torch.optim.AdamW([*code.parameters(), scale, bias], lr=PEAK, betas=(0.9, 0.98), weight_decay=0)
    random = numpy.random.default_rng((seed, 8))
    for step in range(STEPS):
        optimizer.param_groups[0]["lr"] = PEAK * rate(step)
        chosen = 2 * random.integers(len(scenes) // 2, size=BATCH // 2)
        chosen = numpy.stack([chosen, chosen + 1], 1).reshape(-1)
        shown, said = scenes[chosen], meanings[chosen].reshape(-1, Scene.COLUMNS)
        logits = similarity(shown, said, code) * scale.exp() + bias
        loss = pairwise(logits, torch.from_numpy(truth(shown, said).astype(numpy.float32)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (step + 1) % 500 == 0:
            print(json.dumps({"meanings": step + 1, "of": STEPS, "loss": round(loss.item(), 3)}), flush=True)
    return code.requires_grad_(False)


def similarity(scenes, meanings, code):
    codes = scene_codes(torch.from_numpy(scenes.astype(numpy.int64)))
    codes = unit(codes + NOISE / WIDTH ** 0.5 * torch.randn_like(codes))
    return codes @ code(torch.from_numpy(meanings.astype(numpy.int64))).T


def pairwise(logits, truth):
    """- truth: of −1, 0, 1; what is not known counts for nothing. The sum over meanings, the mean over scenes."""
    return -(torch.nn.functional.logsigmoid(truth * logits) * truth.abs()).sum() / len(truth)
