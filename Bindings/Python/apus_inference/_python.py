"""Functions of Python's own C interface, by a handle of this package's: other packages set other types on the shared one."""

from __future__ import annotations

import ctypes
from typing import Any

__all__ = ["PyBuffer", "api", "immortal"]

api = ctypes.PyDLL(None)

api.PyObject_GetBuffer.argtypes = [ctypes.py_object, ctypes.c_void_p, ctypes.c_int]
api.PyObject_GetBuffer.restype = ctypes.c_int
api.PyBuffer_Release.argtypes = [ctypes.c_void_p]
api.PyBuffer_Release.restype = None
api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_IsValid.restype = ctypes.c_int
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.restype = ctypes.c_int
api.Py_IncRef.argtypes = [ctypes.py_object]
api.Py_IncRef.restype = None


class PyBuffer(ctypes.Structure):
    """``Py_buffer``, as every version of Python from 3.3 has it."""

    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    ]


def immortal(value: Any) -> Any:
    """The value, which is never freed: for memory to which others keep a pointer."""
    api.Py_IncRef(value)
    return value
