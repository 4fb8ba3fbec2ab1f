"""The C interface of Apus, ``apus.h``, by ctypes: its structs, one table of its functions, and errors as exceptions.

The library is loaded when it is first needed. ctypes gives up the interpreter's lock for every call.
"""

from __future__ import annotations

import ctypes
import json
import os
import threading
from ctypes import POINTER, c_char_p, c_double, c_float, c_int32, c_int64, c_uint32, c_void_p
from typing import Any, Dict, List, NoReturn, Optional, Sequence, Tuple

from .errors import LibraryError, error_of

__all__ = ["native", "take_error", "take_json"]

ABI_VERSION = 1


class Error(ctypes.Structure):
    _fields_ = [
        ("size", c_int64), ("status", c_int32), ("reserved", c_int32), ("message", c_char_p), ("problem", c_char_p),
        ("expected", c_char_p), ("file", c_char_p), ("where", c_char_p), ("advice", c_char_p),
    ]  # fmt: skip


Progress = ctypes.CFUNCTYPE(c_int32, c_void_p, c_char_p, c_double)


class Call(ctypes.Structure):
    _fields_ = [
        ("size", c_int64), ("cancel", c_void_p), ("progress", Progress), ("context", c_void_p), ("errors", c_void_p),
    ]  # fmt: skip


class Text(ctypes.Structure):
    _fields_ = [("data", c_char_p), ("length", c_int64)]


class Image(ctypes.Structure):
    _fields_ = [
        ("size", c_int64), ("kind", c_int32), ("reserved", c_int32), ("data", c_void_p), ("length", c_int64),
        ("width", c_int64), ("height", c_int64), ("row_stride", c_int64),
    ]  # fmt: skip


IMAGE_PATH, IMAGE_ENCODED, IMAGE_RGB, IMAGE_RGBA, IMAGE_GREY = range(5)


class Prediction(ctypes.Structure):
    _fields_ = [
        ("size", c_int64), ("label", c_void_p), ("label_length", c_int64), ("index", c_int64), ("score", c_float),
        ("logit", c_float), ("is_uncertain", c_int32), ("reserved", c_int32),
    ]  # fmt: skip


class Classification(ctypes.Structure):
    _fields_ = [
        ("size", c_int64), ("predictions", POINTER(Prediction)), ("count", c_int64), ("is_uncertain", c_int32),
        ("was_truncated", c_int32), ("novelty", c_float), ("reserved", c_int32), ("json", c_char_p),
    ]  # fmt: skip


class Classifications(ctypes.Structure):
    _fields_ = [("size", c_int64), ("items", POINTER(Classification)), ("count", c_int64)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("size", c_int64), ("name", c_char_p), ("type", c_int32), ("rank", c_int32), ("dimensions", c_int64 * 16),
        ("data", c_void_p), ("byte_count", c_int64), ("free_axes", c_uint32), ("is_optional", c_int32),
        ("scale", c_float), ("zero_point", c_int32),
    ]  # fmt: skip


class Tensors(ctypes.Structure):
    _fields_ = [("size", c_int64), ("items", POINTER(Tensor)), ("count", c_int64)]


MAX_RANK = 16

#: Types of elements by their numbers in ``apus_type``.
TYPE_NAMES = (
    "", "float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
    "uint64", "bool",
)  # fmt: skip
TYPE_NUMBERS: Dict[str, int] = {name: number for number, name in enumerate(TYPE_NAMES) if name}


class EncodingOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_int64), ("adds_special_tokens", c_int32), ("finds_offsets", c_int32), ("maximum_length", c_int64),
        ("padded_length", c_int64), ("padding_multiple", c_int64),
    ]  # fmt: skip


class Encoding(ctypes.Structure):
    _fields_ = [
        ("size", c_int64), ("count", c_int64), ("ids", POINTER(c_int32)), ("attention_mask", POINTER(c_int32)),
        ("token_types", POINTER(c_int32)), ("special_tokens_mask", POINTER(c_int32)), ("offsets", POINTER(c_int64)),
        ("was_truncated", c_int32), ("reserved", c_int32),
    ]  # fmt: skip


class Encodings(ctypes.Structure):
    _fields_ = [("size", c_int64), ("items", POINTER(Encoding)), ("count", c_int64)]


# Handles, blocks and memory of the caller are addresses here: an integer goes through ctypes fastest.
_P = c_void_p
_OUT = c_void_p
_N = c_int64

