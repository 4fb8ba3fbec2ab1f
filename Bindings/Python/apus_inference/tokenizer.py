"""Tokenizers of models: the very ids of the ``tokenizers`` and ``sentencepiece`` libraries."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Type, Union

from . import _native
from ._engine import path_of, text_array
from ._open import fingerprint, verify
from .errors import ArgumentTypeError, ClosedError

__all__ = ["Encoding", "Tokenizer"]


class Encoding(NamedTuple):
    """A text in tokens.

    Attributes:
        ids: the tokens' numbers.
        attention_mask: 1 for tokens, 0 for padding.
        type_ids: which of two texts a token is from.
        special_tokens_mask: 1 for special tokens and padding.
        offsets: for each token the characters of the text that it is from, as (first, behind the last); None where nobody
            asked for them, or the tokenizer does not know them.
        truncated: whether the text was cut.
    """

    ids: List[int]
    attention_mask: List[int]
    type_ids: List[int]
    special_tokens_mask: List[int]
    offsets: Optional[List[Tuple[int, int]]] = None
    truncated: bool = False

    def __len__(self) -> int:
        return len(self.ids)


class Tokenizer:
    """The tokenizer of a model.

    >>> tokenizer = Tokenizer("openai/clip-vit-base-patch32")        # doctest: +SKIP
    >>> tokenizer.encode("a photo of a swift").ids                   # doctest: +SKIP
    [49406, 320, 1125, 539, 320, 8229, 49407]

    Args:
        name_or_path: a folder, a name in the local Hugging Face cache, or one of the files ``tokenizer.json``, ``vocab.txt``,
            ``*.model`` and ``.tflite``.
    """

    def __init__(self, name_or_path: Union[str, "os.PathLike[str]"]) -> None:
        self._prepare(path_of(name_or_path), None)
        self._opened()

    def _prepare(self, path: str, expected: Optional[str]) -> None:
        self._path = path
        self._expected = expected
        self._closed = False
        self._handle: Optional[_Handle] = None
        self._known: Optional[Dict[str, Any]] = None

    def _opened(self) -> int:
        handle = self._handle
        if handle is None:
            if self._closed:
                raise ClosedError("the tokenizer is closed", self._path)
            if self._expected is not None:
                verify(self._path, self._expected)
            handle = self._handle = _Handle(self._path)
        return handle.pointer

    @property
    def description(self) -> Dict[str, Any]:
        """What the library knows of it."""
        found = self._known
        if found is None:
            taken: Dict[str, Any] = _native.take_json(_native.native().apus_tokenizer_json, self._opened())
            found = self._known = taken
        return found

    @property
    def vocabulary_size(self) -> int:
        """How many tokens there are."""
        return int(self.description["vocabulary_size"])

    @property
    def maximum_length(self) -> Optional[int]:
        """The tokens that its files cut texts to; None where they say nothing."""
        found = self.description.get("maximum_length")
        return None if found is None else int(found)

    def encode(self, text: str, pair: Optional[str] = None, **options: Any) -> Encoding:
        """A text, or a pair of such, in tokens. Options are those of :meth:`encode_batch`."""
        if not isinstance(text, str):
            raise ArgumentTypeError(f"a value of type {type(text).__name__}, expected a str", "text")
        return self.encode_batch([text if pair is None else (text, pair)], **options)[0]

    def encode_batch(
        self, texts: Sequence[Union[str, Tuple[str, str]]], *, add_special_tokens: bool = True,
        max_length: Optional[int] = None, padding: Union[bool, int] = False, pad_to_multiple_of: int = 0,
        return_offsets: bool = False,
    ) -> List[Encoding]:  # fmt: skip
        """Texts, or pairs of such, in tokens.

        Args:
            texts: what is read.
            add_special_tokens: whether tokens that models expect around a text are added.
            max_length: tokens at most, special ones included; -1 for what the tokenizer's files say; None for no limit.
            padding: True pads all to the longest, a number to so many tokens.
            pad_to_multiple_of: the padded length is rounded up to a multiple of this.
            return_offsets: whether :attr:`Encoding.offsets` are found, which takes several times as long.
        """
        values = list(texts)
        pairs: Any = None
        if values and all(isinstance(each, tuple) for each in values):
            pairs = text_array([each[1] for each in values], "second text")
            values = [each[0] for each in values]
        array = text_array(values)  # type: ignore[arg-type]
        options = _native.EncodingOptions(
            ctypes.sizeof(_native.EncodingOptions), add_special_tokens, return_offsets, max_length or 0,
            -1 if padding is True else int(padding), pad_to_multiple_of,
        )  # fmt: skip
        block, slot, library = ctypes.c_void_p(None), _native.ErrorSlot(), _native.native()
        if library.apus_encode(
            self._opened(), ctypes.addressof(array), None if pairs is None else ctypes.addressof(pairs), len(array),
            ctypes.addressof(options), ctypes.addressof(block), slot.address,
        ):  # fmt: skip
            slot.throw(self._path)
        try:
            found = _native.Encodings.from_address(block.value or 0)
            return [_encoding(found.items[place], values[place]) for place in range(found.count)]
        finally:
            library.apus_free(block)

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = True) -> str:
        """The text of tokens."""
        try:
            array = (ctypes.c_int32 * len(ids))(*[int(each) for each in ids])
        except (TypeError, ValueError) as error:
            raise ArgumentTypeError(f"no list of numbers: {error}", "ids") from None
        text, length, slot, library = ctypes.c_void_p(None), ctypes.c_int64(0), _native.ErrorSlot(), _native.native()
        if library.apus_decode(
            self._opened(), ctypes.addressof(array), len(array), int(skip_special_tokens), ctypes.addressof(text),
            ctypes.addressof(length), slot.address,
        ):  # fmt: skip
            slot.throw(self._path)
        try:
            return ctypes.string_at(text.value or 0, length.value).decode("utf-8", "replace")
        finally:
            library.apus_free(text)

    def token_to_id(self, token: str) -> Optional[int]:
        """The number of a token; None where there is none of that text."""
        number, slot = ctypes.c_int32(-1), _native.ErrorSlot()
        if _native.native().apus_token_id(
            self._opened(), text_array([token], "token")[0], ctypes.addressof(number), slot.address
        ):
            slot.throw(self._path)
        return None if number.value < 0 else number.value

    def id_to_token(self, id: int) -> Optional[str]:
        """The token of a number; None where there is none."""
        text, slot, library = ctypes.c_void_p(None), _native.ErrorSlot(), _native.native()
        if library.apus_token_text(self._opened(), id, ctypes.addressof(text), slot.address):
            slot.throw(self._path)
        if not text.value:
            return None
        try:
            return ctypes.string_at(text.value).decode("utf-8", "replace")
        finally:
            library.apus_free(text)

    def close(self) -> None:
        """Gives the tokenizer up; later calls raise ``ClosedError``."""
        self._closed = True
        self._handle = None

    def __enter__(self) -> "Tokenizer":
        return self

    def __exit__(self, *details: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        name = os.path.basename(self._path.rstrip("/")) or self._path
        state = ", closed" if self._closed else f": {self.vocabulary_size} tokens"
        return f"<Tokenizer {name!r}{state}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        path = os.path.abspath(self._path) if os.path.exists(self._path) else self._path
        return _restored, (type(self), path, self._expected or fingerprint(path))


class _Handle:
    """A handle of the library, released when nothing uses it."""

    __slots__ = ("pointer",)

    def __init__(self, path: str) -> None:
        self.pointer = 0
        handle, slot = ctypes.c_void_p(None), _native.ErrorSlot()
        if _native.native().apus_tokenizer_open(os.fsencode(path), ctypes.addressof(handle), slot.address):
            slot.throw(path)
        self.pointer = handle.value or 0

    def __del__(self, native: Any = _native) -> None:
        # At the end of the process the names of modules are gone before this.
        library = native._library
        if library is not None and self.pointer:
            library.apus_tokenizer_release(self.pointer)


def _encoding(found: Any, text: Any) -> Encoding:
    count = found.count
    offsets = None
    if found.offsets:
        places = _characters(text)
        flat = found.offsets[: 2 * count]
        offsets = [(places(flat[2 * index]), places(flat[2 * index + 1])) for index in range(count)]
    return Encoding(
        found.ids[:count], found.attention_mask[:count], found.token_types[:count], found.special_tokens_mask[:count],
        offsets, bool(found.was_truncated),
    )  # fmt: skip


def _characters(text: str) -> Any:
    """The character at a byte of a text in UTF-8."""
    if text.isascii():
        return lambda place: place
    places: List[int] = []
    for index, character in enumerate(text):
        places += [index] * len(character.encode("utf-8", "surrogatepass"))
    places.append(len(text))
    return lambda place: places[min(place, len(places) - 1)]


def _restored(cls: Type[Tokenizer], path: str, digest: Optional[str]) -> Any:
    tokenizer = cls.__new__(cls)
    tokenizer._prepare(path, digest)
    return tokenizer
