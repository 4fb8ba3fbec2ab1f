"""The library itself: its version, what it runs on, and the seal of the process."""

from __future__ import annotations

from typing import Any, Dict

from . import _native
from .errors import ArgumentError

__all__ = ["library_info", "native_version", "seal", "thread_count"]


def native_version() -> str:
    """The version of the native library."""
    version: bytes = _native.native().apus_version()
    return version.decode()


def thread_count() -> int:
    """How many threads a computation may use: the least of processor affinity, quota, ``OMP_NUM_THREADS`` and
    ``APUS_POOL_SIZE``.
    """
    return int(_native.native().apus_thread_count())


def library_info() -> Dict[str, Any]:
    """What the library is and runs on: version, processor, kernels, threads, formats of pictures, tasks and settings."""
    found: Dict[str, Any] = _native.take_json(_native.native().apus_library_json)
    return found


def seal(scope: str = "alone") -> Dict[str, Any]:
    """Seals this process: it and all that it starts can open no socket from now on, which the kernel sees to.

    That cannot be undone, and holds for everything else in the process; the library never does it by itself.

    Args:
        scope: ``alone``, or ``answering``, which leaves it the sockets on which it listens already.

    Returns:
        what the kernel says of the seal.
    """
    if scope not in ("alone", "answering"):
        raise ArgumentError(f"'{scope}', expected 'alone' or 'answering'", "scope")
    slot = _native.ErrorSlot()
    if _native.native().apus_seal(scope.encode(), slot.address):
        slot.throw()
    found: Dict[str, Any] = _native.take_json(_native.native().apus_seal_json)
    return found
