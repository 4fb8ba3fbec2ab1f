"""What becomes of pictures in other light and out of focus."""

import zlib

import numpy as np
from PIL import Image, ImageFilter

# Of random views: the part of the light, the deviation of the logarithms of the colours' gains, how many are out of
# focus and by how many pixels.
LIGHT = (0.25, 1.05)
BALANCE = 0.07
BLURRED_SHARE = 0.3
BLUR = (0.3, 2.0)
# Larger pictures are made as small as those of leaves before, so that pixels of a blur mean the same.
SIDE = 192
AS_IT_IS = "as it is"


def same(picture, _):
    return picture


def dimming(light):
    return lambda picture, _="": picture.point(lambda byte: int(byte * light))


def blurring(deviation):
    return lambda picture, _="": picture.filter(ImageFilter.GaussianBlur(deviation))


def random_view(number):
    """A view of random light, white balance and focus; of a picture's name and this number always the same."""
    def view(picture, name):
        random = np.random.default_rng(zlib.crc32(f"{name}{number}".encode()))
        if min(picture.size) > SIDE:
            picture = picture.resize((SIDE, SIDE), Image.Resampling.BILINEAR)
        light, gains = random.uniform(*LIGHT), np.exp(random.normal(0, BALANCE, 3))
        bytes_ = np.asarray(picture, np.float32) * (light * gains / gains.mean())
        picture = Image.fromarray(np.clip(bytes_, 0, 255).astype(np.uint8))
        if random.random() < BLURRED_SHARE:
            picture = picture.filter(ImageFilter.GaussianBlur(random.uniform(*BLUR)))
        return picture
    return view


def dimmed(*lights):
    return {f"at {light:.0%}": dimming(light) for light in lights}


def random_views(count):
    return {f"random {number}": random_view(number) for number in range(count)}


# The views of leaves that did not train the network, of those that did, and of foreign pictures.
NEW = {AS_IT_IS: same, **dimmed(0.7, 0.5, 0.3), "blurred": blurring(2), **random_views(6)}
TRAINED = {AS_IT_IS: same, **dimmed(0.3), **random_views(2)}
FOREIGN = {AS_IT_IS: same, **dimmed(0.5), **random_views(2)}
