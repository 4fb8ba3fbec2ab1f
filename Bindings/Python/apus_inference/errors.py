"""What Apus raises: one family, whose members are also the exceptions that people catch for such faults."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional, Tuple, Type

__all__ = [
    "ApusError",
    "ArgumentError",
    "ArgumentTypeError",
    "CancelledError",
    "ClosedError",
    "ConfigurationError",
    "FileError",
    "ImageError",
    "LibraryError",
    "MalformedModelError",
    "MissingFileError",
    "ResourceError",
    "UnsupportedModelError",
]


class ApusError(Exception):
    """Why something was refused, where, and what to do about it.

    Attributes:
        kind: the part that refused: ``file``, ``malformed_model``, ``unsupported_model``, ``image``, ``configuration``,
            ``argument``, ``cancelled``, ``resources``, ``closed``, ``library`` or ``internal``.
        message: what was found, and what was expected.
        where: the file, tensor, operator or argument concerned; None where there is no such place.
        advice: what the reader can do, in a sentence; None where nothing is known.
    """

    kind: str = "internal"

    def __init__(
        self, message: str = "", where: Optional[str] = None, advice: Optional[str] = None, kind: Optional[str] = None
    ) -> None:
        self.message = message
        self.where = where
        self.advice = advice
        if kind is not None:
            self.kind = kind
        super().__init__(message)

    def __str__(self) -> str:
        text = self.message
        if self.where and not text.startswith(self.where):
            text = f"{self.where}: {text}"
        if self.advice and self.advice not in text:
            text = f"{text if text.endswith('.') else text + '.'} {self.advice}"
        return text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r}, kind={self.kind!r})"

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_restored, (type(self), self.message, self.where, self.advice, self.kind))


class FileError(ApusError, OSError):
    """A file or folder cannot be opened, read or written."""

    kind = "file"


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file or folder, and no model of that name in the local Hugging Face cache."""


class MalformedModelError(ApusError, ValueError):
    """The bytes of a model break the rules of its format."""

    kind = "malformed_model"


class UnsupportedModelError(ApusError, NotImplementedError):
    """A well-formed model asks for something that Apus does not do."""

    kind = "unsupported_model"


class ImageError(ApusError, ValueError):
    """A picture cannot be decoded, or is over a limit."""

    kind = "image"


class ConfigurationError(ApusError, ValueError):
    """Labels, metadata or another configuration file makes no sense."""

    kind = "configuration"


class ArgumentError(ApusError, ValueError):
    """A tensor, shape or option given by the caller does not fit."""

    kind = "argument"


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument of a type that is not taken here."""


class CancelledError(ApusError):
    """The work was cancelled."""

    kind = "cancelled"


class ResourceError(ApusError, MemoryError):
    """Memory or another resource of the system ran out."""

    kind = "resources"


class ClosedError(ApusError, ValueError):
    """A model, session or tokenizer is used after it was closed."""

    kind = "closed"


class LibraryError(ApusError, ImportError):
    """The native library is missing, of another version, or cannot run on this machine."""

    kind = "library"

    def __init__(
        self, message: str = "", where: Optional[str] = None, advice: Optional[str] = None, kind: Optional[str] = None
    ) -> None:
        super().__init__(message, where, advice, kind)
        self.msg = message


_BY_KIND: Dict[str, Type[ApusError]] = {
    each.kind: each
    for each in (
        FileError,
        MalformedModelError,
        UnsupportedModelError,
        ImageError,
        ConfigurationError,
        ArgumentError,
        CancelledError,
        ResourceError,
        ClosedError,
        LibraryError,
    )
}


def error_of(
    kind: str, message: str, where: Optional[str] = None, advice: Optional[str] = None, file: Optional[str] = None
) -> ApusError:
    """The exception for a fault of the library.

    Args:
        kind: as ``ApusError.kind``.
        message: what was found and expected.
        where: the place.
        advice: what to do.
        file: the file concerned, if one is; where it is not there the exception is a ``FileNotFoundError`` too.
    """
    cls = _BY_KIND.get(kind, ApusError)
    if cls is FileError and file is not None and not os.path.lexists(file):
        cls = MissingFileError
    return _restored(cls, message, where, advice, kind)


def _restored(cls: Type[ApusError], message: str, where: Optional[str], advice: Optional[str], kind: str) -> ApusError:
    return cls(message, where, advice, kind)
