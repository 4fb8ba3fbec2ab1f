"""One inference engine in a process of its own, driven over pipes.

The parent writes a number of runs on a line; the worker answers with a JSON list of as many times in
milliseconds. The first line a worker prints is a JSON object: {"ready": true} or {"error": "..."}.

Usage: workers.py ENGINE MODEL THREADS INPUT.npy
"""

import json
import os
import sys
import time

import numpy as np


def litert(path, threads, image):
    """LiteRT with its default kernels: XNNPACK for what it covers."""
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=path, num_threads=threads)
    interpreter.allocate_tensors()
    index = interpreter.get_input_details()[0]["index"]

    def run():
        interpreter.set_tensor(index, image)
        interpreter.invoke()

    return run


def onnxruntime(path, threads, image):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    feed = {session.get_inputs()[0].name: channels_first(image)}
    return lambda: session.run(None, feed)


def openvino(path, threads, image):
    """OpenVINO in float32 for float models: its default on processors with BF16 is less precise."""
    from openvino import Core

    core = Core()
    model = core.read_model(path)
    configuration = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    compiled = core.compile_model(model, "CPU", configuration)
    request = compiled.create_infer_request()
    feed = [image if path.endswith(".tflite") else channels_first(image)]
    return lambda: request.infer(feed, share_inputs=True)


def channels_first(image):
    return np.ascontiguousarray(image.transpose(0, 3, 1, 2))


ENGINES = {"litert": litert, "onnxruntime": onnxruntime, "openvino": openvino}


def main():
    engine, path, threads, image = sys.argv[1:]
    # What libraries print must not mix with the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(value):
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    try:
        run = ENGINES[engine](path, int(threads), np.load(image))
        run()
    except Exception as error:
        answer({"error": f"{type(error).__name__}: {error}".splitlines()[0][:200]})
        return
    answer({"ready": True})
    for line in sys.stdin:
        times = []
        for _ in range(int(line)):
            start = time.perf_counter_ns()
            run()
            times.append((time.perf_counter_ns() - start) / 1e6)
        answer(times)


main()
