"""What models do, as calls of the library: texts and pictures in, arrays and lists out."""

from __future__ import annotations

import ctypes
import json
import os
import threading
from typing import Any, Callable, List, Optional, Sequence, Tuple

from . import _native
from ._calls import CallOptions, CancelToken
from ._pictures import File, FileBytes, PictureSource
from .errors import ApusError, ArgumentError, ArgumentTypeError
from .results import Classification

__all__ = [
    "classify_pairs",
    "classify_texts",
    "embed_images",
    "embed_texts",
    "path_of",
    "rerank",
    "score_images",
    "text_array",
    "thread_count",
]

#: Texts that go into one call: what they take as bytes is in memory twice.
_TEXTS_AT_ONCE = 16384

Progress = Optional[Callable[[float], Any]]
Errors = List[Optional[Exception]]


def text_array(texts: Sequence[str], where: str = "text") -> Any:
    """Texts as the library takes them.

    Raises:
        ArgumentTypeError: one is no ``str``.
    """
    try:
        encoded = [text.encode() for text in texts]
    except UnicodeEncodeError:
        # Half of a surrogate pair stands for no character: the library reads it as U+FFFD.
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    except AttributeError:
        index = next(index for index, text in enumerate(texts) if not isinstance(text, str))
        kind = "None" if texts[index] is None else f"a value of type {type(texts[index]).__name__}"
        raise ArgumentTypeError(f"{kind}, expected a str", f"{where} {index}") from None
    array: Any = _native.Text * len(encoded)
    return array(*[(text, len(text)) for text in encoded])


def image_array(pictures: Sequence[PictureSource]) -> Any:
    """Pictures as the library takes them; those that were given have to live as long."""
    array = (_native.Image * len(pictures))()
    size = ctypes.sizeof(_native.Image)
    for element, source in zip(array, pictures):
        element.size = size
        if isinstance(source, File):
            element.kind = _native.IMAGE_PATH
            element.data = ctypes.cast(ctypes.c_char_p(source.path), ctypes.c_void_p).value
            element.length = len(source.path)
        elif isinstance(source, FileBytes):
            element.kind = _native.IMAGE_ENCODED
            element.data = source.view.address
            element.length = source.view.nbytes
        else:
            element.kind = {1: _native.IMAGE_GREY, 3: _native.IMAGE_RGB, 4: _native.IMAGE_RGBA}[source.channels]
            element.data = source.view.address
            element.width, element.height = source.width, source.height
    return array


def embed_texts(
    model: int, texts: Sequence[Any], prompt: Optional[str], address: int, width: int, token: CancelToken,
    progress: Progress, tolerant: bool,
) -> Errors:  # fmt: skip
    """Writes the vectors of texts.

    Args:
        address: memory for len(texts) × width floats.
        tolerant: whether the error of a text leaves the others alone; its vector is NaN then.

    Returns:
        the errors by text, where tolerant.
    """
    library = _native.native()
    errors: Errors = []
    total = len(texts)
    for start in range(0, total, _TEXTS_AT_ONCE):
        part = texts[start : start + _TEXTS_AT_ONCE]
        array = text_array(part)
        call = CallOptions(token, _part_of(progress, start, len(part), total), len(part) if tolerant else 0)
        slot = _native.ErrorSlot()
        status = library.apus_embed_texts(
            model, ctypes.addressof(array), len(part), None if prompt is None else prompt.encode(), call.address,
            address + start * width * 4, len(part) * width, slot.address,
        )  # fmt: skip
        call.check()
        if status:
            slot.throw()
        if tolerant:
            errors += call.input_errors()
    return errors


def embed_images(
    model: int, pictures: Sequence[Any], address: int, width: int, threads: int, token: CancelToken,
    progress: Progress, tolerant: bool,
) -> Errors:  # fmt: skip
    """Writes the vectors of pictures, several being decoded at a time."""
    library = _native.native()

    def work(start: int, part: Sequence[PictureSource]) -> Errors:
        array = image_array(part)
        call, slot = CallOptions(token, None, len(part) if tolerant else 0), _native.ErrorSlot()
        status = library.apus_embed_images(
            model, ctypes.addressof(array), len(part), call.address, address + start * width * 4, len(part) * width,
            slot.address,
        )  # fmt: skip
        if status:
            _throw_numbered(slot, start, len(pictures))
        return call.input_errors() if tolerant else []

    found = _in_threads(work, pictures, threads, token, progress)
    return [error for part in found for error in part]


def score_images(
    model: int, pictures: Sequence[PictureSource], labels: Optional[Sequence[str]], reading: Optional[str],
    top_k: int, threads: int, token: CancelToken, progress: Progress, tolerant: bool,
) -> List[Optional[Classification]]:  # fmt: skip
    """Classes of pictures, or with labels their scores."""
    library = _native.native()
    names = None if labels is None else text_array(labels, "label")

    def work(start: int, part: Sequence[PictureSource]) -> List[Optional[Classification]]:
        array = image_array(part)
        call, slot = CallOptions(token, None, len(part) if tolerant else 0), _native.ErrorSlot()
        block = ctypes.c_void_p(None)
        if names is None:
            status = library.apus_classify_images(
                model, ctypes.addressof(array), len(part), top_k, call.address, ctypes.addressof(block), slot.address
            )
        else:
            status = library.apus_zero_shot(
                model, ctypes.addressof(array), len(part), ctypes.addressof(names), len(names),
                None if reading is None else reading.encode(), top_k, call.address, ctypes.addressof(block),
                slot.address,
            )  # fmt: skip
        if status:
            _throw_numbered(slot, start, len(pictures))
        return _classifications(block, call.input_errors() if tolerant else [])

    found = _in_threads(work, pictures, threads, token, progress)
    return [each for part in found for each in part]


