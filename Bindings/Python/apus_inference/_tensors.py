"""Tensors that go in and come out: whose memory they are in, their types by each of their names, and their shapes."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ._dlpack import exchanged
from ._numpy import loaded_numpy, numpy_or_none
from ._python import PyBuffer, api
from .errors import ArgumentError, ArgumentTypeError

__all__ = ["ElementType", "TYPES", "View", "address_of", "element_type", "new_array", "view"]


class ElementType(NamedTuple):
    """A type of elements by the names that the parts of the world have for it."""

    #: As NumPy and Apus call it.
    name: str
    #: Bytes of an element.
    size: int
    #: As ``memoryview`` and ``array`` write it; None for what they have not.
    format: Optional[str]
    #: As ONNX Runtime writes it.
    onnx: str


TYPES: Dict[str, ElementType] = {
    each.name: each
    for each in (
        ElementType("float32", 4, "f", "tensor(float)"),
        ElementType("float16", 2, "e", "tensor(float16)"),
        ElementType("bfloat16", 2, None, "tensor(bfloat16)"),
        ElementType("float64", 8, "d", "tensor(double)"),
        ElementType("int8", 1, "b", "tensor(int8)"),
        ElementType("uint8", 1, "B", "tensor(uint8)"),
        ElementType("int16", 2, "h", "tensor(int16)"),
        ElementType("uint16", 2, "H", "tensor(uint16)"),
        ElementType("int32", 4, "i", "tensor(int32)"),
        ElementType("uint32", 4, "I", "tensor(uint32)"),
        ElementType("int64", 8, "q", "tensor(int64)"),
        ElementType("uint64", 8, "Q", "tensor(uint64)"),
        ElementType("bool", 1, "?", "tensor(bool)"),
    )
}

_BY_FORMAT: Dict[Tuple[str, int], str] = {
    ("f", 4): "float32", ("e", 2): "float16", ("d", 8): "float64", ("?", 1): "bool",
    ("b", 1): "int8", ("h", 2): "int16", ("i", 4): "int32", ("l", 4): "int32", ("l", 8): "int64", ("q", 8): "int64",
    ("B", 1): "uint8", ("H", 2): "uint16", ("I", 4): "uint32", ("L", 4): "uint32", ("L", 8): "uint64", ("Q", 8): "uint64",
}  # fmt: skip

_NATIVE_ORDERS = ("@", "=", "<" if sys.byteorder == "little" else ">")
_RECORDS_READ_ONLY = 0x0018 | 0x0004
_byte_at = ctypes.c_char.from_buffer


def element_type(name: str) -> ElementType:
    """The type of that name.

    Raises:
        ArgumentTypeError: there is none.
    """
    found = TYPES.get(name)
    if found is None:
        raise ArgumentTypeError(f"elements of type {name}", advice=f"Apus takes {', '.join(TYPES)}.")
    return found


def address_of(array: Any, is_writeable: bool) -> int:
    """Where the elements of a contiguous array are, for as long as it lives."""
    if is_writeable:
        try:
            return ctypes.addressof(_byte_at(array))
        except (TypeError, ValueError):
            pass  # Empty.
    buffer = PyBuffer()
    place = ctypes.addressof(buffer)
    api.PyObject_GetBuffer(array, place, _RECORDS_READ_ONLY)
    address: int = buffer.buf or 0
    api.PyBuffer_Release(place)
    return address


class View:
    """Memory of a caller for as long as this object lives: contiguous, the last axis fastest, in the machine's byte order."""

    __slots__ = ("_buffer", "_owner", "address", "nbytes", "shape", "type")

    def __init__(self, owner: Any, address: int, type: str, shape: Tuple[int, ...], nbytes: int) -> None:
        self._owner = owner
        self._buffer: Optional[PyBuffer] = None
        self.address = address
        self.type = type
        self.shape = shape
        self.nbytes = nbytes

    @classmethod
    def of_buffer(cls, owner: Any, type: str, shape: Tuple[int, ...], nbytes: int) -> "View":
        """That of something contiguous with the buffer protocol, read-only or not."""
        try:
            return cls(owner, ctypes.addressof(_byte_at(owner)), type, shape, nbytes)
        except (TypeError, ValueError):
            pass  # Read-only, or empty: ctypes refuses both.
        found = cls(owner, 0, type, shape, nbytes)
        buffer = PyBuffer()
        api.PyObject_GetBuffer(owner, ctypes.addressof(buffer), _RECORDS_READ_ONLY)
        found._buffer = buffer
        found.address = buffer.buf or 0
        return found

    def __del__(self, release: Any = api.PyBuffer_Release, addressof: Any = ctypes.addressof) -> None:
        buffer, self._buffer = getattr(self, "_buffer", None), None
        if buffer is not None:
            release(addressof(buffer))


def view(value: Any, where: str, expected: Optional[str] = None) -> View:
    """The memory of a tensor, which is copied only where it is not contiguous or is no memory yet.

    Args:
        value: an array of NumPy, anything with the buffer protocol or DLPack, or numbers in lists of lists.
        where: what it is called in errors.
        expected: the type that numbers in lists get, such as ``float32``.

    Raises:
        ArgumentTypeError: it is no tensor, or its elements are no numbers.
        ArgumentError: it is of another byte order, or on another device.
    """
    numpy = loaded_numpy()
    if numpy is not None:
        if isinstance(value, numpy.generic):
            value = numpy.asarray(value)
        if isinstance(value, numpy.ndarray):
            return _of_array(numpy, value, where)
    try:
        memory = memoryview(value)
    except TypeError:
        pass
    else:
        return _of_memory(memory, where)
    if hasattr(value, "__dlpack__"):
        return _of_exchange(value, where)
    if numpy is not None and (hasattr(value, "__array__") or hasattr(value, "__array_interface__")):
        return _of_array(numpy, numpy.asarray(value), where)
    if isinstance(value, (list, tuple, int, float, bool)):
        return _of_numbers(value, where, expected)
    raise ArgumentTypeError(
        f"{_kind(value)}, expected a tensor", where,
        "An array of NumPy, a memoryview, a tensor with DLPack, or lists of numbers are taken.",
    )  # fmt: skip


