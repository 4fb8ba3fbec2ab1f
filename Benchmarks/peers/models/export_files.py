"""Writes the files of `exports`: networks with random weights, exported and quantized."""

import sys

import numpy as np

from models.exports import SEED


def write(export, form, folder, path):
    {
        ".new.onnx": write_onnx, ".old.onnx": write_onnx, ".dynamic.onnx": quantize_dynamic,
        ".qdq.onnx": quantize_static, ".folder": write_folder,
    }[form](export, form, folder, path)


def configuration(network):
    """The configuration of transformers of a network, and the class that it is for."""
    # transformers imports torchvision where it is installed, and fails if its build does not fit that of torch.
    sys.modules.setdefault("torchvision", None)
    import transformers as t

    from models import towers

    bert = {"bert-base": {}, "minilm": {
        "hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}}
    if network in bert:
        return t.BertConfig(**bert[network]), t.BertModel
    return {
        "distilbert": lambda: (t.DistilBertConfig(), t.DistilBertModel),
        "clip-image": lambda: (
            towers.configuration("clip-vit-b-32").vision_config, t.CLIPVisionModelWithProjection),
        "clip-text": lambda: (towers.configuration("clip-vit-b-32").text_config, t.CLIPTextModelWithProjection),
        "modernbert": lambda: (t.ModernBertConfig(), t.ModernBertModel),
        "deberta": lambda: (towers.configuration("deberta-v3-base"), t.DebertaV2Model),
        "resnet50": lambda: (t.ResNetConfig(num_labels=1000), t.ResNetForImageClassification),
        "convnext_tiny": lambda: (t.ConvNextConfig(num_labels=1000), t.ConvNextForImageClassification),
        "vit_b_16": lambda: (t.ViTConfig(num_labels=1000), t.ViTForImageClassification),
        "swin_t": lambda: (
            t.SwinConfig(num_labels=1000, depths=[2, 2, 6, 2], num_heads=[3, 6, 12, 24]),
            t.SwinForImageClassification),
    }[network]()


def network(export, library):
    """The network with weights drawn from a fixed seed."""
    import torch

    torch.manual_seed(SEED)
    if library == "transformers":
        settings, kind = configuration(export.network)
        module = kind(settings)
    elif library == "timm":
        import timm

        module = timm.create_model(export.network)
    else:
        import torchvision

        module = getattr(torchvision.models, export.network)()
    with torch.no_grad():
        for weight in module.parameters():
            # Biases start at zero and scales at one: a swapped or forgotten one would go unseen.
            if weight.ndim == 1:
                weight.add_(torch.randn(weight.shape) * 0.02)
        for name, statistic in module.named_buffers():
            if name.endswith(("running_mean", "running_var")):
                statistic.add_(torch.rand(statistic.shape) * 0.1)
    return module.eval()


def write_onnx(export, form, folder, path):
    import torch

    module = network(export, export.library)
    names = list(export.inputs)

    class Named(torch.nn.Module):
        """The network as a function of its inputs in their order."""

        def __init__(self):
            super().__init__()
            self.model = module

        def forward(self, *values):
            if export.library != "transformers":
                return self.model(*values)
            return getattr(self.model(**dict(zip(names, values))), export.outputs[0])

    values = tuple(torch.from_numpy(value) for value in export.samples().values())
    outputs = list(export.outputs)
    axes = {0: "batch"} if export.is_picture else {0: "batch", 1: "length"}
    options = {"input_names": names, "output_names": outputs}
    if form == ".old.onnx":
        named = {name: axes for name in names} | {outputs[0]: {0: "batch"}}
        torch.onnx.export(Named(), values, str(path), dynamo=False, opset_version=17, dynamic_axes=named, **options)
    else:
        torch.onnx.export(
            Named(), values, str(path), dynamo=True, dynamic_shapes=(tuple(dict(axes) for _ in names),), **options)


def write_folder(export, form, folder, path):
    module = network(export, export.folder)
    if export.folder == "timm":
        import timm

        timm.models.save_for_hf(module, path, safe_serialization=True)
        return
    from models.torch_models import sentence_files

    module.save_pretrained(path)
    if not export.is_picture and export.part is None:
        import json

        for name, content in sentence_files(module.config.hidden_size).items():
            file = path / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(json.dumps(content, indent=2) + "\n")


def quantize_dynamic(export, form, folder, path):
    """ONNX Runtime's own int8 as optimum asks for it: signed weights, activations quantized at run time."""
    import onnxruntime.quantization as quantization

    quantization.quantize_dynamic(
        str(folder / (export.name + ".old.onnx")), str(path), per_channel=True,
        weight_type=quantization.QuantType.QInt8)


def quantize_static(export, form, folder, path):
    """Scales of activations from what random inputs gave, weights for each channel, all signed."""
    import onnxruntime.quantization as quantization
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Samples(quantization.CalibrationDataReader):
        def __init__(self):
            self.left = [export.samples(SEED + index) for index in range(4)]

        def get_next(self):
            return self.left.pop() if self.left else None

    prepared = path.with_suffix(".prepared")
    quant_pre_process(
        str(folder / (export.name + ".old.onnx")), str(prepared), skip_symbolic_shape=not export.is_picture)
    quantization.quantize_static(
        str(prepared), str(path), Samples(), per_channel=True, quant_format=quantization.QuantFormat.QDQ,
        activation_type=quantization.QuantType.QInt8, weight_type=quantization.QuantType.QInt8)
    prepared.unlink()
