"""A bar on standard error: tqdm's where it is installed, else one of this package's own."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Callable, Optional, Type

__all__ = ["Bar"]


class Bar:
    """Shows what is done of a number of inputs, as a context.

    >>> with Bar("Embedding", 10, shown=False) as bar:
    ...     bar.progress is None
    True
    """

    def __init__(self, name: str, count: int, shown: bool) -> None:
        self._name = name
        self._count = count
        self._shown = shown
        self._bar: Any = None
        self._last = 0.0

    @property
    def progress(self) -> Optional[Callable[[float], None]]:
        """What is told the part that is done, from 0 to 1; None where nothing is shown."""
        return self._tell if self._shown else None

    def __enter__(self) -> "Bar":
        if self._shown:
            try:
                from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]

                self._bar = tqdm(total=self._count, desc=self._name)
            except ImportError:
                self._bar = None
        return self

    def _tell(self, fraction: float) -> None:
        done = min(self._count, round(fraction * self._count))
        if self._bar is not None:
            self._bar.update(done - self._bar.n)
            return
        now = time.monotonic()
        if done == self._count or now - self._last > 0.2:
            self._last = now
            print(f"\r{self._name}: {done}/{self._count}", end="", file=sys.stderr, flush=True)

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if self._bar is not None:
            if kind is None:
                self._bar.update(self._count - self._bar.n)
            self._bar.close()
        elif self._shown:
            print(file=sys.stderr)