def classify_texts(
    model: int, texts: Sequence[Any], top_k: int, token: CancelToken, progress: Progress, tolerant: bool
) -> List[Optional[Classification]]:
    """Classes of texts."""
    array = text_array(texts)

    def call(options: int, block: int, error: int) -> int:
        return int(
            _native.native().apus_classify_texts(model, ctypes.addressof(array), len(texts), top_k, options, block, error)
        )

    return _classified(call, len(texts), token, progress, tolerant)


def classify_pairs(
    model: int, pairs: Sequence[Tuple[str, str]], top_k: int, token: CancelToken, progress: Progress, tolerant: bool
) -> List[Optional[Classification]]:
    """Classes of pairs of texts."""
    first, second = text_array([each for each, _ in pairs]), text_array([each for _, each in pairs], "second text")

    def call(options: int, block: int, error: int) -> int:
        return int(
            _native.native().apus_classify_pairs(
                model, ctypes.addressof(first), ctypes.addressof(second), len(pairs), top_k, options, block, error
            )
        )

    return _classified(call, len(pairs), token, progress, tolerant)


def rerank(model: int, query: str, documents: Sequence[str], address: int, token: CancelToken) -> None:
    """Writes how well documents answer a query: memory for a float for each."""
    array, call, slot = text_array(documents, "document"), CallOptions(token), _native.ErrorSlot()
    asked = text_array([query], "query")[0]
    if _native.native().apus_rerank(model, asked, ctypes.addressof(array), len(array), call.address, address, slot.address):
        slot.throw()


def _classified(
    call: Callable[[int, int, int], int], count: int, token: CancelToken, progress: Progress, tolerant: bool
) -> List[Optional[Classification]]:
    options = CallOptions(token, _part_of(progress, 0, count, count), count if tolerant else 0)
    slot, block = _native.ErrorSlot(), ctypes.c_void_p(None)
    status = call(options.address, ctypes.addressof(block), slot.address)
    options.check()
    if status:
        slot.throw()
    return _classifications(block, options.input_errors() if tolerant else [])


def _classifications(block: ctypes.c_void_p, errors: Errors) -> List[Optional[Classification]]:
    if not block.value:
        return []
    try:
        found = _native.Classifications.from_address(block.value)
        return [
            None if index < len(errors) and errors[index] is not None else _classification(found.items[index])
            for index in range(found.count)
        ]
    finally:
        _native.native().apus_free(block)


def _classification(item: Any) -> Classification:
    entries = []
    for place in range(item.count):
        each = item.predictions[place]
        label = ctypes.string_at(each.label, each.label_length).decode("utf-8", "replace") if each.label else ""
        entries.append({"label": label, "score": each.score})
    details = json.loads(item.json) if item.json else {}
    return Classification(entries, bool(item.is_uncertain), details.get("uncertainty"), details)


def _part_of(progress: Progress, start: int, count: int, total: int) -> Optional[Callable[[str, float], Any]]:
    if progress is None:
        return None
    told = progress
    return lambda _stage, fraction: told((start + fraction * count) / total)


def _throw_numbered(slot: _native.ErrorSlot, index: int, count: int) -> None:
    try:
        slot.throw()
    except ApusError as error:
        if count > 1:
            number = f"picture {index}"
            error.where = f"{number}: {error.where}" if error.where else number
        raise


def _in_threads(
    work: Callable[[int, Sequence[PictureSource]], Any], inputs: Sequence[PictureSource], threads: int,
    token: CancelToken, progress: Progress,
) -> List[Any]:  # fmt: skip
    """What ``work`` gives for each input, in their order, on several threads: the first error stops the others."""
    results: List[Any] = [None] * len(inputs)
    errors: List[BaseException] = []
    places = iter(range(len(inputs)))
    lock = threading.Lock()
    finished = 0

    def run() -> None:
        nonlocal finished
        while not errors:
            with lock:
                index = next(places, None)
            if index is None:
                return
            try:
                results[index] = work(index, inputs[index : index + 1])
                with lock:
                    finished += 1
                    if progress is not None:
                        progress(finished / len(inputs))
            except BaseException as error:
                with lock:
                    errors.append(error)
                return

    helpers = [threading.Thread(target=run, name="apus-pictures", daemon=True) for _ in range(min(threads, len(inputs)) - 1)]
    for helper in helpers:
        helper.start()
    try:
        run()
    finally:
        for helper in helpers:
            helper.join()
    if errors:
        raise errors[0]
    return results


def thread_count(asked: Optional[int]) -> int:
    """How many threads a call may use."""
    most = int(_native.native().apus_thread_count())
    return max(1, min(most, asked) if asked else most)


def path_of(name: Any) -> str:
    """A model's name or path as text.

    Raises:
        ArgumentTypeError: it is neither.
    """
    if isinstance(name, (str, os.PathLike)):
        text = os.fsdecode(os.fspath(name))
        if "\0" in text:
            raise ArgumentError("a path with a zero in it", "model")
        return text
    kind = "None" if name is None else f"a value of type {type(name).__name__}"
    raise ArgumentTypeError(f"{kind}, expected a path or the name of a model", "model")
