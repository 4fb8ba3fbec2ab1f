"""What takes down how long models take."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, Optional, Union

from . import _native
from .model import Model
from .session import Session

__all__ = ["Monitor"]


class Monitor:
    """Takes down the runs of models: counts, times and their quantiles, alerts.

    >>> monitor = Monitor()                                   # doctest: +SKIP
    >>> monitor.watch(model, "embedder", target_milliseconds=50)   # doctest: +SKIP
    >>> monitor.report()["models"]                            # doctest: +SKIP
    """

    def __init__(self) -> None:
        self._pointer: Optional[int] = None
        handle, slot = ctypes.c_void_p(None), _native.ErrorSlot()
        if _native.native().apus_monitor_make(ctypes.addressof(handle), slot.address):
            slot.throw()
        self._pointer = handle.value

    def watch(self, model: Union[Model, Session], name: str, target_milliseconds: float = 0) -> None:
        """Has the runs of a model taken down from now on.

        Args:
            model: one that is open. Of a model with several tasks all that are open are taken down.
            name: what it is called.
            target_milliseconds: what one run may take before an alert; 0 for no target.
        """
        if isinstance(model, Session):
            handles = [model._opened()]
        else:
            handles = list(model._open.values()) or [model._opened(model._main_task())]
        for each in handles:
            slot = _native.ErrorSlot()
            if _native.native().apus_monitor_watch(
                self._pointer, each.pointer, name.encode(), float(target_milliseconds), slot.address
            ):
                slot.throw()

    def report(self) -> Dict[str, Any]:
        """What is known now."""
        found: Dict[str, Any] = _native.take_json(_native.native().apus_monitor_json, self._pointer)
        return found

    def __del__(self, native: Any = _native) -> None:
        # At the end of the process the names of modules are gone before this.
        library = native._library
        if library is not None and getattr(self, "_pointer", None):
            library.apus_monitor_release(self._pointer)
