"""NumPy where it is installed, imported when an array is first needed and never before."""

from __future__ import annotations

import sys
from typing import Any, Optional

__all__ = ["loaded_numpy", "numpy_or_none"]


def loaded_numpy() -> Optional[Any]:
    """NumPy if this process has imported it already: only then an argument can be one of its arrays."""
    return sys.modules.get("numpy")


def numpy_or_none() -> Optional[Any]:
    """NumPy, imported now if need be; None where it is not installed."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy
