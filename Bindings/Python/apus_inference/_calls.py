"""How calls are watched and stopped: tokens, interrupts of the keyboard, progress, and twins for asyncio."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, Callable, List, Optional, TypeVar

from . import _native

__all__ = ["CancelToken", "CallOptions", "in_background", "interruptible"]

T = TypeVar("T")

#: Seconds that a call gets to stop after an interrupt, before its thread is left to end by itself.
_GRACE = 10.0


class CancelToken:
    """Stops the calls that it was given to, from any thread: they raise ``CancelledError`` at the next node of the model.

    >>> token = CancelToken()
    >>> token.is_cancelled
    False
    >>> token.cancel()
    >>> token.is_cancelled
    True
    """

    __slots__ = ("_word", "address")

    def __init__(self) -> None:
        self._word = ctypes.c_int32(0)
        self.address = ctypes.addressof(self._word)

    def cancel(self) -> None:
        """Stops the calls."""
        self._word.value = 1

    @property
    def is_cancelled(self) -> bool:
        """Whether :meth:`cancel` was called."""
        return self._word.value != 0

    def __repr__(self) -> str:
        return f"<CancelToken {'cancelled' if self.is_cancelled else 'not cancelled'}>"


class CallOptions:
    """The ``apus_call`` of one call.

    Args:
        token: stops it.
        progress: told the stage and what is done of it, from 0 to 1. What it raises stops the call, and is raised by it.
        error_count: how many inputs may fail by themselves; 0: the first that fails ends the call.
    """

    __slots__ = ("_call", "_errors", "_progress", "_raised", "_token", "address")

    def __init__(
        self, token: Optional[CancelToken] = None, progress: Optional[Callable[[str, float], Any]] = None,
        error_count: int = 0,
    ) -> None:  # fmt: skip
        self._token = token
        self._raised: Optional[BaseException] = None
        self._call = _native.Call(size=ctypes.sizeof(_native.Call))
        if token is not None:
            self._call.cancel = token.address
        if progress is not None:
            told = progress

            def tell(_context: Any, stage: bytes, fraction: float) -> int:
                try:
                    told(stage.decode(), fraction)
                except BaseException as error:
                    self._raised = error
                    return 1
                return 0

            self._progress = _native.Progress(tell)
            self._call.progress = self._progress
        self._errors: Any = None
        if error_count:
            self._errors = (ctypes.c_void_p * error_count)()
            self._call.errors = ctypes.addressof(self._errors)
        self.address = ctypes.addressof(self._call)

    def check(self) -> None:
        """Raises what the progress function raised."""
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised

    def input_errors(self) -> List[Optional[Exception]]:
        """The error of each input; None for one that went well."""
        blocks, self._errors = self._errors, None
        return [_native.take_error(block) if block else None for block in blocks or ()]


def interruptible(work: Callable[[], T], token: CancelToken) -> T:
    """What ``work`` gives, where a long call is to end when the user interrupts it.

    Python runs handlers of signals on the main thread alone, and not while that is in a call of C: so the call is made on
    another one. After an interrupt the token stops it, and the interrupt is raised.
    """
    if threading.get_ident() != threading.main_thread().ident:
        return work()
    results: List[T] = []
    errors: List[BaseException] = []
    done = threading.Lock()
    done.acquire()

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        finally:
            done.release()

    threading.Thread(target=run, name="apus-call", daemon=True).start()
    try:
        done.acquire()
    except BaseException:
        token.cancel()
        done.acquire(timeout=_GRACE)
        raise
    if errors:
        raise errors[0]
    return results[0]


async def in_background(work: Callable[[CancelToken], T], token: Optional[CancelToken] = None) -> T:
    """What ``work`` gives, on a thread of the event loop's executor; a task that is cancelled stops it."""
    import asyncio

    own = token if token is not None else CancelToken()
    try:
        return await asyncio.get_running_loop().run_in_executor(None, work, own)
    except asyncio.CancelledError:
        own.cancel()
        raise
