"""Scenes for the last part of the training: some objects have patterns too, which no task and no sentence has.

Where only shapes have patterns, what is bound to which of two things is learned by heart for those eight kinds.
"""
import dataclasses

from .attributes import CHEQUERED, PLAIN, SHAPES
from .scene import training_scene

#: Of the objects.
PATTERNED_SHARE = 1 / 3


def patterned_scene(random):
    """Nothing of it is held out: no object's texture is."""
    scene = training_scene(random)
    return dataclasses.replace(scene, groups=tuple(patterned(group, random) for group in scene.groups))


def patterned(group, random):
    if group.kind < len(SHAPES) or random.random() >= PATTERNED_SHARE:
        return group
    return dataclasses.replace(group, texture=int(random.integers(PLAIN + 1, CHEQUERED + 1)))
