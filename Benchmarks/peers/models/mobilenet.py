"""MobileNetV2 1.0 224 with random weights.

mnv2_float32.tflite, mnv2_float32.onnx   the same weights
mnv2_int8.onnx                           quantized per channel: signed weights, unsigned activations
mnv2_uint8.onnx                          quantized per tensor: unsigned weights and activations
"""

import numpy as np

from models import keras_files

FLOAT_TFLITE, FLOAT_ONNX = "mnv2_float32.tflite", "mnv2_float32.onnx"
QUANTIZED = {
    "mnv2_int8.onnx": {"per_channel": True, "signed_weights": True},
    "mnv2_uint8.onnx": {"per_channel": False, "signed_weights": False},
}
SEED = 20240613


def keras_model():
    """MobileNetV2 whose batch normalisations hold the statistics of a batch of noise."""
    import keras

    keras.utils.set_random_seed(SEED)
    model = keras.applications.MobileNetV2(weights=None, input_shape=(224, 224, 3))
    noise = np.random.default_rng(SEED).uniform(-1, 1, (8, 224, 224, 3)).astype(np.float32)
    keras_files.settle(model, noise)
    return model


def quantize(source, target, per_channel, signed_weights):
    """Static quantization by ONNX Runtime's own tool, calibrated on noise."""
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Noise(CalibrationDataReader):
        def __init__(self):
            random = np.random.default_rng(SEED)
            self.batches = iter(
                [{"image": random.uniform(-1, 1, (1, 3, 224, 224)).astype(np.float32)} for _ in range(4)])

        def get_next(self):
            return next(self.batches, None)

    prepared = target.with_suffix(".prepared.onnx")
    quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
    quantize_static(
        str(prepared),
        str(target),
        Noise(),
        quant_format=QuantFormat.QDQ,
        per_channel=per_channel,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8 if signed_weights else QuantType.QUInt8,
    )
    prepared.unlink()


def check(folder):
    """The two float files must give the same answer, or the comparison would be of different work."""
    import onnxruntime
    from ai_edge_litert.interpreter import Interpreter

    image = np.random.default_rng(1).uniform(-1, 1, (1, 224, 224, 3)).astype(np.float32)
    interpreter = Interpreter(model_path=str(folder / "mnv2_float32.tflite"))
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], image)
    interpreter.invoke()
    first = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
    session = onnxruntime.InferenceSession(str(folder / "mnv2_float32.onnx"))
    second = session.run(None, {"image": image.transpose(0, 3, 1, 2)})[0]
    difference = np.abs(first - second).max() / np.abs(second).max()
    if not difference <= 1e-4:  # also refuses NaN
        raise SystemExit(f"the TFLite and ONNX files differ by {difference:.2e} of the largest output")


def write(folder, path):
    """Writes one of the files; the two in float32 together."""
    if path.name in QUANTIZED:
        quantize(folder / FLOAT_ONNX, path, **QUANTIZED[path.name])
        return
    from models.mobilenet_onnx import OnnxWriter

    model = keras_model()
    (path.parent / FLOAT_TFLITE).write_bytes(keras_files.converter(model, 224).convert())
    OnnxWriter().write(model, path.parent / FLOAT_ONNX)
    check(path.parent)
