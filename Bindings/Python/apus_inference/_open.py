"""Models that are open in this process: each once for its settings, however many objects and pickles use it."""

from __future__ import annotations

import ctypes
import json
import os
import threading
import weakref
from collections import OrderedDict
from typing import Any, Dict, List, Mapping, Optional, Tuple

from . import _native
from ._calls import CallOptions
from .errors import ArgumentTypeError, ConfigurationError

__all__ = ["Opened", "clear_cache", "fingerprint", "keep", "opened", "settings_json"]

#: Models that stay open for workers although no object uses them at the moment.
_KEPT = 8
#: Bytes at either end of a large file that its fingerprint reads.
_SAMPLE = 1 << 16

_Key = Tuple[str, str, str, Tuple[Tuple[str, int, int], ...]]


class Opened:
    """A handle of the library to a model that is open for one task. It is released when nothing uses it."""

    __slots__ = ("__weakref__", "_described", "key", "pointer", "task")

    def __init__(self, pointer: int, task: str, key: _Key) -> None:
        self.pointer = pointer
        self.task = task
        self.key = key
        self._described: Optional[Dict[str, Any]] = None

    @property
    def description(self) -> Dict[str, Any]:
        """What the library knows of it."""
        found = self._described
        if found is None:
            found = self._described = self.fresh_description()
        return found

    def fresh_description(self) -> Dict[str, Any]:
        """The same as it is now: memory changes."""
        found: Dict[str, Any] = _native.take_json(_native.native().apus_describe_json, self.pointer)
        return found

    def __del__(self, native: Any = _native) -> None:
        # At the end of the process the names of modules are gone before this.
        library = native._library
        if library is not None and self.pointer:
            library.apus_model_release(self.pointer)


class _Shared:
    """What all threads of the process share."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.open: "weakref.WeakValueDictionary[_Key, Opened]" = weakref.WeakValueDictionary()
        self.kept: "OrderedDict[_Key, Opened]" = OrderedDict()
        self.opening: Dict[_Key, threading.Lock] = {}


_shared = _Shared()


def _after_fork() -> None:
    # Threads that held them do not exist in the child; what is open stays so.
    _shared.lock = threading.Lock()
    _shared.opening = {}


os.register_at_fork(after_in_child=_after_fork)


def settings_json(settings: Mapping[str, Any]) -> str:
    """Settings as the library reads them; what is None is not said.

    Raises:
        ArgumentTypeError: a value that JSON has not.
    """
    said = {key: _plain(value) for key, value in settings.items() if value is not None}
    try:
        return json.dumps(said, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ArgumentTypeError(f"a setting that JSON does not have: {error}", "settings") from None


def _plain(value: Any) -> Any:
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _state(path: str) -> Tuple[Tuple[str, int, int], ...]:
    """What tells that a model's files are still the same on this machine."""
    try:
        if not os.path.isdir(path):
            status = os.stat(path)
            return (("", status.st_size, status.st_mtime_ns),)
        return tuple(
            (name, status.st_size, status.st_mtime_ns)
            for name, status in ((name, os.stat(os.path.join(path, name))) for name in sorted(os.listdir(path)))
        )
    except OSError:
        return ()


def opened(
    name: str, task: Optional[str], settings: str, call: Optional[CallOptions] = None, identity: Optional[str] = None
) -> Opened:
    """A model, opened unless it is open already.

    Args:
        name: a file, a folder, or the name of a repository in the local Hugging Face cache.
        task: of the library; None for the only one that the model is made for.
        settings: as ``settings_json`` has them.
        call: watches and stops it.
        identity: what tells it from others; None for its path and the state of its files.
    """
    if identity is not None:
        key: _Key = (identity, task or "", settings, ())
    else:
        key = (os.path.realpath(name) if os.path.exists(name) else name, task or "", settings, _state(name))
    with _shared.lock:
        found = _shared.open.get(key)
        if found is not None:
            return found
        opening = _shared.opening.setdefault(key, threading.Lock())
    with opening:
        with _shared.lock:
            found = _shared.open.get(key)
        if found is not None:
            return found
        try:
            made = _open(name, task, settings, call, key)
            with _shared.lock:
                _shared.open[key] = made
        finally:
            with _shared.lock:
                _shared.opening.pop(key, None)
    return made


def _open(name: str, task: Optional[str], settings: str, call: Optional[CallOptions], key: _Key) -> Opened:
    library = _native.native()
    slot, model = _native.ErrorSlot(), ctypes.c_void_p(None)
    status = library.apus_open(
        os.fsencode(name), task.encode() if task else None, settings.encode(), call.address if call else None,
        ctypes.addressof(model), slot.address,
    )  # fmt: skip
    if call is not None:
        call.check()
    if status:
        slot.throw(name)
    made = Opened(model.value or 0, task or "", key)
    if not task:
        made.task = str(made.description.get("task", ""))
    return made


def keep(model: Opened) -> None:
    """Has a model stay open between the tasks of a worker, of which each unpickles it anew."""
    with _shared.lock:
        _shared.kept[model.key] = model
        _shared.kept.move_to_end(model.key)
        gone = [_shared.kept.popitem(last=False)[1] for _ in range(len(_shared.kept) - _KEPT)]
    del gone  # Released without the lock.


def clear_cache() -> None:
    """Releases the models that are kept open for workers and that no object uses."""
    with _shared.lock:
        kept = list(_shared.kept.values())
        _shared.kept.clear()
    del kept


def fingerprint(path: str) -> Optional[str]:
    """What tells whether a model on another machine is the same: of small files all bytes, of large ones their sizes and
    ends. None for a name that is no path.
    """
    if not os.path.exists(path):
        return None
    import hashlib  # 2 ms, which most programs need not wait for.

    digest = hashlib.sha256()
    for name, place in _files(path):
        size = os.path.getsize(place)
        digest.update(f"{name}\0{size}\0".encode("utf-8", "surrogateescape"))
        with open(place, "rb") as file:
            digest.update(file.read(_SAMPLE))
            if size > _SAMPLE:
                file.seek(max(_SAMPLE, size - _SAMPLE))
                digest.update(file.read(_SAMPLE))
    return digest.hexdigest()[:32]


def _files(path: str) -> List[Tuple[str, str]]:
    if not os.path.isdir(path):
        return [("", path)]
    # Hidden files and cards change without the model changing.
    names = sorted(name for name in os.listdir(path) if not name.startswith(".") and not name.endswith(".md"))
    return [(name, os.path.join(path, name)) for name in names if os.path.isfile(os.path.join(path, name))]


def verify(path: str, expected: Optional[str]) -> None:
    """Refuses a model that is another than the one that was pickled.

    Raises:
        ConfigurationError: the files differ.
    """
    found = fingerprint(path) if expected is not None else None
    if found is not None and found != expected:
        raise ConfigurationError(
            "the model's files differ from those that the pickled object was made with", path,
            "Have the same files on every machine, or make the object anew.",
        )  # fmt: skip
