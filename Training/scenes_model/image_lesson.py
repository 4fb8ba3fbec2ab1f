"""What the picture's tower learns: the vector of the scene that a picture shows."""
import numpy
import torch

from .code_blocks import BLOCKS
from .model import VECTOR_LENGTH, new_model
from .patch_head import PatchHead, patch_targets
from .pictures import TrainingSet
from .scene import Scene
from .scene_code import scene_codes
from .untaught import taught

#: Columns of `Scene.numbers` that a mirrored picture changes: left and right.
MIRRORED_POSITION = numpy.array([2, 1, 0, 5, 4, 3, 8, 7, 6, -1], numpy.int8)
MIRRORED_RELATION = numpy.array([1, 0, 2, 3, -1], numpy.int8)
#: How much the squared distance to the scene's vector and the patches count.
VECTOR_SHARE, PATCH_SHARE = 5.0, 8.0
#: In the last part of the training what is bound to a kind counts so many times as much.
LAST_BOUND = 2.5


def care(bound=1.0):
    """How much each number of a vector counts. - bound: how many times as much those of what is bound to a kind."""
    return torch.cat([
        torch.full((block.size,), block.care * (bound if block.name == "bindings" else 1.0)) for block in BLOCKS])


class ImageLesson(torch.nn.Module):
    """- pictures: the folder and the number of the drawn pictures; part, parts: this process among all."""

    def __init__(self, pictures, vocabulary, batch, seed, part, parts):
        super().__init__()
        self.care = care()
        self.pictures, self.size, self.seed, self.part, self.parts = TrainingSet(*pictures), batch, seed, part, parts
        self.tower = new_model(vocabulary, seed).vision_model
        self.patches = PatchHead()
        self.noise = numpy.random.default_rng((seed, 3)).standard_normal(1 << 22, numpy.float32)
        self.epoch, self.order = -1, None

    def losses(self, step):
        """The loss of the batch of a step, the same wherever a run began, and figures to report."""
        pixels, scenes, patches = self.batch(step, numpy.random.default_rng((self.seed, 2, step, self.part)))
        with torch.autocast("cpu", torch.bfloat16):
            seen = self.tower(torch.from_numpy(pixels))
        goal = VECTOR_LENGTH * scene_codes(torch.from_numpy(scenes.astype(numpy.int64)))
        errors = ((seen.pooler_output.float() - goal) / VECTOR_LENGTH) ** 2 * torch.from_numpy(taught(scenes))
        loss, figures = VECTOR_SHARE * (errors * self.care).sum(1).mean(), {"vector": errors.sum(1).mean()}
        if self.patches is not None:
            targets = torch.from_numpy(patch_targets(scenes, patches))
            figures["patches"] = self.patches.loss(seen.last_hidden_state.float(), targets)
            loss = loss + PATCH_SHARE * figures["patches"]
        return loss, figures

    def batch(self, step, random):
        """Pixels in −1…1, [n, 3, side, side], scenes and patches; half of them mirrored."""
        indices = self.indices(step)
        pixels, patches = self.pictures.pictures(indices), self.pictures.patches[indices]
        scenes = self.pictures.scenes[indices].copy()
        mirrored = mirror(scenes)
        chosen = random.random(len(indices)) < 0.5
        chosen &= [not Scene.of(row).is_held_out for row in mirrored]
        pixels[chosen], patches[chosen] = pixels[chosen, :, ::-1], patches[chosen, :, ::-1]
        scenes[chosen] = mirrored[chosen]
        return self.augmented(pixels, random), scenes, patches

    def indices(self, step):
        """All parts together take each picture once an epoch."""
        count = len(self.pictures)
        epoch, turn = divmod(step, count // (self.size * self.parts))
        if epoch != self.epoch:
            self.epoch, self.order = epoch, numpy.random.default_rng((self.seed, 4, epoch)).permutation(count)
        start = (turn * self.parts + self.part) * self.size
        return self.order[start:start + self.size]

    def augmented(self, pixels, random):
        """In −1…1, [n, 3, side, side]: brightness, contrast, tint and noise vary a little."""
        count = len(pixels)
        normal = lambda *shape: random.standard_normal(shape, numpy.float32)
        values = pixels.transpose(0, 3, 1, 2).astype(numpy.float32) * (2 / 255) - 1
        gain = 1 + 0.04 * normal(count, 1, 1, 1)
        offset = 0.03 * normal(count, 1, 1, 1) + 0.015 * normal(count, 3, 1, 1)
        strength = 0.05 * random.random((count, 1, 1, 1), numpy.float32)
        extent = values[0].size
        starts = random.integers(0, len(self.noise) - extent, count)
        noise = numpy.stack([self.noise[start:start + extent] for start in starts]).reshape(values.shape)
        return numpy.clip(values * gain + offset + strength * noise, -1, 1)


class LastImageLesson(ImageLesson):
    """The end of it, for a tower that knows all else: what is bound to which kind.

    - tower: the values that it begins with. Patches teach it nothing any more.
    """

    def __init__(self, tower, *arguments, **parts):
        super().__init__(*arguments, **parts)
        self.care, self.patches = care(LAST_BOUND), None
        self.tower.load_state_dict(tower)


def mirror(scenes):
    """The scenes with left and right exchanged."""
    scenes = scenes.copy()
    scenes[:, 1], scenes[:, 2] = MIRRORED_POSITION[scenes[:, 1]], MIRRORED_RELATION[scenes[:, 2]]
    return scenes
