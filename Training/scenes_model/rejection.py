"""What tells the model's foreign pictures: fitted by apus to pictures drawn here, judged by sets of others."""
import gzip
import json
import shutil
import subprocess

import numpy
from PIL import Image

from . import renderer
from .foreign import draw_foreign
from .scene import training_scene

KNOWN_PICTURES, MADE_OF_KIND = 3000, 600
#: The share of the made pictures that may be certain.
FOREIGN_SHARE = 0.02

#: Sets that nothing was fitted to, by their folder below the one that is given.
JUDGES = {
    "photographs of ImageNet, each of another class": "imagenet150/images",
    "photographs of COCO": "photo_search/coco",
    "photographs of rice leaves": "rice_images",
    "photographs of CIFAR-10, 32 × 32": "small_sets/cifar10_jpg",
    "digits of MNIST": "small_sets/mnist",
    "pictures that try decoders": "images_odd",
}
DIGITS = 500


def fit(apus, folder, work, seed):
    """Writes the folder's `meta.json` and `rejection.apus`; returns what `apus calibrate` says."""
    random = numpy.random.default_rng((seed, 12))
    known, made = work / "known", work / "made"
    for drawn in (known, made):
        shutil.rmtree(drawn, ignore_errors=True)
        drawn.mkdir(parents=True)
    for index in range(KNOWN_PICTURES):
        renderer.draw(training_scene(random), random).save(known / f"{index:04d}.png")
    draw_foreign(made, MADE_OF_KIND, seed)
    result = subprocess.run(
        [apus, "calibrate", folder, "--data", known, "--none", made, "--foreign", str(FOREIGN_SHARE), "--json"],
        capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def measure_foreign(apus, models, data, work, labels):
    """For each judging set how many pictures there are, have a best score of 0.5 or more, and are certain.

    - models: folder and precision of each form.
    """
    rows = []
    for name, place in JUDGES.items():
        place = written_digits(data / place, work / "digits") if "mnist" in place else data / place
        forms = [answers(apus, model, place, labels, precision) for model, precision in models]
        rows.append({"name": name, "pictures": len(forms[0]), "sure": sum(score >= 0.5 for score, _ in forms[0]),
                     "certain": [sum(certain for _, certain in form) for form in forms]})
    return rows


def answers(apus, model, folder, labels, precision):
    """The best score of every picture below a folder that apus can read, and whether its answer is certain."""
    options = [word for label in labels for word in ("--label", label)]
    # Some pictures that try decoders are none: it then ends with 5.
    result = subprocess.run([apus, "zero-shot", folder, "--model", model, "--precision", precision, "--top-k", "1",
                             "--json", *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    return [(row["scores"][0]["score"], not row["uncertain"]) for row in rows if "scores" in row]


def written_digits(folder, out):
    """The first digits of the test set as files."""
    pixels = gzip.decompress((folder / "t10k-images-idx3-ubyte.gz").read_bytes())[16:]
    out.mkdir(parents=True, exist_ok=True)
    for index, digit in enumerate(numpy.frombuffer(pixels, numpy.uint8).reshape(-1, 28, 28)[:DIGITS]):
        Image.fromarray(digit).save(out / f"{index:03d}.png")
    return out
