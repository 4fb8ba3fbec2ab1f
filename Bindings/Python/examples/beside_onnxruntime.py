"""A session beside ONNX Runtime's: the same lines, the same numbers.

Usage: python beside_onnxruntime.py MODEL.onnx
"""

# %% One file, opened by both. Nothing but the import differs.
import sys

import numpy as np
import onnxruntime

from apus_inference import onnxruntime as apus

path = sys.argv[1]
theirs = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
ours = apus.InferenceSession(path, providers=["CPUExecutionProvider"])

# %% Inputs and outputs are called and shaped alike.
for kind in ("get_inputs", "get_outputs"):
    for a, b in zip(getattr(theirs, kind)(), getattr(ours, kind)()):
        print(kind, a.name, a.type, a.shape, "|", b.name, b.type, b.shape)
        assert (a.name, a.type) == (b.name, b.type) and len(a.shape) == len(b.shape)

# %% A run of some numbers, with 1 for each size that is free.
numbers = np.random.default_rng(5)
feed = {}
for each in theirs.get_inputs():
    shape = [size if isinstance(size, int) else 1 for size in each.shape]
    if each.type == "tensor(float)":
        feed[each.name] = numbers.random(shape, np.float32)
    else:
        feed[each.name] = np.ones(shape, {"tensor(int64)": np.int64, "tensor(int32)": np.int32}[each.type])
expected, found = theirs.run(None, feed), ours.run(None, feed)

# %% Equal but for the order in which floats are added.
for told, a, b in zip(theirs.get_outputs(), expected, found):
    scale = max(1.0, float(np.abs(a).max()))
    print(told.name, a.shape, "differ by", float(np.abs(a - b).max()), "at a largest value of", float(np.abs(a).max()))
    assert a.shape == b.shape and a.dtype == b.dtype and np.abs(a - b).max() <= 1e-5 * scale
