"""Folders as optimum and transformers.js lay them out, of every family of Tests/Fixtures/transformers, held against transformers
where these classify, and against the folders with safetensors, which Apus's tests hold against PyTorch."""
import json
import os
import pathlib
import shutil
import subprocess
import warnings

import numpy as np
import PIL.Image
import torch
import transformers

from held import APUS, REFUSED
from torch_exports import silence

ROOT = pathlib.Path(__file__).resolve().parents[4]
MODELS = ROOT / "Tests/Fixtures/transformers"
PICTURES = [ROOT / "Tests/Fixtures/images/pictures" / name for name in ("rgb.jpg", "ycbcr420.jpg")]
TEXTS = ["The film was a joy!", "dull, lifeless", "x", "a photo of a cat and the dog that it knows"]
LABELS = ["a cat", "a dog", "rice"]
BOUND = 2e-5


class Named(torch.nn.Module):
    """A model as a function of its inputs in their order."""

    def __init__(self, model, names, outputs):
        super().__init__()
        self.model, self.names, self.outputs = model, names, outputs

    def forward(self, *inputs):
        result = self.model(**dict(zip(self.names, inputs)))
        return tuple(getattr(result, name) for name in self.outputs)


def purpose(kind):
    """What a model is for: the command, and what it is asked for besides the model."""
    if kind.endswith("ForSequenceClassification"):
        return ["classify-text", *TEXTS, "--top-k", "100"]
    if kind.endswith("ForImageClassification"):
        return ["classify", *map(str, PICTURES), "--top-k", "100"]
    if kind in ("CLIPModel", "SiglipModel", "Siglip2Model"):
        return ["zero-shot", *map(str, PICTURES), "--labels", ",".join(LABELS), "--template", "{}"]
    if "Vision" in kind or kind in ("Dinov2Model", "Dinov2WithRegistersModel", "ViTModel"):
        return ["embed", *(f"--image={path}" for path in PICTURES), "--length", "raw"]
    return ["embed", *(f"--text={text}" for text in TEXTS), "--length", "raw"]


def samples(settings, kind):
    """Inputs to export with, by their names, and the outputs that optimum gives."""
    text = {"input_ids": torch.tensor([[2, 5, 6, 7, 8, 3], [2, 9, 10, 11, 12, 3]])}
    text["attention_mask"] = torch.ones_like(text["input_ids"])
    command = purpose(kind)[0]
    vision = getattr(settings, "vision_config", settings)
    size = getattr(vision, "image_size", None) or 32
    sides = tuple(size) if isinstance(size, (list, tuple)) else (size, size)
    picture = {"pixel_values": torch.randn(2, getattr(vision, "num_channels", 3), *sides)}
    if command == "zero-shot":
        if "Siglip" in kind:
            text = {"input_ids": torch.randint(3, 20, (2, settings.text_config.max_position_embeddings))}
        return text | picture, ["logits_per_image", "logits_per_text", "text_embeds", "image_embeds"]
    if command == "classify":
        return picture, ["logits"]
    if "pixel_values" in picture and command == "embed" and purpose(kind)[1].startswith("--image"):
        name = "image_embeds" if kind.endswith("WithProjection") else "pooler_output"
        return picture, [name] if name == "image_embeds" else ["last_hidden_state", name]
    if getattr(settings, "type_vocab_size", 0) and settings.model_type in ("bert", "electra", "albert", "deberta-v2"):
        text["token_type_ids"] = torch.zeros_like(text["input_ids"])
    if command == "classify-text":
        return text, ["logits"]
    return text, ["text_embeds"] if kind.endswith("WithProjection") else ["last_hidden_state"]


def scores(path, kind):
    """What transformers makes of the same texts and pictures; None of models that embed."""
    command = purpose(kind)[0]
    if command == "embed":
        return None
    with warnings.catch_warnings(), silence(), torch.no_grad():
        warnings.simplefilter("ignore")
        model = getattr(transformers, kind).from_pretrained(path, dtype=torch.float32).eval()
        given = {}
        if command != "classify":
            tokenizer = transformers.AutoTokenizer.from_pretrained(path)
        if command != "classify-text":
            processor = transformers.AutoImageProcessor.from_pretrained(path, backend="pil")
            given = dict(processor([PIL.Image.open(file).convert("RGB") for file in PICTURES], return_tensors="pt"))
        if command == "zero-shot":
            padding = "max_length" if "Siglip" in kind else True
            texts = tokenizer(LABELS, padding=padding, truncation=True, return_tensors="pt",
                              max_length=model.config.text_config.max_position_embeddings)
            names = ["input_ids"] if "Siglip" in kind else ["input_ids", "attention_mask"]
            logits = model(**given, **{name: texts[name] for name in names}).logits_per_image
            return (torch.sigmoid(logits) if "Siglip" in kind else torch.softmax(logits, -1)).tolist()
        rows = [model(**tokenizer(text, return_tensors="pt")).logits[0] for text in TEXTS] if command == "classify-text" else model(**given).logits
        several = model.config.num_labels == 1 or model.config.problem_type == "multi_label_classification"
        return [(torch.sigmoid(row) if several else torch.softmax(row, -1)).tolist() for row in rows]


