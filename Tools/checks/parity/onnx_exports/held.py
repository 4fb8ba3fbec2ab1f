"""An ONNX file held against ONNX Runtime with its optimisations off, on every instruction set and with one thread and two."""
import collections
import os
import subprocess
import tempfile

import numpy as np
import onnxruntime

APUS = os.environ.get("APUS", "Tools/apus")
# The exit code of `apus` for a model that was refused.
REFUSED = 4
# Of the greatest number of an output.
FLOAT_BOUND = 1e-5
THREADS = (1, 2)


def instruction_sets():
    named = os.environ.get("APUS_ISA")
    if named:
        return [named]
    listed = subprocess.run([APUS, "doctor", "--instruction-sets"], capture_output=True, text=True, check=True)
    return listed.stdout.split()


def expected(path, inputs):
    """ONNX Runtime's outputs."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return session.run(None, {name: inputs[name] for name in (value.name for value in session.get_inputs())})


def difference(found, wanted, bound=FLOAT_BOUND, steps=0):
    """What tells an array from another; None where nothing does."""
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return f"{found.dtype}{list(found.shape)} for {wanted.dtype}{list(wanted.shape)}"
    if wanted.dtype.kind != "f":
        off = np.abs(found.astype(np.int64) - wanted.astype(np.int64)) > steps if wanted.dtype.kind != "b" else found != wanted
        return f"{int(np.sum(off))} of {wanted.size} integers are others" if np.any(off) else None
    finite = np.isfinite(wanted)
    if not np.array_equal(np.isnan(found), np.isnan(wanted)) or np.any(found[~finite & ~np.isnan(wanted)] != wanted[~finite & ~np.isnan(wanted)]):
        return "other NaN or infinities"
    if not np.any(finite):
        return None
    largest = np.max(np.abs(wanted[finite]))
    distance = np.max(np.abs(found[finite].astype(np.float64) - wanted[finite]))
    return None if distance <= bound * max(largest, 1e-30) else f"{distance / max(largest, 1e-30):.1e} of the greatest"


class Judge:
    """Counts what files gave, and prints each that failed."""

    def __init__(self, lists_refusals=False):
        self.sets = instruction_sets()
        self.counts = collections.defaultdict(collections.Counter)
        self.reasons = collections.Counter()
        self.lists_refusals = lists_refusals

    def judge(self, kind, name, path, inputs, bound=FLOAT_BOUND, steps=0):
        """Holds one file against ONNX Runtime, once for each of `inputs`; what that refuses is `not comparable`."""
        held = 0
        for values in inputs:
            try:
                wanted = expected(path, values)
            except Exception as error:
                why = str(error).splitlines()[0][:160]
                continue
            held += 1
            verdict, reason = self.hold(path, values, wanted, bound, steps)
            if verdict != "passed":
                return self.count(kind, name, verdict, reason)
        return self.count(kind, name, "passed", "") if held else self.count(kind, name, "not comparable", why)

    def hold(self, path, inputs, wanted, bound=FLOAT_BOUND, steps=0):
        """A verdict, and why."""
        for instructions in self.sets:
            for threads in THREADS:
                found, why = self.run(path, inputs, len(wanted), instructions, threads)
                if found is None:
                    return why
                for index, (one, other) in enumerate(zip(found, wanted)):
                    different = difference(one, np.asarray(other), bound, steps)
                    if different:
                        shapes = ", ".join(str(list(value.shape)) for value in inputs.values())
                        return "failed", f"output {index} of {shapes} on {instructions} with {threads} threads: {different}"
        return "passed", ""

    def run(self, path, inputs, outputs, instructions, threads):
        with tempfile.TemporaryDirectory() as work:
            arguments = [APUS, "run", str(path), "--output-dir", work, "--threads", str(threads)]
            for index, (name, array) in enumerate(inputs.items()):
                file = os.path.join(work, f"in{index}.npy")
                np.save(file, array)
                arguments += ["--input", f"{name}={file}"]
            done = subprocess.run(
                arguments, capture_output=True, text=True, env=os.environ | {"APUS_ISA": instructions})
            message = done.stderr.strip().replace(str(path) + ": ", "")
            if done.returncode != 0:
                return None, ("refused" if done.returncode == REFUSED else "failed", message or f"exit {done.returncode}")
            return [np.load(os.path.join(work, f"{index}.npy")) for index in range(outputs)], None

    def count(self, kind, name, verdict, why):
        self.counts[kind][verdict] += 1
        if verdict == "failed":
            print(f"{kind} {name}: {why}", flush=True)
        elif verdict != "passed":
            self.reasons[f"{kind} {verdict}: {why[:200]}"] += 1
            if self.lists_refusals:
                print(f"{kind} {name} {verdict}: {why}", flush=True)
        return verdict

    def report(self):
        """Prints the counts; whether nothing failed."""
        for kind, counts in self.counts.items():
            print(
                f"{kind}: {counts['passed']} passed, {counts['refused']} refused by name, {counts['failed']} failed"
                + (f", {counts['not comparable']} that ONNX Runtime refuses" if counts["not comparable"] else "")
                + (f", {counts['as converted']} as ONNX Runtime has them, unlike the library" if counts["as converted"] else "")
                + (f", {counts['not exported']} that the exporter refuses" if counts["not exported"] else ""))
        return not any(counts["failed"] for counts in self.counts.values())
