"""Random views of pictures: turned, mirrored, cropped, and in other light. All of a batch at once."""

import math

import torch
from torch.nn import functional

AREA = (0.3, 1.1)
ASPECT = 4 / 3
LIGHT = 0.4
HUE = 0.08
GREY_SHARE = 0.1
# Weights of red, green and blue in luma (ITU-R BT.601).
LUMA = (0.299, 0.587, 0.114)
# Of the views that are made worse: how many are darkened and blurred, to what part of their light, and by what
# deviation in pixels.
DARK_SHARE = 0.4
DARKEST = 0.2
BLURRED_SHARE = 0.3
BLUR = (0.5, 3.0)
BLUR_RADIUS = 7


def views(pictures, side, random):
    """A random view of each picture: uint8 [batch, 3, height, width] to float [batch, 3, side, side] in −1…1."""
    images = pictures.float() / 127.5 - 1
    grid = functional.affine_grid(placements(len(images), random), (len(images), 3, side, side), align_corners=False)
    images = functional.grid_sample(images, grid, padding_mode="reflection", align_corners=False)
    return relit(images, random).contiguous(memory_format=torch.channels_last)


def placements(count, random):
    """Affine maps [count, 2, 3] of the view to the picture: any angle, half of them mirrored."""
    area = uniform(count, *AREA, random)
    aspect = torch.exp(uniform(count, -math.log(ASPECT), math.log(ASPECT), random))
    width, height = torch.sqrt(area * aspect), torch.sqrt(area / aspect)
    mirror = torch.randint(0, 2, (count,), generator=random) * 2 - 1
    angle = uniform(count, 0, 2 * math.pi, random)
    cosine, sine = torch.cos(angle), torch.sin(angle)
    room = (1 - torch.stack([width, height])).clamp(min=0)
    x, y = room * torch.stack([uniform(count, -1, 1, random), uniform(count, -1, 1, random)])
    rows = [
        torch.stack([cosine * width * mirror, -sine * height, x], dim=1),
        torch.stack([sine * width * mirror, cosine * height, y], dim=1),
    ]
    return torch.stack(rows, dim=1)


def relit(images, random):
    """Brightness, contrast, saturation and hue, which together are one affine map of each picture's colours."""
    count = len(images)
    luma = torch.tensor(LUMA)
    grey = luma.expand(3, 3)
    saturation = uniform(count, 1 - LIGHT, 1 + LIGHT, random)
    saturation = torch.where(torch.rand(count, generator=random) < GREY_SHARE, 0, saturation)[:, None, None]
    gain = uniform(count, 1 - LIGHT, 1 + LIGHT, random)[:, None, None]
    colours = gain * (saturation * torch.eye(3) + (1 - saturation) * grey) @ hue_rotations(count, random)
    middle = images.mean(dim=(2, 3), keepdim=True)
    brightness = uniform(count, -LIGHT, LIGHT, random)[:, None, None, None]
    return (torch.einsum("bij,bjhw->bihw", colours, images - middle) + middle + brightness).clamp(-1, 1)


def hue_rotations(count, random):
    """Rotations of colour space about the axis of greys (Rodrigues' formula), [count, 3, 3]."""
    angle = uniform(count, -HUE, HUE, random)[:, None, None] * 2 * math.pi
    axis = 1 / math.sqrt(3)
    cross = axis * torch.tensor([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    return torch.eye(3) + torch.sin(angle) * cross + (1 - torch.cos(angle)) * cross @ cross


def uniform(count, low, high, random):
    return low + (high - low) * torch.rand(count, generator=random)


def worsened(images, random):
    """Views as bad photographs: some in little light, some out of focus."""
    count = len(images)
    light = torch.where(torch.rand(count, generator=random) < DARK_SHARE, uniform(count, DARKEST, 1, random), 1)
    images = (images + 1) * light[:, None, None, None] - 1
    chosen = torch.rand(count, generator=random) < BLURRED_SHARE
    deviation = uniform(count, *BLUR, random)
    for index in torch.nonzero(chosen).flatten():
        images[index] = blurred(images[index], deviation[index])
    return images


def blurred(image, deviation):
    """A picture [3, height, width] under a Gaussian filter."""
    kernel = torch.exp(-0.5 * (torch.arange(-BLUR_RADIUS, BLUR_RADIUS + 1) / deviation) ** 2)
    kernel = (kernel / kernel.sum()).expand(3, 1, 1, -1)
    padded = functional.pad(image[None], [BLUR_RADIUS] * 4, mode="reflect")
    rows = functional.conv2d(padded, kernel, groups=3)
    return functional.conv2d(rows, kernel.transpose(2, 3), groups=3)[0]