def away(found, expected):
    """How far numbers are from others, as a share of the greatest; what tells their shapes where those differ."""
    found, expected = np.array(found, np.float64), np.array(expected, np.float64)
    if found.shape != expected.shape:
        return f"{found.shape} numbers for {expected.shape}"
    return np.max(np.abs(found - expected)) / max(np.max(np.abs(expected)), 1e-30)


def answers(model, arguments):
    """The numbers that a command prints, or why there are none."""
    done = subprocess.run([APUS, *arguments, "--model", str(model), "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        return None, (done.returncode, (done.stderr.strip() or done.stdout.strip()).replace(str(model), "FOLDER"))
    rows = []
    for line in done.stdout.splitlines():
        parsed = json.loads(line)
        for item in parsed if isinstance(parsed, list) else parsed.get("results", [parsed]):
            if "predictions" in item:
                rows.append([entry["score"] for entry in sorted(item["predictions"], key=lambda entry: entry.get("index", entry["label"]))])
            else:
                rows.append(next(item[name] for name in ("values", "embedding", "vector") if name in item))
    return rows, None


def run(judge, count, seed, folder, only=None):
    torch.manual_seed(0)
    for path in sorted(MODELS.iterdir()):
        if not (path / "config.json").exists() or only is not None and path.name != only:
            continue
        config = json.loads((path / "config.json").read_text())
        if "architectures" not in config or "model_type" not in config or "quantization_config" in config:
            continue
        kind = config["architectures"][0]
        arguments = purpose(kind)
        wanted, why = answers(path, arguments)
        if wanted is None:
            judge.count("folders", path.name, "not comparable", f"{arguments[0]}: {why[1]}")
            continue
        try:
            library = scores(path, kind)
        except Exception as error:
            library = None
            judge.count("folders", path.name, "not comparable", f"transformers: {reason(error)}")
        for is_new in (False, True):
            place = pathlib.Path(folder) / f"{path.name}-{'new' if is_new else 'old'}"
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(path, place, ignore=shutil.ignore_patterns("*.safetensors", "expected.json"))
            # optimum writes beside the configuration, transformers.js below.
            file = place / "onnx/model.onnx" if is_new else place / "model.onnx"
            file.parent.mkdir(exist_ok=True)
            name = f"{path.name} ({'new' if is_new else 'old'} exporter)"
            try:
                export(path, kind, file, is_new)
            except Exception as error:
                judge.count("folders", name, "not exported", reason(error))
                continue
            judge.count("folders", name, *verdict(place, arguments, wanted, library))


def reason(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:160]


def verdict(place, arguments, wanted, library):
    found, why = answers(place, arguments)
    if found is None:
        return "refused" if why[0] in (REFUSED, 2, 3) else "failed", f"{arguments[0]}: {why[1]}"
    for name, expected in (("the folder", wanted), ("transformers", library)):
        distance = away(found, expected) if expected is not None else 0
        if isinstance(distance, str) or not distance <= BOUND:
            text = distance if isinstance(distance, str) else f"{distance:.1e} of the greatest"
            return "failed", f"{text} from {name}"
    return "passed", ""


def export(path, kind, file, is_new):
    with warnings.catch_warnings(), silence(), torch.no_grad():
        warnings.simplefilter("ignore")
        model = getattr(transformers, kind).from_pretrained(
            path, dtype=torch.float32, attn_implementation="sdpa" if is_new else "eager").eval()
        inputs, outputs = samples(model.config, kind)
        axes = {name: {0: "batch"} if value.ndim == 4 else {0: "batch", 1: "tokens"} for name, value in inputs.items()}
        module, values = Named(model, list(inputs), outputs), tuple(inputs.values())
        if is_new:
            shapes = (tuple({axis: torch.export.Dim.AUTO for axis in axes[name]} for name in inputs),)
            torch.onnx.export(module, values, str(file), input_names=list(inputs), output_names=outputs, dynamo=True, dynamic_shapes=shapes,
                              opset_version=20, verbose=False)
        else:
            torch.onnx.export(module, values, str(file), input_names=list(inputs), output_names=outputs, dynamo=False, opset_version=17,
                              dynamic_axes=axes | {name: {0: "batch"} for name in outputs})
