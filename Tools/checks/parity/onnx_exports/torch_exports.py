"""Random networks as both exporters of PyTorch write them, held against ONNX Runtime."""
import contextlib
import logging
import os
import pathlib
import warnings

import numpy as np
import torch

import torch_networks

# The versions of ONNX's operators that each exporter is asked for.
OLD_VERSIONS = tuple(range(11, 21))
NEW_VERSIONS = tuple(range(18, 25))


@contextlib.contextmanager
def silence():
    """Nothing is printed: libraries write what they make of a network that they refuse."""
    kept = os.dup(1), os.dup(2)
    with open(os.devnull, "w") as nowhere:
        for number in (1, 2):
            os.dup2(nowhere.fileno(), number)
        try:
            yield
        finally:
            for number, old in zip((1, 2), kept):
                os.dup2(old, number)
                os.close(old)


def export(module, x, axes, path, version, is_new):
    options = {"input_names": ["x"], "opset_version": version, "external_data": False}
    with warnings.catch_warnings(), silence(), torch.no_grad():
        warnings.simplefilter("ignore")
        if is_new:
            shapes = ({axis: torch.export.Dim.AUTO for axis in axes},) if axes else None
            torch.onnx.export(module, (x,), str(path), dynamo=True, dynamic_shapes=shapes, verbose=False, **options)
        else:
            torch.onnx.export(module, (x,), str(path), dynamo=False, dynamic_axes={"x": axes} if axes else None, **options)


def other_shape(x, axes, draw):
    """An input of another shape, where axes may change."""
    shape = [extent + draw.choice([0, 1, 2]) if axis in axes else extent for axis, extent in enumerate(x.shape)]
    return torch.randn(shape) if x.is_floating_point() else torch.randint(0, 20, shape)


def run(judge, count, seed, folder, only=None):
    logging.disable(logging.ERROR)
    torch.backends.mha.set_fastpath_enabled(False)
    for index in range(count):
        is_new = index % 2 == 1
        if only is not None and index != only:
            continue
        module, x, axes, draw = torch_networks.network(f"{seed}/{index}")
        version = draw.choice(NEW_VERSIONS if is_new else OLD_VERSIONS)
        kind = "torch, new exporter" if is_new else "torch, old exporter"
        name = f"{seed}/{index} (version {version}, {', '.join(axes.values()) or 'no free axis'})"
        path = pathlib.Path(folder) / f"torch-{index}.onnx"
        try:
            export(module, x, axes, path, version, is_new)
        except Exception as error:
            judge.count(kind, name, "not exported", str(error).strip().splitlines()[0][:160])
            continue
        inputs = [x] + ([other_shape(x, axes, draw)] if axes else [])
        judge.judge(kind, name, path, [{"x": value.numpy()} for value in inputs])
    logging.disable(logging.NOTSET)
