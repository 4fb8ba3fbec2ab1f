"""Finds what tells foreign pictures by what the network makes of a picture at each resolution.

The last layer alone does not tell: what it is given is made to tell diseases. The layers before still know colours and
textures. A discriminant of their means over places tells known pictures from foreign ones; it is fitted to both in all
lights, as a leaf in the shade is a leaf.
"""

import json
from dataclasses import dataclass

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from PIL import Image
from safetensors.numpy import save_file

from . import discriminant, foreign, views
from .export import FILES
from .pictures import CLASSES, normalized, stretched

PARTS = 5
# Ways to divide the pictures into parts: thresholds of single ones differ.
DIVISIONS = 2
SEED = 2026
# The share of each kind of foreign pictures that may be certain: where 60 of 1515 photographs are, less than 5 % of
# others like them will be, at 95 % confidence.
FOREIGN_SHARE = 0.04
# Pictures as they are weigh as much as this many of the other views; photographs, the most varied kind, as three
# others.
WEIGHT_AS_IT_IS = 2
WEIGHTS = {"photographs": 3}
# What a foreign picture weighs of which the network is not sure: it is none that the rejection has to tell.
WEIGHT_UNSURE = 0.2
MADE_COUNT = 400
LAYERS = ("CONV_2D", "DEPTHWISE_CONV_2D")


