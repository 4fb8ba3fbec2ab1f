"""Finds what tells foreign pictures by what the network makes of a picture at each resolution.

The last layer alone does not tell: what it is given is made to tell diseases, and at 5 % of ImageNet's photographs
every rejection by it costs a fifth of the right answers. The layers before still know colours and textures. A logistic
regression on their means over places tells known pictures from foreign ones.
"""

import json
from dataclasses import dataclass

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from safetensors.numpy import save_file

from .export import FILES
from .pictures import CLASSES, normalized, pixels

# The weight of the squared coefficients in the loss, of which known and foreign pictures make half each.
PENALTY = 0.01
PARTS = 5
# Ways to divide the pictures into parts: thresholds of single ones differ by half a unit of novelty.
DIVISIONS = 10
SEED = 2026
STEPS = 30
# The share of each kind of foreign pictures that may be certain: the greatest of which 591 photographs say, at 95 %
# confidence, that of those to come it is below 5 %.
FOREIGN_SHARE = 0.035
LAYERS = ("CONV_2D", "DEPTHWISE_CONV_2D")


class Scales:
    """The features that Apus reads where meta.json asks for `scales`: see `Graph.scales`."""

    def __init__(self, file):
        self.network = Interpreter(
            str(file), num_threads=1, experimental_preserve_all_tensors=True,
            experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
        self.network.allocate_tensors()
        self.input = self.network.get_input_details()[0]
        shapes = {tensor["index"]: tensor["shape"] for tensor in self.network.get_tensor_details()}
        last = {}
        for operator in self.network._get_ops_details():
            operand = operator["inputs"][0]
            if operator["op_name"] in LAYERS and operand != self.input["index"]:
                last[int(np.prod(shapes[operand][:-1]))] = operand
        self.operands = [last[places] for places in sorted(last, reverse=True)]

    def __call__(self, paths):
        """[pictures, features]"""
        return np.stack([self.of(pixels(path, self.input["shape"][1])) for path in paths])

    def of(self, picture):
        self.network.set_tensor(self.input["index"], normalized(picture)[None])
        self.network.invoke()
        return np.concatenate([self.network.get_tensor(operand).mean(axis=(0, 1, 2)) for operand in self.operands])


@dataclass(frozen=True)
class Discriminant:
    center: np.ndarray
    weights: np.ndarray

    def __call__(self, features):
        """Above 0 where a picture is likelier foreign than known."""
        return (features - self.center) @ self.weights


def fit(known, foreign):
    """A logistic regression by Newton's method in the space of the pictures, in which it is small."""
    everything = np.concatenate([known, foreign]).astype(np.float64)
    middle, scale = everything.mean(axis=0), everything.std(axis=0) + 1e-9
    left, sizes, right = np.linalg.svd((everything - middle) / scale, full_matrices=False)
    rows = np.column_stack([left * sizes, np.ones(len(everything))])
    is_foreign = np.arange(len(rows)) >= len(known)
    share = np.where(is_foreign, 0.5 / len(foreign), 0.5 / len(known))
    penalty = np.full(rows.shape[1], PENALTY)
    penalty[-1] = 0
    answer = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-rows @ answer))
        slope = rows.T @ (share * (likely - is_foreign)) + penalty * answer
        curvature = (rows * (share * likely * (1 - likely) + 1e-9)[:, None]).T @ rows + np.diag(penalty)
        answer -= np.linalg.solve(curvature, slope)
    weights = right.T @ answer[:-1] / scale
    # The place at which both are as likely.
    return Discriminant(middle - answer[-1] * weights / (weights @ weights), weights)


def held_out(known, groups, foreign, random):
    """What fits without a picture's own part say of it: photographs of known ones go whole to one."""
    numbers = np.unique(groups, return_inverse=True)[1]
    parts = random.permutation(numbers.max() + 1)[numbers] % PARTS, random.permutation(len(foreign)) % PARTS
    novelties = np.zeros(len(known)), np.zeros(len(foreign))
    for part in range(PARTS):
        tells = fit(known[parts[0] != part], foreign[parts[1] != part])
        for values, places, features in zip(novelties, parts, (known, foreign)):
            values[places == part] = tells(features[places == part])
    return novelties


def threshold(novelties, is_sure, kinds):
    """The greatest novelty at which of no kind more than FOREIGN_SHARE are certain."""
    bounds = []
    for kind in sorted(set(kinds)):
        of_kind = np.array([other == kind for other in kinds])
        certain = np.sort(novelties[of_kind & is_sure])
        allowed = int(FOREIGN_SHARE * of_kind.sum())
        bounds.append(np.nextafter(np.float32(certain[allowed]), -np.inf) if len(certain) > allowed else np.inf)
    return float(min(bounds))


@dataclass(frozen=True)
class Found:
    threshold: float
    # Of each kind how many pictures there are, and how many are certain by fits without them, on average.
    kinds: dict


def find(folder, apus, data, foreign):
    """Fits a rejection to the validation pictures and to files by kind, and writes it."""
    known, kinds = data.part("validation"), [kind for kind, files in foreign.items() for _ in files]
    files = [file for of_kind in foreign.values() for file in of_kind]
    seen = Scales(folder / FILES["float32"])
    known_features, foreign_features = seen([picture.path for picture in known]), seen(files)
    groups = data.split.photograph[data.split.indices("validation")]
    scores = apus.scores(FILES["float32"], files, ("temperature",)).max(axis=1)
    is_sure = scores >= apus.stated["threshold_default"]
    random = np.random.default_rng(SEED)
    novelties = [held_out(known_features, groups, foreign_features, random)[1] for _ in range(DIVISIONS)]
    bound = float(np.mean([threshold(of_division, is_sure, kinds) for of_division in novelties]))
    write(folder, fit(known_features, foreign_features), bound)
    certain = (is_sure & (np.array(novelties) <= bound)).mean(axis=0)
    return Found(bound, {kind: (len(of_kind), float(certain[[other == kind for other in kinds]].sum()))
                         for kind, of_kind in foreign.items()})


def write(folder, tells, bound):
    """Writes `rejection.apus` and what `meta.json` says of it.

    Apus takes the squared distance from a class less that from the foreign pictures: with one axis and these places of
    them, that is the discriminant.
    """
    def row(*values):
        return np.array(values, np.float32)

    tensors = {
        "center": tells.center.astype(np.float32), "basis": tells.weights.astype(np.float32)[None],
        "means": row(-0.25)[None], "foreign.mean": row(0.25), "foreign.factor": row(1)[None]}
    save_file(tensors, folder / "rejection.apus",
              {"format": "apus.rejection", "version": "1", "classes": str(len(CLASSES))})
    path = folder / "meta.json"
    stated = json.loads(path.read_text())
    stated["rejection"] = {"file": "rejection.apus", "threshold": bound, "features": "scales"}
    path.write_text(json.dumps(stated) + "\n")