def _kind(value: Any) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"


def _of_array(numpy: Any, array: Any, where: str) -> View:
    dtype = array.dtype
    name = _BY_FORMAT.get((dtype.char, dtype.itemsize))
    if name is None and dtype.name == "bfloat16":
        # A type of ml_dtypes, which the buffer protocol does not know.
        return View.of_buffer(numpy.ascontiguousarray(array).view(numpy.uint16), "bfloat16", array.shape, array.nbytes)
    if name is None:
        raise ArgumentTypeError(f"elements of type {dtype.name}, expected numbers", where, f"Apus takes {', '.join(TYPES)}.")
    if not dtype.isnative:
        raise ArgumentError(
            f"{name} in the other byte order", where, "array.astype(array.dtype.newbyteorder('=')) turns it round."
        )
    if not array.flags.c_contiguous:
        array = numpy.ascontiguousarray(array).reshape(array.shape)
    return View.of_buffer(array, name, array.shape, array.nbytes)


def _of_memory(memory: memoryview, where: str) -> View:
    order, letter = (memory.format[0], memory.format[1:]) if len(memory.format) == 2 else ("@", memory.format)
    name = _BY_FORMAT.get((letter, memory.itemsize))
    if name is None:
        raise ArgumentTypeError(f"elements of format '{memory.format}', expected numbers", where)
    if order not in _NATIVE_ORDERS and memory.itemsize > 1:
        raise ArgumentError(f"{name} in the other byte order", where)
    shape = tuple(memory.shape or ())
    owner: Any = memory if memory.c_contiguous else memory.tobytes()
    return View.of_buffer(owner, name, shape, memory.nbytes)


def _of_exchange(value: Any, where: str) -> View:
    try:
        lent = exchanged(value)
    except ArgumentError as error:
        error.where = where
        raise
    size = element_type(lent.type).size
    if lent.is_contiguous:
        return View(lent, lent.address, lent.type, lent.shape, _count(lent.shape) * size)
    numpy = numpy_or_none()
    if numpy is not None and lent.type != "bfloat16":
        return _of_array(numpy, numpy.from_dlpack(value), where)
    gathered = _gathered(lent.address, size, lent.shape, lent.strides or ())
    return View.of_buffer(gathered, lent.type, lent.shape, len(gathered))


def _gathered(address: int, size: int, shape: Tuple[int, ...], strides: Tuple[int, ...]) -> bytearray:
    """Elements that do not lie one behind the other, brought together."""
    positions: List[int] = [0]
    for length, stride in zip(shape, strides):
        positions = [position + index * stride for position in positions for index in range(length)]
    gathered = bytearray()
    for position in positions:
        gathered += ctypes.string_at(address + position * size, size)
    return gathered


def _count(shape: Sequence[int]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def _of_numbers(value: Any, where: str, expected: Optional[str]) -> View:
    shape: List[int] = []
    level: Any = value
    while isinstance(level, (list, tuple)):
        shape.append(len(level))
        if not level:
            break
        level = level[0]
    flat: List[Any] = []
    _flatten(value, shape, flat, where)
    name = expected or ("float32" if any(isinstance(each, float) for each in flat) else "int64")
    form = element_type(name).format
    if form is None:
        raise ArgumentTypeError(f"numbers in lists for a tensor of {name}", where, "Give an array of that type.")
    raw: Any = memoryview(bytearray(len(flat) * TYPES[name].size))
    memory: Any = raw.cast(form)
    for index, each in enumerate(flat):
        try:
            memory[index] = each
        except (TypeError, ValueError) as error:
            raise ArgumentTypeError(f"{each!r} in a tensor of {name}", where) from error
    return View.of_buffer(memory, name, tuple(shape), memory.nbytes)


def _flatten(value: Any, shape: Sequence[int], into: List[Any], where: str) -> None:
    if not shape:
        if isinstance(value, (list, tuple)):
            raise ArgumentError("lists of different depths, expected a tensor", where)
        into.append(value)
        return
    if not isinstance(value, (list, tuple)) or len(value) != shape[0]:
        raise ArgumentError("lists of different lengths, expected a tensor", where)
    for each in value:
        _flatten(each, shape[1:], into, where)


def new_array(type: str, shape: Sequence[int]) -> Tuple[Any, int]:
    """An array for results, and the address of its first element.

    It is an array of NumPy where NumPy is installed, else a ``memoryview`` of that shape.
    """
    numpy = loaded_numpy() or numpy_or_none()
    if numpy is not None:
        # NumPy has no bfloat16: its bits come as uint16.
        array = numpy.empty(shape, "uint16" if type == "bfloat16" else type)
        return array, (ctypes.addressof(_byte_at(array)) if array.size else array.ctypes.data)
    count = _count(shape)
    kind = element_type(type)
    memory = bytearray(count * kind.size)
    address = ctypes.addressof(_byte_at(memory)) if count else 0
    flat: Any = memoryview(memory)
    return (flat.cast(kind.format or "H", list(shape)) if count else flat.cast(kind.format or "H")), address
