"""One inference engine in a process of its own, driven over pipes.

The parent writes a number of runs on a line; the worker answers with a JSON list of as many times in
milliseconds. The first line a worker prints is a JSON object: {"ready": true, "load": the seconds from the
library imported to the model ready, "base": MiB held before} or {"error": "..."}.

Usage: worker.py ENGINE MODEL PRECISION THREADS INPUT.npy [TOWER]
"""

import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from machine import has_bfloat16


@dataclass
class Task:
    model: str
    precision: str
    threads: int
    # One array, or several by their names.
    input: np.ndarray | dict[str, np.ndarray]
    tower: str


def fitted(values, shape, data_type):
    """The input in the layout and type that a model wants: pixels as floats are in -1...1."""
    if values.ndim == 4 and tuple(shape) != values.shape:
        values = values.transpose((0, 3, 1, 2) if shape[1] == 3 else (0, 2, 3, 1))
    if values.dtype == np.uint8 and data_type == np.float32:
        values = values.astype(np.float32) / 127.5 - 1
    return np.ascontiguousarray(values, data_type)


def litert(task):
    """LiteRT with its default kernels: XNNPACK for what it covers."""
    from ai_edge_litert.interpreter import Interpreter

    yield
    interpreter = Interpreter(model_path=task.model, num_threads=task.threads)
    interpreter.allocate_tensors()
    details = interpreter.get_input_details()[0]
    values = fitted(task.input, details["shape"], details["dtype"])
    output = interpreter.get_output_details()[0]["index"]

    def run():
        interpreter.set_tensor(details["index"], values)
        interpreter.invoke()
        return interpreter.get_tensor(output)

    yield run


def onnxruntime(task):
    import onnxruntime

    yield
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = task.threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(task.model, options, providers=["CPUExecutionProvider"])
    if isinstance(task.input, dict):
        feed = task.input
    else:
        model_input = session.get_inputs()[0]
        data_type = {"tensor(float)": np.float32, "tensor(int64)": np.int64}[model_input.type]
        feed = {model_input.name: fitted(task.input, model_input.shape, data_type)}
    yield lambda: session.run(None, feed)[0]


def openvino(task):
    """OpenVINO in the precision named; at int8 the rest is in bfloat16, its own choice, where the processor has it."""
    from openvino import Core

    yield
    core = Core()
    model = core.read_model(task.model)
    if isinstance(task.input, dict):
        model.reshape({name: list(value.shape) for name, value in task.input.items()})
    # Without such instructions it computes them in other ways, up to sixty times as long.
    hint = "bf16" if task.precision == "bf16" or task.precision == "int8" and has_bfloat16() else "f32"
    configuration = {
        "INFERENCE_NUM_THREADS": task.threads, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": hint}
    compiled = core.compile_model(model, "CPU", configuration)
    request = compiled.create_infer_request()
    if isinstance(task.input, dict):
        feed = task.input
    else:
        port = compiled.inputs[0]
        feed = [fitted(task.input, port.shape, port.element_type.to_dtype())]
    yield lambda: request.infer(feed, share_inputs=True)[0]


def torch(task):
    """PyTorch as it comes, without compilation; int8 is its dynamic quantization of linear layers."""
    import torch

    from models import torch_models
    from models.towers import TOWERS

    tower = TOWERS[task.tower]
    torch_models.tower_class(tower)
    yield
    torch.set_num_threads(task.threads)
    data_type = "bfloat16" if task.precision == "bf16" else "float32"
    module = torch_models.load(tower, Path(task.model), data_type)
    if task.precision == "int8":
        module = torch.ao.quantization.quantize_dynamic(module, {torch.nn.Linear}, torch.qint8)
    values = torch.from_numpy(task.input)
    if values.is_floating_point():
        values = values.to(getattr(torch, data_type))

    def run():
        with torch.inference_mode():
            return module(values)

    yield run


# Generators that yield when their library is imported, and then the function of one run.
ENGINES = {"litert": litert, "onnxruntime": onnxruntime, "openvino": openvino, "torch": torch}


def resident():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main():
    engine, model, precision, threads, input, tower = sys.argv[1:]
    # What libraries print must not mix with the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(value):
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    try:
        values = np.load(input)
        values = values if isinstance(values, np.ndarray) else dict(values)
        steps = ENGINES[engine](Task(model, precision, int(threads), values, tower))
        next(steps)
        base, start = resident(), time.perf_counter()
        run = next(steps)
    except Exception as error:
        answer({"error": f"{type(error).__name__}: {error}".splitlines()[0][:200]})
        return
    answer({"ready": True, "load": time.perf_counter() - start, "base": base})
    for line in sys.stdin:
        times = []
        for _ in range(int(line)):
            start = time.perf_counter_ns()
            run()
            times.append((time.perf_counter_ns() - start) / 1e6)
        answer(times)


main()
