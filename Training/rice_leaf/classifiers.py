"""The scores that apus and LiteRT give for pictures."""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

from .pictures import CLASSES, normalized, pixels

# LiteRT's sets of kernels. Only the reference kernels round in int8 as the operators are specified.
KERNELS = {"default": OpResolverType.AUTO, "reference": OpResolverType.BUILTIN_REF}


@dataclass(frozen=True)
class Apus:
    """The program, and the folder of the model with its labels and metadata."""

    program: Path
    folder: Path

    @property
    def stated(self):
        return json.loads((self.folder / "meta.json").read_text())

    def scores(self, model, paths, and_also=()):
        """The scores [pictures, classes] of a model file of the folder, as it gives them: of temperature 1.

        - and_also: further keys of meta.json that count.
        """
        stated = self.stated
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({key: stated[key] for key in ("input_size", "preprocessing", *and_also)}, file)
            file.flush()
            return self.answers(model, paths, file.name)[0]

    def answers(self, model, paths, metadata=None):
        """The scores [pictures, classes], and for each picture why its answer is uncertain: None where it is certain."""
        command = [
            self.program, "classify", "-", "--json", "--top-k", str(len(CLASSES)), "--model", self.folder / model,
            "--labels", self.folder / "labels.json", "--meta", metadata or self.folder / "meta.json",
        ]
        lines = subprocess.run(
            command, input="".join(f"{path}\n" for path in paths), stdout=subprocess.PIPE, text=True, check=True
        ).stdout.splitlines()
        scores = np.zeros((len(paths), len(CLASSES)))
        for row, line in zip(scores, lines, strict=True):
            for prediction in json.loads(line)["predictions"]:
                row[CLASSES.index(prediction["label"])] = prediction["score"]
        return scores, [json.loads(line)["reason"] for line in lines]

    def calibrate(self, model, pictures):
        """Fits threshold and temperature to a model file of the folder; returns what `apus` says of it."""
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "pictures.tsv"
            rows = [f"{picture.path.resolve()}\t{CLASSES[picture.label]}" for picture in pictures]
            table.write_text("\n".join(["path\tlabel", *rows]) + "\n")
            command = [
                self.program, "calibrate", self.folder / model, "--data", table, "--json", "--labels",
                self.folder / "labels.json", "--meta", self.folder / "meta.json",
            ]
            return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def litert_scores(model, paths, kernels):
    """The scores [pictures, classes] that LiteRT gives for a model file with a set of KERNELS."""
    interpreter = Interpreter(str(model), num_threads=1, experimental_op_resolver_type=KERNELS[kernels])
    interpreter.allocate_tensors()
    input_, output = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
    rows = []
    for path in paths:
        interpreter.set_tensor(input_["index"], stored(pixels(path, input_["shape"][1]), input_["dtype"])[None])
        interpreter.invoke()
        rows.append(dequantized(interpreter.get_tensor(output["index"])[0], output))
    return np.stack(rows)


def stored(bytes_, dtype):
    """The input for bytes. In int8 they are less 128: x/127.5 − 1 at the scale that the converter finds for it."""
    return (bytes_ ^ 0x80).view(np.int8) if dtype == np.int8 else normalized(bytes_)


def dequantized(values, tensor):
    scale, zero = tensor["quantization"]
    return (values.astype(np.float64) - zero) * scale if scale else values
