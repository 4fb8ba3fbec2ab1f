"""ONNX files of the towers, exported from PyTorch, and their int8 forms."""

import numpy as np

from models import agreement, torch_models
from models.towers import SEED, sample


def export(tower, folder, path, expected):
    """Writes the float32 file, its weights beside it in PATH.data."""
    import torch

    # Attention spelled out: the exported form of the fused one guards against rows of NaN.
    module = torch_models.load(tower, folder, attn_implementation="eager")
    values = torch.from_numpy(sample(tower))
    torch.onnx.export(module, (values,), str(path), input_names=[tower.input], output_names=["output"])
    del module
    agreement.check(path, run_onnxruntime(tower, path), np.load(expected), exact=True)


def run_onnxruntime(tower, path):
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return session.run(None, {tower.input: sample(tower)})[0]


def quantize_dynamic(tower, source, path, expected):
    """ONNX Runtime's own int8: signed weights per channel, activations quantized at run time."""
    import onnx
    import onnxruntime.quantization as quantization

    model = onnx.load(source)
    # The tool turns Gemm into MatMul with the weights transposed, and trips over shapes noted before.
    del model.graph.value_info[:]
    quantization.quantize_dynamic(
        model, str(path), per_channel=True, weight_type=quantization.QuantType.QInt8)
    agreement.check(path, run_onnxruntime(tower, path), np.load(expected), exact=False)


def quantize_static(tower, source, path, expected):
    """OpenVINO's own int8, by NNCF: scales of activations from what random inputs gave."""
    import nncf
    import openvino

    core = openvino.Core()
    inputs = nncf.Dataset([sample(tower, SEED + index) for index in range(4)])
    quantized = nncf.quantize(
        core.read_model(source), inputs, subset_size=4, model_type=nncf.ModelType.TRANSFORMER)
    openvino.save_model(quantized, path, compress_to_fp16=False)
    del quantized
    actual = core.compile_model(path, "CPU")([sample(tower)])[0]
    agreement.check(path, np.asarray(actual), np.load(expected), exact=False)
