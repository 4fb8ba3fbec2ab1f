"""Classifiers of keras.applications beside MobileNetV2: what is known of them without Keras, and pictures."""

from dataclasses import dataclass

import numpy as np

SEED = 20240613

# How many squares stand side by side in the layers of a picture, and how much each layer counts.
SQUARES = {3: 0.4, 12: 0.3, 48: 0.2, 224: 0.1}


@dataclass(frozen=True)
class Classifier:
    """`name` begins the names of its files; `architecture` is its function in keras.applications."""

    name: str
    architecture: str
    size: int = 224
    # What stands for black and white: many networks begin with a layer that scales bytes.
    pixels: tuple[float, float] = (-1, 1)

    @property
    def title(self):
        return f"Keras {self.architecture} {self.size}"


BYTES = (0, 255)
CLASSIFIERS = {
    classifier.name: classifier
    for classifier in [
        Classifier("mobilenet", "MobileNet"),
        Classifier("mobilenetv3-small", "MobileNetV3Small", pixels=BYTES),
        Classifier("mobilenetv3-large", "MobileNetV3Large", pixels=BYTES),
        Classifier("efficientnet-b0", "EfficientNetB0", pixels=BYTES),
        Classifier("efficientnetv2-b0", "EfficientNetV2B0", pixels=BYTES),
        Classifier("resnet50", "ResNet50"),
        Classifier("inception-v3", "InceptionV3", size=299),
        Classifier("densenet121", "DenseNet121"),
        Classifier("nasnet-mobile", "NASNetMobile"),
    ]
}


def pictures(classifier, count, seed=SEED):
    """Squares of many sizes and colours above each other, as bytes: like photographs in that neighbours are alike."""
    random = np.random.default_rng(seed)
    places = np.arange(classifier.size)
    sums = np.zeros((count, classifier.size, classifier.size, 3))
    for squares, weight in SQUARES.items():
        colours = random.uniform(0, weight, (count, squares, squares, 3))
        at = places * squares // classifier.size
        sums += colours[:, at][:, :, at]
    return np.rint(sums * 255).astype(np.uint8)


def scaled(classifier, levels):
    """Pictures as the float32 that the network takes."""
    black, white = classifier.pixels
    return (levels / 255 * (white - black) + black).astype(np.float32)
