"""ONNX files of published networks as people export them: by both exporters of PyTorch, and quantized by ONNX Runtime.

Weights are random. Each network has a folder too, which Apus opens by itself: an export should take no longer.
"""

from dataclasses import dataclass

import numpy as np

SEED = 20240613
TOKENS = 128
PICTURE = (1, 3, 224, 224)

# A file of an export by what follows its name: the title in tables, and what it is made of.
FORMS = {
    ".new.onnx": ("torch.onnx.export", []),
    ".old.onnx": ("torch.onnx.export, dynamo=False", []),
    ".dynamic.onnx": ("dynamic int8", [".old.onnx"]),
    ".qdq.onnx": ("QDQ int8", [".old.onnx"]),
    ".folder": ("folder", []),
}


@dataclass(frozen=True)
class Export:
    """`library` makes the `network`; `folder` is the library whose folder of it Apus opens, and `part` the tower of that."""

    name: str
    title: str
    library: str
    network: str
    kind: str
    folder: str
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ("output",)
    part: str | None = None

    @property
    def is_picture(self):
        return self.kind == "picture"

    def samples(self, seed=SEED):
        """The inputs of one run, by their names."""
        random = np.random.default_rng(seed)
        if self.is_picture:
            return {self.inputs[0]: random.normal(0, 1, PICTURE).astype(np.float32)}
        length = 77 if self.network == "clip-text" else TOKENS
        ids = random.integers(1000, 28000, (1, length), dtype=np.int64)
        ids[0, -1] = 49407 if self.network == "clip-text" else 102
        whole = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        return {name: whole[name] for name in self.inputs}

    @property
    def folder_names(self):
        """Which of the inputs a run of the folder gets, and what Apus calls them."""
        return {self.inputs[0]: "pixel_values"} if self.is_picture else {"input_ids": "input_ids"}


def picture(name, title, library, network, folder, input="input"):
    return Export(name, title, library, network, "picture", folder, (input,))


def text(name, title, inputs, output="last_hidden_state", part=None):
    return Export(name, title, "transformers", name, "text", "transformers", inputs, (output,), part)


TEXTS = ("input_ids", "attention_mask", "token_type_ids")
EXPORTS = {
    export.name: export
    for export in [
        picture("resnet50", "ResNet50 of torchvision", "torchvision", "resnet50", "transformers"),
        picture("mobilenetv3", "MobileNetV3 of timm", "timm", "mobilenetv3_large_100", "timm"),
        picture("efficientnet-b0", "EfficientNetB0 of timm", "timm", "efficientnet_b0", "timm"),
        picture("convnext-tiny", "ConvNeXt-T of torchvision", "torchvision", "convnext_tiny", "transformers"),
        picture("vit-b-16", "ViT-B/16 of timm", "timm", "vit_base_patch16_224", "timm"),
        picture("vit-b-16-torchvision", "ViT-B/16 of torchvision", "torchvision", "vit_b_16", "transformers"),
        picture("swin-tiny", "Swin-T of torchvision", "torchvision", "swin_t", "transformers"),
        text("bert-base", "BERT base", TEXTS),
        text("minilm", "MiniLM-L6", TEXTS),
        text("distilbert", "DistilBERT", TEXTS[:2]),
        Export(
            "clip-image", "CLIP ViT-B/32 image", "transformers", "clip-image", "picture", "transformers",
            ("pixel_values",), ("image_embeds",), "image"),
        text("clip-text", "CLIP ViT-B/32 text", TEXTS[:2], "text_embeds", "text"),
        text("modernbert", "ModernBERT base", TEXTS[:2]),
        text("deberta", "DeBERTa-v3 base", TEXTS[:2]),
    ]
}
