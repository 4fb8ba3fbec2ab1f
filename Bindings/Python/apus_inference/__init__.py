"""Apus: image and text models on the processor of this machine.

    import apus_inference as apus

    model = apus.Model("sentence-transformers/all-MiniLM-L6-v2", precision="int8")
    vectors = model.encode(["a quick bird", "a swift"])
    print(model.similarity(vectors, vectors))

Nothing is downloaded and nothing is sent anywhere. NumPy is used where it is installed, and imported when it is first
needed; nothing else is required.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List

__version__ = "0.2.0"

if TYPE_CHECKING:
    from ._calls import CancelToken as CancelToken
    from ._library import library_info as library_info
    from ._library import native_version as native_version
    from ._library import seal as seal
    from ._library import thread_count as thread_count
    from ._monitor import Monitor as Monitor
    from ._open import clear_cache as clear_cache
    from .errors import ApusError as ApusError
    from .errors import ArgumentError as ArgumentError
    from .errors import ArgumentTypeError as ArgumentTypeError
    from .errors import CancelledError as CancelledError
    from .errors import ClosedError as ClosedError
    from .errors import ConfigurationError as ConfigurationError
    from .errors import FileError as FileError
    from .errors import ImageError as ImageError
    from .errors import LibraryError as LibraryError
    from .errors import MalformedModelError as MalformedModelError
    from .errors import MissingFileError as MissingFileError
    from .errors import ResourceError as ResourceError
    from .errors import UnsupportedModelError as UnsupportedModelError
    from .model import Model as Model
    from .model import similarity as similarity
    from .onnxruntime import InferenceSession as InferenceSession
    from .onnxruntime import SessionOptions as SessionOptions
    from .results import Classification as Classification
    from .results import Ranking as Ranking
    from .session import NodeArg as NodeArg
    from .session import Session as Session
    from .tokenizer import Encoding as Encoding
    from .tokenizer import Tokenizer as Tokenizer

#: Where each public name is defined: it is imported when it is first used.
_PLACES: Dict[str, str] = {
    "CancelToken": "_calls",
    "Classification": "results",
    "Encoding": "tokenizer",
    "InferenceSession": "onnxruntime",
    "Model": "model",
    "Monitor": "_monitor",
    "NodeArg": "session",
    "Ranking": "results",
    "Session": "session",
    "SessionOptions": "onnxruntime",
    "Tokenizer": "tokenizer",
    "clear_cache": "_open",
    "library_info": "_library",
    "native_version": "_library",
    "seal": "_library",
    "similarity": "model",
    "thread_count": "_library",
    **dict.fromkeys(
        (
            "ApusError", "ArgumentError", "ArgumentTypeError", "CancelledError", "ClosedError", "ConfigurationError",
            "FileError", "ImageError", "LibraryError", "MalformedModelError", "MissingFileError", "ResourceError",
            "UnsupportedModelError",
        ),
        "errors",
    ),
}  # fmt: skip

__all__ = [
    "ApusError",
    "ArgumentError",
    "ArgumentTypeError",
    "CancelToken",
    "CancelledError",
    "Classification",
    "ClosedError",
    "ConfigurationError",
    "Encoding",
    "FileError",
    "ImageError",
    "InferenceSession",
    "LibraryError",
    "MalformedModelError",
    "MissingFileError",
    "Model",
    "Monitor",
    "NodeArg",
    "Ranking",
    "ResourceError",
    "Session",
    "SessionOptions",
    "Tokenizer",
    "UnsupportedModelError",
    "clear_cache",
    "library_info",
    "native_version",
    "seal",
    "similarity",
    "thread_count",
]


def __getattr__(name: str) -> Any:
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{place}"), name)
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})
