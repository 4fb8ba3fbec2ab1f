"""Apus beside the engines that one would use instead, on the same models, inputs and processors.

Every engine runs in a process of its own. All take turns, a few runs each, round after round, so that a change
in the machine's speed meets all of them alike: quote the ratios, not the times.

Usage: compare.py [--rounds 30] [--runs 10] [--threads 1,2] [--models FOLDER] [--only NAME] [--json FILE]
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import models

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHARED = Path(os.environ.get("APUS_SHARED", ROOT.parent / "shared" / "data"))

# A name, the input, and for each engine the file that it runs. Engines that cannot read the TFLite file run
# the same architecture, quantized the same way by ONNX Runtime's own tool; their rows are marked with *.
JOBS = [
    {
        "name": "MobileNetV2 1.0 224 float32",
        "input": "float32",
        "apus": "{models}/mnv2_float32.tflite",
        "litert": "{models}/mnv2_float32.tflite",
        "onnxruntime": "{models}/mnv2_float32.onnx",
        "openvino": "{models}/mnv2_float32.tflite",
    },
    {
        "name": "MobileNetV2 1.0 224 int8 per channel",
        "input": "uint8",
        "apus": "{shared}/tflite/imagenet/tf2_mobilenet_v2_1.0_224_ptq.tflite",
        "litert": "{shared}/tflite/imagenet/tf2_mobilenet_v2_1.0_224_ptq.tflite",
        "onnxruntime": "{models}/mnv2_int8.onnx",
        "openvino": "{models}/mnv2_int8.onnx",
        "openvino-tflite": "{shared}/tflite/imagenet/tf2_mobilenet_v2_1.0_224_ptq.tflite",
    },
    {
        "name": "MobileNetV2 1.0 224 uint8",
        "input": "uint8",
        "apus": "{shared}/tflite/imagenet/mobilenet_v2_1.0_224_quant.tflite",
        "litert": "{shared}/tflite/imagenet/mobilenet_v2_1.0_224_quant.tflite",
        "onnxruntime": "{models}/mnv2_uint8.onnx",
        "openvino": "{models}/mnv2_uint8.onnx",
        "openvino-tflite": "{shared}/tflite/imagenet/mobilenet_v2_1.0_224_quant.tflite",
    },
]

# These overrule OpenBLAS's own choice of kernels.
MISLEADING = ["OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"]


class Engine:
    """A worker process; `error` says why it is out of the race."""

    def __init__(self, name, command, environment):
        self.name, self.times, self.error = name, [], None
        self.messages = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.messages, text=True,
            env=environment)

    def fail(self):
        """Notes the last thing that a worker said before it ended."""
        code = self.process.wait()
        self.messages.seek(0)
        lines = self.messages.read().strip().splitlines()
        self.error = lines[-1][:200] if lines else f"ended with exit code {code}"

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            self.fail()
            return None
        return json.loads(line)

    def wait_until_ready(self):
        answer = self.read()
        if answer and "error" in answer:
            self.error = answer["error"]

    def run(self, count):
        """The milliseconds of each of `count` runs."""
        try:
            self.process.stdin.write(f"{count}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self.fail()
            return []
        return self.read() or []

    def close(self):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()


def start(name, path, threads, image, environment):
    engine = name.split("-")[0]
    if engine == "apus":
        program = ROOT / ".build" / "release" / "apus"
        command = [program, "run", path, "--input", f"0={image}", "--threads", str(threads), "--benchmark"]
        return Engine(name, [str(part) for part in command], environment)
    command = [sys.executable, HERE / "workers.py", engine, path, threads, image]
    worker = Engine(name, [str(part) for part in command], environment)
    worker.wait_until_ready()
    return worker


def processor_use(seconds=0.5):
    """The part of all processors' time that is in use now, 0 to 1."""

    def read():
        fields = [int(field) for field in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
        return sum(fields), fields[3] + fields[4]

    total, idle = read()
    time.sleep(seconds)
    total_after, idle_after = read()
    return 1 - (idle_after - idle) / max(total_after - total, 1)


def measure(job, threads, options, folder, environment):
    paths = {
        name: Path(path.format(models=options.models, shared=SHARED))
        for name, path in job.items()
        if name not in ("name", "input")
    }
    random = np.random.default_rng(1)
    image = {
        "float32": random.uniform(-1, 1, (1, 224, 224, 3)).astype(np.float32),
        "uint8": random.integers(0, 256, (1, 224, 224, 3), dtype=np.uint8),
    }
    inputs = {}
    for kind, array in image.items():
        inputs[kind] = folder / f"{kind}.npy"
        np.save(inputs[kind], array)

    engines = []
    for name, path in paths.items():
        if not path.exists():
            print(f"  {name}: {path} is missing", file=sys.stderr)
            continue
        # ONNX files take floats and quantize them inside.
        kind = "float32" if path.suffix == ".onnx" else job["input"]
        engines.append(start(name, path, threads, inputs[kind], environment))
    for engine in engines:
        if not engine.error:
            engine.run(options.runs)
    for _ in range(options.rounds):
        for engine in engines:
            if not engine.error:
                # The first run of a turn finds cold caches, and the threads of others still spinning.
                engine.times += engine.run(options.runs + 1)[1:]
    for engine in engines:
        engine.close()
    return paths, engines


def report(job, threads, paths, engines):
    """Prints a table and returns its figures."""
    done = {engine.name: engine for engine in engines if engine.times and not engine.error}
    figures = {
        name: {"min": min(engine.times), "median": statistics.median(engine.times)}
        for name, engine in done.items()
    }
    # A float model is the same in both formats; a quantized one was quantized anew for ONNX.
    stand_ins = [
        name for name in figures if paths[name].suffix != paths["apus"].suffix and job["input"] == "uint8"
    ]
    print(f"\n{job['name']}, {threads} thread{'s' if threads > 1 else ''}")
    print(f"  {'engine':<18}{'min ms':>9}{'median ms':>11}{'Apus ÷ min':>12}{'Apus ÷ median':>15}")
    for engine in engines:
        if engine.name not in figures:
            print(f"  {engine.name:<18} {engine.error or 'no result'}")
            continue
        figure = figures[engine.name]
        mark = "*" if engine.name in stand_ins else ""
        line = f"  {engine.name + mark:<18}{figure['min']:>9.3f}{figure['median']:>11.3f}"
        if "apus" in figures and engine.name != "apus":
            apus = figures["apus"]
            line += f"{apus['min'] / figure['min']:>12.2f}{apus['median'] / figure['median']:>15.2f}"
        print(line)
    same = [name for name in figures if name != "apus" and name not in stand_ins]
    ratios = {}
    for title, peers in (("the same file", same), ("any file", same + stand_ins)):
        if "apus" in figures and peers:
            ratios[title] = {
                kind: figures["apus"][kind] / min(figures[name][kind] for name in peers)
                for kind in ("min", "median")
            }
            ratio = ratios[title]
            print(f"  Apus ÷ best peer on {title}: {ratio['min']:.2f} by minimum, {ratio['median']:.2f} by median")
    return {"model": job["name"], "threads": threads, "engines": figures, "ratios": ratios}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30, help="turns of every engine (30)")
    parser.add_argument("--runs", type=int, default=10, help="runs in a turn (10)")
    parser.add_argument("--threads", default="1,2", help="numbers of threads (1,2)")
    parser.add_argument("--models", default=str(ROOT / ".build" / "peers"), help="folder for the models made")
    parser.add_argument("--only", default="", help="jobs whose name contains this")
    parser.add_argument("--json", help="a file for the figures")
    options = parser.parse_args()

    environment = dict(os.environ)
    for name in MISLEADING:
        if environment.pop(name, None) is not None:
            print(f"warning: {name} was set; it is unset for all engines", file=sys.stderr)
    subprocess.run([ROOT / "Tools" / "apus", "--help"], check=True, stdout=subprocess.DEVNULL)
    models.build(options.models)

    use = processor_use()
    if use > 0.1:
        print(
            f"warning: {use:.0%} of the processors' time is taken by other work; figures for 2 threads suffer "
            "most", file=sys.stderr)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for threads in [int(text) for text in options.threads.split(",")]:
            for job in JOBS:
                if options.only in job["name"]:
                    paths, engines = measure(job, threads, options, Path(folder), environment)
                    results.append(report(job, threads, paths, engines))
    print("\n* the same architecture with other weights, quantized by ONNX Runtime's tool")
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1) + "\n")


main()
