"""The node tests of the onnx wheel through `apus run`: see Tools/checks/onnx-nodes."""
import collections
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

APUS = os.environ.get("APUS", "Tools/apus")
ROOT = os.path.join(os.path.dirname(onnx.__file__), "backend/test/data/node")
# The exit code of `apus` for a model that was refused.
REFUSED = 4


def tensor(path):
    """The array of a file; nil of what is no tensor, or of elements that no .npy file has."""
    value = onnx.TensorProto()
    with open(path, "rb") as file:
        value.ParseFromString(file.read())
    array = numpy_helper.to_array(value)
    return None if array.dtype.kind not in "biuf" else array


def run(name):
    """`passed`, `refused` or `failed`, and why."""
    folder = os.path.join(ROOT, name)
    model = onnx.load(os.path.join(folder, "model.onnx"))
    known = {value.name for value in model.graph.initializer}
    if any(value.type.tensor_type.elem_type == onnx.TensorProto.BFLOAT16 for value in model.graph.output):
        return "refused", "an output of elements that no .npy file has"
    with tempfile.TemporaryDirectory() as work:
        arguments = [APUS, "run", os.path.join(folder, "model.onnx"), "--output-dir", work]
        inputs = [value for value in model.graph.input if value.name not in known]
        for index, value in enumerate(inputs):
            path = os.path.join(folder, f"test_data_set_0/input_{index}.pb")
            try:
                array = tensor(path)
            except Exception:
                array = None
            if array is None or not value.type.HasField("tensor_type"):
                return "refused", "an input that is no tensor of numbers"
            np.save(os.path.join(work, f"in{index}.npy"), array)
            arguments += ["--input", f"{index}={work}/in{index}.npy"]
        done = subprocess.run(arguments, capture_output=True, text=True)
        message = done.stderr.strip().replace(folder + "/model.onnx: ", "")
        if done.returncode < 0:
            return "failed", f"ended by signal {-done.returncode}"
        if done.returncode != 0:
            return "refused" if done.returncode == REFUSED else "failed", message
        for index in range(len(model.graph.output)):
            expected = tensor(os.path.join(folder, f"test_data_set_0/output_{index}.pb"))
            found = np.load(os.path.join(work, f"{index}.npy"))
            if expected is None or found.shape != expected.shape or found.dtype != expected.dtype:
                return "failed", f"output {index} is {found.dtype}{found.shape}"
            # The bounds of onnx.backend.test.
            if not np.allclose(found, expected, rtol=1e-3, atol=1e-7, equal_nan=True):
                return "failed", f"output {index} has other numbers"
    return "passed", ""


def main():
    patterns = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    names = sorted(os.listdir(ROOT))
    if patterns:
        names = [name for name in names if any(pattern in name for pattern in patterns)]
    counts, reasons = collections.Counter(), collections.Counter()
    for name in names:
        kind, why = run(name)
        counts[kind] += 1
        if kind == "failed":
            print(f"{name}: {why}", flush=True)
        if kind == "refused":
            reasons[re.sub(r"node \d+ ('[^']*' )?", "", why)[:160]] += 1
    if "--refused" in sys.argv:
        for why, count in reasons.most_common():
            print(f"{count:4} {why}")
    print(f"{counts['passed']} passed, {counts['refused']} refused by name, {counts['failed']} failed")
    sys.exit(1 if counts["failed"] else 0)


main()
