"""What is measured: models, precisions, and the file that each engine runs."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models import classifiers, exports, towers
from models.classifiers import CLASSIFIERS
from models.exports import EXPORTS
from models.towers import TOWERS

# By the label in tables; several labels can be of one engine, which is the part before the hyphen.
ENGINES = ["apus", "openvino", "onnxruntime", "litert", "torch"]
PRECISIONS = ["f32", "bf16", "int8"]

# The label of Apus with the folder of an export.
FOLDER = "apus-folder"


@dataclass(frozen=True)
class Contender:
    """An engine and its file: one that `models` makes, or one of the shared collection (`is_shared`)."""

    label: str
    file: str
    is_shared: bool = False
    # The same architecture quantized anew, because the engine cannot read the file that Apus runs.
    is_stand_in: bool = False

    @property
    def engine(self):
        return self.label.split("-")[0]


@dataclass(frozen=True)
class Job:
    name: str
    precision: str
    contenders: tuple[Contender, ...]
    tower: towers.Tower | None = None
    classifier: classifiers.Classifier | None = None
    export: exports.Export | None = None
    # The type of MobileNetV2's pixels.
    pixels: str = "float32"

    def input(self):
        """An array, or several by their names."""
        if self.export:
            return self.export.samples()
        if self.tower:
            return towers.sample(self.tower)
        if self.classifier:
            levels = classifiers.pictures(self.classifier, 1)
            return classifiers.scaled(self.classifier, levels) if self.precision == "f32" else levels
        random = np.random.default_rng(1)
        if self.pixels == "uint8":
            return random.integers(0, 256, (1, 224, 224, 3), dtype=np.uint8)
        return random.uniform(-1, 1, (1, 224, 224, 3)).astype(np.float32)

    def apus_arguments(self, contender, input: Path, threads):
        """What follows `apus run MODEL`; of several inputs each has a file, INPUT.NAME.npy."""
        if self.export:
            is_folder = contender.label == FOLDER
            names = self.export.folder_names if is_folder else {name: name for name in self.export.inputs}
            arguments = ["--threads", str(threads)]
            for name, own in names.items():
                arguments += ["--input", f"{own}={input.with_suffix(f'.{name}.npy')}"]
            if is_folder and self.export.part:
                arguments += ["--part", self.export.part]
            return arguments
        name = self.tower.input if self.tower else "0"
        arguments = ["--input", f"{name}={input}", "--threads", str(threads)]
        if self.tower:
            arguments += ["--precision", self.precision]
            if self.tower.part:
                arguments += ["--part", self.tower.part]
        return arguments


def tower_jobs(name, tower):
    # Which form of a tower's file an engine reads at a precision; None is the model folder itself.
    forms = {
        "f32": {
            "apus": None, "openvino": ".onnx", "onnxruntime": ".onnx", "litert": ".tflite", "torch": None,
        },
        "bf16": {"apus": None, "openvino": ".onnx", "torch": None},
        "int8": {
            "apus": None, "openvino": ".int8.xml", "onnxruntime": ".int8.onnx", "litert": ".int8.tflite",
            "torch": None,
        },
    }
    for precision, engines in forms.items():
        contenders = tuple(
            Contender(engine, tower + form if form else TOWERS[tower].model)
            for engine, form in engines.items()
            if engine != "litert" or TOWERS[tower].has_tflite)
        yield Job(name, precision, contenders, TOWERS[tower])


def mobilenet_jobs():
    contenders = [Contender(label, "mnv2_float32.tflite") for label in ("apus", "litert", "openvino")]
    contenders.append(Contender("onnxruntime", "mnv2_float32.onnx"))
    yield Job("MobileNetV2 1.0 224 float32", "f32", tuple(contenders))
    for name, shared, onnx in [
        ("int8 per channel", "tflite/imagenet/tf2_mobilenet_v2_1.0_224_ptq.tflite", "mnv2_int8.onnx"),
        ("uint8", "tflite/imagenet/mobilenet_v2_1.0_224_quant.tflite", "mnv2_uint8.onnx"),
    ]:
        labels = ("apus", "litert", "openvino-tflite")
        contenders = [Contender(label, shared, is_shared=True) for label in labels]
        contenders += [Contender(label, onnx, is_stand_in=True) for label in ("onnxruntime", "openvino")]
        yield Job(f"MobileNetV2 1.0 224 {name}", "int8", tuple(contenders), pixels="uint8")


def classifier_jobs(classifier):
    for precision, form in {"f32": ".tflite", "int8": ".int8.tflite"}.items():
        contenders = tuple(
            Contender(engine, classifier.name + form) for engine in ("apus", "litert", "openvino"))
        yield Job(classifier.title, precision, contenders, classifier=classifier)


def export_jobs(export):
    for form, (title, _) in exports.FORMS.items():
        if form == ".folder":
            continue
        contenders = [Contender(label, export.name + form) for label in ("apus", "onnxruntime", "openvino")]
        is_float = form in (".new.onnx", ".old.onnx")
        if is_float:
            contenders.append(Contender(FOLDER, export.name + ".folder"))
        yield Job(
            f"ONNX: {export.title}, {title}", "f32" if is_float else "int8", tuple(contenders), export=export)


JOBS = [
    *mobilenet_jobs(),
    *(job for classifier in CLASSIFIERS.values() for job in classifier_jobs(classifier)),
    *tower_jobs("CLIP ViT-B/32 image", "clip-image"),
    *tower_jobs("CLIP ViT-B/32 text, 77 tokens", "clip-text"),
    *tower_jobs("ViT-B/16 224", "vit"),
    *tower_jobs("MiniLM-L6, 1 × 128 tokens", "minilm-1x128"),
    *tower_jobs("MiniLM-L6, 32 × 128 tokens", "minilm-32x128"),
    *tower_jobs("SigLIP so400m/14 448 image", "siglip-image"),
    *tower_jobs("SigLIP so400m/14 text, 64 tokens", "siglip-text"),
    *tower_jobs("ModernBERT base, 1 × 128 tokens", "modernbert-1x128"),
    *tower_jobs("ModernBERT base, 1 × 1024 tokens", "modernbert-1x1024"),
    *tower_jobs("DeBERTa-v3 base, 1 × 128 tokens", "deberta-1x128"),
    *tower_jobs("BEiT-B/16 224", "beit"),
    *tower_jobs("ResNet50 of transformers", "resnet"),
    *(job for export in EXPORTS.values() for job in export_jobs(export)),
]