class Scales:
    """The features that Apus reads where meta.json asks for `scales`: see `Graph.scales`."""

    def __init__(self, file, temperature):
        self.temperature = temperature
        self.network = Interpreter(
            str(file), num_threads=1, experimental_preserve_all_tensors=True,
            experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
        self.network.allocate_tensors()
        self.input, self.output = self.network.get_input_details()[0], self.network.get_output_details()[0]
        shapes = {tensor["index"]: tensor["shape"] for tensor in self.network.get_tensor_details()}
        last = {}
        for operator in self.network._get_ops_details():
            operand = operator["inputs"][0]
            if operator["op_name"] in LAYERS and operand != self.input["index"]:
                last[int(np.prod(shapes[operand][:-1]))] = operand
        self.operands = [last[places] for places in sorted(last, reverse=True)]

    def __call__(self, pictures, of_views):
        """Features [pictures, features] and highest scores [pictures] by view, of pictures with names."""
        seen = {name: ([], []) for name in of_views}
        for image, name_ in pictures:
            for name, view in of_views.items():
                for values, value in zip(seen[name], self.of(view(image, name_))):
                    values.append(value)
        return {name: Seen(np.stack(features), np.array(scores)) for name, (features, scores) in seen.items()}

    def of(self, image):
        self.network.set_tensor(self.input["index"], normalized(stretched(image, self.input["shape"][1]))[None])
        self.network.invoke()
        scores = self.network.get_tensor(self.output["index"])[0].astype(np.float64) ** (1 / self.temperature)
        features = [self.network.get_tensor(operand).mean(axis=(0, 1, 2)) for operand in self.operands]
        return np.concatenate(features), scores.max() / scores.sum()


def opened(paths):
    for path in paths:
        with Image.open(path) as image:
            yield image.convert("RGB"), path.name


def made():
    """Greys, colours, gradients and noise, as those that trained the network, but others."""
    random = np.random.default_rng(SEED)
    for number, pixels in enumerate(foreign.made(views.SIDE, random, MADE_COUNT)):
        yield Image.fromarray(pixels), f"made {number}"


@dataclass(frozen=True)
class Seen:
    features: np.ndarray
    scores: np.ndarray


@dataclass(frozen=True)
class Pictures:
    """Pictures of one kind by view. Those of a group are copies, and weigh as much as one; foreign ones have none."""

    kind: str
    seen: dict
    groups: np.ndarray | None = None

    def __len__(self):
        return len(self.seen[views.AS_IT_IS].features)

    def weights(self, chosen, threshold):
        """Of the views of chosen pictures, by view."""
        if self.groups is not None:
            shares = 1 / np.bincount(self.groups[chosen], minlength=self.groups.max() + 1)[self.groups[chosen]]
            return {name: shares * weight(name) for name in self.seen}
        whole = len(chosen) * sum(map(weight, self.seen))
        return {name: np.where(seen.scores[chosen] >= threshold, 1, WEIGHT_UNSURE) * weight(name)
                * WEIGHTS.get(self.kind, 1) / whole for name, seen in self.seen.items()}


def weight(view):
    return WEIGHT_AS_IT_IS if view == views.AS_IT_IS else 1


def fit(known, strangers, chosen, threshold):
    """A discriminant of chosen pictures: indices for each of known, then of foreign."""
    features, weights = [], [[], []]
    for index, (pictures, indices) in enumerate(zip((*known, *strangers), chosen, strict=True)):
        of_views = pictures.weights(indices, threshold)
        features += [seen.features[indices] for seen in pictures.seen.values()]
        weights[index >= len(known)] += [of_views[name] for name in pictures.seen]
    halves = [np.concatenate(half) for half in weights]
    return discriminant.fit(
        np.concatenate(features), np.repeat([False, True], [len(half) for half in halves]),
        np.concatenate([half / half.sum() / 2 for half in halves]))


def held_out(known, strangers, threshold, random):
    """What fits without a picture's own part say of foreign ones, by kind.

    Of known ones a photograph goes whole to one part, with all of its copies.
    """
    parts = []
    for pictures in (*known, *strangers):
        numbers = np.arange(len(pictures)) if pictures.groups is None else pictures.groups
        numbers = np.unique(numbers, return_inverse=True)[1]
        parts.append(random.permutation(numbers.max() + 1)[numbers] % PARTS)
    novelties = [np.zeros(len(pictures)) for pictures in strangers]
    for part in range(PARTS):
        tells = fit(known, strangers, [np.flatnonzero(places != part) for places in parts], threshold)
        for values, places, pictures in zip(novelties, parts[len(known):], strangers):
            values[places == part] = tells(pictures.seen[views.AS_IT_IS].features[places == part])
    return novelties


def bound(novelties, strangers, threshold):
    """The greatest novelty at which of no kind more than FOREIGN_SHARE are certain."""
    bounds = []
    for values, pictures in zip(novelties, strangers):
        certain = np.sort(values[pictures.seen[views.AS_IT_IS].scores >= threshold])
        allowed = int(FOREIGN_SHARE * len(pictures))
        bounds.append(np.nextafter(np.float32(certain[allowed]), -np.inf) if len(certain) > allowed else np.inf)
    return float(min(bounds))


@dataclass(frozen=True)
class Found:
    threshold: float
    # Of each kind how many pictures there are, and how many are certain by fits without them, on average.
    kinds: dict


def find(folder, apus, data, kinds):
    """Fits a rejection to leaves of validation and training, to files by kind and to made pictures, and writes it."""
    threshold = apus.stated["threshold_default"]
    see = Scales(folder / FILES["float32"], apus.stated["temperature"])
    known = [
        Pictures(part, see(opened(picture.path for picture in data.part(part)), of_views),
                 data.split.photograph[data.split.indices(part)])
        for part, of_views in (("validation", views.NEW), ("train", views.TRAINED))]
    strangers = [Pictures(kind, see(opened(files), views.FOREIGN)) for kind, files in kinds.items()]
    strangers.append(Pictures("made pictures", see(made(), views.FOREIGN)))
    random = np.random.default_rng(SEED)
    divisions = [held_out(known, strangers, threshold, random) for _ in range(DIVISIONS)]
    novelty = float(np.mean([bound(novelties, strangers, threshold) for novelties in divisions]))
    everything = [np.arange(len(pictures)) for pictures in (*known, *strangers)]
    write(folder, fit(known, strangers, everything, threshold), novelty)
    certain = {
        pictures.kind: np.mean([
            ((pictures.seen[views.AS_IT_IS].scores >= threshold) & (novelties[index] <= novelty)).sum()
            for novelties in divisions])
        for index, pictures in enumerate(strangers)}
    return Found(
        novelty, {pictures.kind: (len(pictures), float(certain[pictures.kind])) for pictures in strangers})


def write(folder, tells, novelty):
    """Writes `rejection.apus` and what `meta.json` says of it.

    Apus takes the squared distance from a class less that from the foreign pictures. Each square of the discriminant has
    an axis: there the former is the square, and the latter nothing or, where the sign is a minus, twice it. The linear
    term has the last axis: along it the difference of the distances from two places half a unit apart.
    """
    sizes = np.sqrt(np.abs(tells.signs))
    places = np.append(-tells.shifts * sizes, -tells.bias - 0.25)
    others = np.append(-tells.shifts * sizes, -tells.bias + 0.25)
    factor = np.diag(np.append(np.where(tells.signs < 0, np.sqrt(2), 0), 1))
    tensors = {
        "center": tells.center, "basis": np.concatenate([tells.rows * sizes[:, None], tells.linear[None]]),
        "means": places[None], "foreign.mean": others, "foreign.factor": factor}
    save_file({name: np.ascontiguousarray(values, np.float32) for name, values in tensors.items()},
              folder / "rejection.apus",
              {"format": "apus.rejection", "version": "1", "classes": str(len(CLASSES))})
    path = folder / "meta.json"
    stated = json.loads(path.read_text())
    stated["rejection"] = {"file": "rejection.apus", "threshold": novelty, "features": "scales"}
    path.write_text(json.dumps(stated) + "\n")
