"""Tensors of other libraries by DLPack, without any of them: the capsule is read and given back here."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Optional, Tuple

from ._python import api, immortal
from .errors import ArgumentError, ArgumentTypeError

__all__ = ["Exchanged", "exchanged"]

_CPU = 1
_CUDA_HOST = 3
_CODES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 6: "bool"}


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


_deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

# A capsule keeps the pointer to its name, so the names have to outlive every capsule.
_NAMES = (
    (b"dltensor", immortal(ctypes.create_string_buffer(b"used_dltensor")), _Managed),
    (b"dltensor_versioned", immortal(ctypes.create_string_buffer(b"used_dltensor_versioned")), _Versioned),
)


class Exchanged:
    """A tensor that another library lends: it goes back when this object does.

    Attributes:
        address: of the first element.
        type: its element type in words, such as ``float32``.
        shape: its sizes.
    """

    __slots__ = ("_delete", "_managed", "_owner", "address", "shape", "strides", "type")

    def __init__(self, owner: Any, managed: int, delete: Optional[int], tensor: _Tensor) -> None:
        self._owner = owner
        self._managed = managed
        self._delete: Optional[Callable[[int], None]] = _deleter(delete) if delete else None
        shape: Tuple[int, ...] = tuple(tensor.shape[axis] for axis in range(tensor.ndim))
        self.shape = shape
        self.strides: Optional[Tuple[int, ...]] = (
            tuple(tensor.strides[axis] for axis in range(tensor.ndim)) if tensor.strides else None
        )
        self.address: int = (tensor.data or 0) + tensor.byte_offset
        name = _CODES.get(tensor.code)
        if name is None or tensor.lanes != 1:
            raise ArgumentTypeError(
                f"a tensor whose elements have DLPack's code {tensor.code} and {tensor.lanes} lanes, "
                "expected numbers or truth values"
            )
        self.type = name if name == "bool" else f"{name}{tensor.bits}"

    @property
    def is_contiguous(self) -> bool:
        """Whether elements lie one behind the other, the last axis fastest."""
        if self.strides is None:
            return True
        step = 1
        for size, stride in zip(reversed(self.shape), reversed(self.strides)):
            if size > 1 and stride != step:
                return False
            step *= size
        return True

    def __del__(self) -> None:
        delete, self._delete = getattr(self, "_delete", None), None
        if delete is not None:
            delete(self._managed)


def exchanged(value: Any) -> Exchanged:
    """What ``value.__dlpack__()`` lends.

    Raises:
        ArgumentError: it lies on another device than the processor.
        ArgumentTypeError: its elements are no numbers.
    """
    device = value.__dlpack_device__()
    if int(device[0]) not in (_CPU, _CUDA_HOST):
        raise ArgumentError(
            f"a tensor on device {device[0]} of DLPack, expected one in the processor's memory",
            advice="Move it there first, such as by tensor.cpu().",
        )
    try:
        capsule = value.__dlpack__(max_version=(1, 0))
    except TypeError:
        capsule = value.__dlpack__()
    for name, used, layout in _NAMES:
        if not api.PyCapsule_IsValid(capsule, name):
            continue
        address = api.PyCapsule_GetPointer(capsule, name)
        managed: Any = layout.from_address(address)
        # The consumer renames the capsule, so that its destructor leaves the tensor to whoever took it.
        api.PyCapsule_SetName(capsule, ctypes.cast(used, ctypes.c_char_p))
        return Exchanged(capsule, address, managed.deleter, managed.tensor)
    raise ArgumentTypeError("a capsule that is none of DLPack's tensors, or was taken before")
