"""Pictures as callers have them: names of files, bytes of files, pixels in arrays, and images of Pillow."""

from __future__ import annotations

import os
import sys
from typing import Any, List, NamedTuple, Tuple, Union

from ._tensors import View, view
from .errors import ArgumentError, ArgumentTypeError

__all__ = ["File", "FileBytes", "PictureSource", "Pixels", "is_picture", "is_single", "listed", "picture"]


class File(NamedTuple):
    """A picture's file by its name."""

    path: bytes


class FileBytes(NamedTuple):
    """What stands in a picture's file."""

    view: View


class Pixels(NamedTuple):
    """Pixels of 8 bits, row by row, channels last."""

    view: View
    height: int
    width: int
    channels: int


PictureSource = Union[File, FileBytes, Pixels]


def _pillow_image(value: Any) -> bool:
    pillow = sys.modules.get("PIL.Image")
    return pillow is not None and isinstance(value, pillow.Image)


def is_picture(value: Any) -> bool:
    """Whether a value can only be a picture, where texts are taken too: texts are ``str``."""
    if isinstance(value, str):
        return False
    if isinstance(value, (bytes, bytearray, memoryview, os.PathLike)):
        return True
    return _pillow_image(value) or (_is_array(value) and len(value.shape) > 1)


def is_single(value: Any) -> bool:
    """Whether a value is one input rather than several."""
    if isinstance(value, (str, bytes, bytearray, memoryview, os.PathLike)) or _pillow_image(value):
        return True
    # An array of two or three axes is a picture; one of four a list of pictures.
    return _is_array(value) and len(value.shape) in (2, 3) and _is_8_bit(value)


def _is_array(value: Any) -> bool:
    return hasattr(value, "shape") and (hasattr(value, "__array_interface__") or hasattr(value, "__dlpack__"))


def _is_8_bit(value: Any) -> bool:
    return str(getattr(value, "dtype", "")).endswith("uint8")


def picture(value: Any, where: str) -> PictureSource:
    """A picture in the form in which the library takes it.

    Pixels are taken as they are: a file's orientation was applied by whoever read it, or not at all. An image of Pillow
    in another mode than ``RGB``, ``RGBA`` and ``L`` is converted to ``RGB``, as transformers does it.

    Args:
        value: a path, the bytes of a file, an array of uint8 [height, width] or [height, width, 1, 3 or 4], or an image
            of Pillow.
        where: what it is called in errors.

    Raises:
        ArgumentTypeError: it is something else.
        ArgumentError: an array has another shape.
    """
    if isinstance(value, (str, os.PathLike)):
        return File(os.fsencode(value))
    if isinstance(value, (bytes, bytearray)):
        return FileBytes(View.of_buffer(value, "uint8", (len(value),), len(value)))
    if _pillow_image(value):
        if value.mode not in ("RGB", "RGBA", "L"):
            value = value.convert("RGB")
        data = value.tobytes()
        channels = {"RGB": 3, "RGBA": 4, "L": 1}[value.mode]
        return Pixels(View.of_buffer(data, "uint8", (len(data),), len(data)), value.height, value.width, channels)
    if isinstance(value, memoryview) and value.ndim == 1 and value.itemsize == 1:
        data = value if value.c_contiguous else value.tobytes()
        return FileBytes(View.of_buffer(data, "uint8", (value.nbytes,), value.nbytes))
    if not _is_array(value) and not isinstance(value, memoryview):
        raise ArgumentTypeError(
            "None, expected a picture" if value is None else f"a value of type {type(value).__name__}, expected a picture",
            where,
            "A path, the bytes of a file, an array of pixels or an image of Pillow is taken.",
        )
    return _pixels(value, where)


def _pixels(value: Any, where: str) -> Pixels:
    found = view(value, where)
    if found.type != "uint8":
        raise ArgumentTypeError(f"pixels of type {found.type}, expected uint8, from 0 to 255", where)
    shape = found.shape if len(found.shape) != 2 else (*found.shape, 1)
    if len(shape) != 3 or shape[2] not in (1, 3, 4) or 0 in shape:
        advice = None
        if len(shape) == 3 and shape[0] in (1, 3, 4):
            advice = "Channels stand last here: array.transpose(1, 2, 0)."
        raise ArgumentError(
            f"pixels of shape {list(found.shape)}, expected [height, width, channels] with 1, 3 or 4 channels",
            where, advice,
        )  # fmt: skip
    return Pixels(found, shape[0], shape[1], shape[2])


def listed(values: Any, where: str) -> Tuple[List[Any], bool]:
    """The inputs of a call as a list, and whether there was one alone.

    Raises:
        ArgumentTypeError: it is neither an input nor a sequence of such.
    """
    if is_single(values):
        return [values], True
    if values is None or isinstance(values, (int, float, bool)) or isinstance(values, dict):
        kind = "None" if values is None else f"a value of type {type(values).__name__}"
        raise ArgumentTypeError(f"{kind}, expected a text, a picture, or a list of such", where)
    try:
        return list(values), False
    except TypeError:
        raise ArgumentTypeError(
            f"a value of type {type(values).__name__}, expected a text, a picture, or a list of such", where
        ) from None