#: Each function: what it takes, without the error at the end where it can fail (``True``), and else what it returns.
_FUNCTIONS: Dict[str, Tuple[Sequence[Any], Any]] = {
    "apus_status_name": ([c_int32], c_char_p),
    "apus_free": ([_P], None),
    "apus_abi_version": ([], c_int32),
    "apus_version": ([], c_char_p),
    "apus_thread_count": ([], c_int32),
    "apus_library_json": ([_OUT], True),
    "apus_open": ([c_char_p, c_char_p, c_char_p, _P, _OUT], True),
    "apus_model_release": ([_P], None),
    "apus_tasks_json": ([c_char_p, c_char_p, _OUT], True),
    "apus_describe_json": ([_P, _OUT], True),
    "apus_model_trim": ([_P], True),
    "apus_classify_images": ([_P, _P, _N, _N, _P, _OUT], True),
    "apus_zero_shot": ([_P, _P, _N, _P, _N, c_char_p, _N, _P, _OUT], True),
    "apus_classify_texts": ([_P, _P, _N, _N, _P, _OUT], True),
    "apus_classify_pairs": ([_P, _P, _P, _N, _N, _P, _OUT], True),
    "apus_rerank": ([_P, Text, _P, _N, _P, _P], True),
    "apus_embedding_width": ([_P, _OUT], True),
    "apus_embed_texts": ([_P, _P, _N, c_char_p, _P, _P, _N], True),
    "apus_embed_images": ([_P, _P, _N, _P, _P, _N], True),
    "apus_similarity": ([_P, _N, _P, _N, _N, _P], True),
    "apus_inputs": ([_P, c_char_p, _OUT], True),
    "apus_outputs": ([_P, c_char_p, _P, _N, _OUT], True),
    "apus_run": ([_P, c_char_p, _P, _N, _P, _N, _P], True),
    "apus_run_all": ([_P, c_char_p, _P, _N, _P, _OUT], True),
    "apus_tokenizer_open": ([c_char_p, _OUT], True),
    "apus_tokenizer_release": ([_P], None),
    "apus_tokenizer_json": ([_P, _OUT], True),
    "apus_encode": ([_P, _P, _P, _N, _P, _OUT], True),
    "apus_decode": ([_P, _P, _N, c_int32, _OUT, _OUT], True),
    "apus_token_id": ([_P, Text, _OUT], True),
    "apus_token_text": ([_P, c_int32, _OUT], True),
    "apus_monitor_make": ([_OUT], True),
    "apus_monitor_release": ([_P], None),
    "apus_monitor_watch": ([_P, _P, c_char_p, c_double], True),
    "apus_monitor_json": ([_P, _OUT], True),
    "apus_seal": ([c_char_p], True),
    "apus_seal_json": ([_OUT], True),
}

_lock = threading.Lock()
_library: Any = None


def native() -> Any:
    """The library, loaded if need be.

    Raises:
        LibraryError: there is none, or none that this package can use.
    """
    if _library is None:
        _load()
    return _library


def _places() -> List[str]:
    given = os.environ.get("APUS_LIBRARY")
    if given:
        return [given]
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libapus.so")
    return [beside] if os.path.exists(beside) else ["libapus.so", "libapus.so.1"]


def _load() -> None:
    global _library
    with _lock:
        if _library is not None:
            return
        places, reasons, library = _places(), [], None
        for place in places:
            try:
                library = ctypes.CDLL(place)
                break
            except OSError as error:
                reasons.append(str(error))
        if library is None:
            raise LibraryError(
                "; ".join(reasons), places[0],
                "Install the wheel for this machine (Linux, glibc 2.35 or later), or name libapus.so by APUS_LIBRARY.",
            )  # fmt: skip
        try:
            found = int(library.apus_abi_version())
        except AttributeError:
            raise LibraryError("this is not Apus' library: it has no apus_abi_version", places[0]) from None
        if found != ABI_VERSION:
            raise LibraryError(
                f"the library has version {found} of the C interface, expected {ABI_VERSION}", places[0],
                "Library and package are to be of one version of Apus.",
            )  # fmt: skip
        for name, (takes, gives) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.argtypes = [*takes, _OUT] if gives is True else list(takes)
            function.restype = c_int32 if gives is True else gives
        _library = library


def _after_fork() -> None:
    # A thread that does not exist in the child may have held it.
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


class ErrorSlot:
    """Where a call writes its error. One for each call: threads share none."""

    __slots__ = ("_pointer", "address")

    def __init__(self) -> None:
        self._pointer = c_void_p(None)
        self.address = ctypes.addressof(self._pointer)

    def take(self, file: Optional[str] = None) -> Exception:
        """What the call wrote, as an exception.

        Args:
            file: what it is about, where it names no file.
        """
        block, self._pointer.value = self._pointer.value, None
        return take_error(block, file)

    def throw(self, file: Optional[str] = None) -> NoReturn:
        """Raises what the call wrote."""
        raise self.take(file)


def take_error(block: Optional[int], file: Optional[str] = None) -> Exception:
    """The exception for an error object, which is freed.

    Args:
        block: its address.
        file: the file of the call, where the error names none.
    """
    if not block:
        return error_of("internal", "the library gave no reason")
    library = native()
    found = Error.from_address(block)
    try:
        kind = library.apus_status_name(found.status).decode()
        message = _text(found.message) or ""
        named, place, advice = _text(found.file), _text(found.where), _text(found.advice)
    finally:
        library.apus_free(block)
    where = ": ".join(each for each in (named, place) if each) or None
    return error_of(kind, message, where, advice, named or file)


def _text(bytes: Optional[bytes]) -> Optional[str]:
    return None if bytes is None else bytes.decode("utf-8", "replace")


def take_json(function: Any, *arguments: Any, file: Optional[str] = None) -> Any:
    """What a function gives as JSON.

    Args:
        function: one whose last arguments are a text to be written and an error.
        arguments: those before.
        file: what an error is about, where it names no file.
    """
    slot, text = ErrorSlot(), c_void_p(None)
    if function(*arguments, ctypes.addressof(text), slot.address):
        slot.throw(file)
    try:
        return json.loads(ctypes.string_at(text.value or 0))
    finally:
        native().apus_free(text)
