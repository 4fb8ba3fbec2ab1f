"""Builds the models that the benchmark runs, with random weights, once.

mnv2_float32.tflite, mnv2_float32.onnx   MobileNetV2 1.0 224 with the same weights
mnv2_int8.onnx                           quantized per channel: signed weights, unsigned activations
mnv2_uint8.onnx                          quantized per tensor: unsigned weights and activations

Usage: models.py FOLDER
"""

import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

SEED = 20240613


def keras_model():
    """MobileNetV2 whose batch normalisations hold the statistics of a batch of noise, so that activations
    keep a size of about one through the network."""
    import keras
    import numpy as np

    keras.utils.set_random_seed(SEED)
    model = keras.applications.MobileNetV2(weights=None, input_shape=(224, 224, 3))
    for layer in model.layers:
        if isinstance(layer, keras.layers.BatchNormalization):
            layer.momentum = 0.0
    noise = np.random.default_rng(SEED).uniform(-1, 1, (8, 224, 224, 3)).astype(np.float32)
    model(noise, training=True)
    return model


def write_tflite(model, path):
    """The float32 file, with a fixed batch of one."""
    import tensorflow as tf
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

    function = tf.function(lambda image: model(image, training=False))
    signature = function.get_concrete_function(tf.TensorSpec([1, 224, 224, 3], tf.float32, name="image"))
    frozen = convert_variables_to_constants_v2(signature)
    path.write_bytes(tf.lite.TFLiteConverter.from_concrete_functions([frozen]).convert())


class OnnxWriter:
    """Writes the layers of a Keras MobileNetV2 as an ONNX graph, batch normalisations folded."""

    def __init__(self):
        self.nodes, self.constants, self.names = [], [], {}

    def constant(self, name, array):
        import numpy as np
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(self, operator, inputs, output, **attributes):
        from onnx import helper

        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def convolution(self, layer, normalisation, source, groups=1):
        import numpy as np

        kernel = np.array(layer.kernel)
        kernel = kernel.transpose(2, 3, 0, 1) if groups > 1 else kernel.transpose(3, 2, 0, 1)
        gamma, beta, mean, variance = (np.array(weight) for weight in normalisation.weights)
        factor = gamma / np.sqrt(variance + normalisation.epsilon)
        # TensorFlow pads the last row and column first when the stride is 2.
        size, stride = kernel.shape[2], layer.strides[0]
        before = (size - stride) // 2 if stride == 2 else size // 2
        after = size - stride - before if stride == 2 else size // 2
        return self.node(
            "Conv",
            [
                source,
                self.constant(layer.name + "_kernel", kernel * factor[:, None, None, None]),
                self.constant(layer.name + "_bias", beta - mean * factor),
            ],
            layer.name,
            strides=[stride, stride],
            kernel_shape=[size, size],
            group=groups,
            pads=[before, before, after, after],
        )

    def write(self, model, path):
        import keras
        import numpy as np
        import onnx
        from onnx import TensorProto, helper

        zero = self.constant("zero", np.float32(0))
        six = self.constant("six", np.float32(6))
        values = {}
        layers = model.layers
        for index, layer in enumerate(layers):
            kind = type(layer).__name__
            inputs = keras.tree.flatten(layer.input) if index else []
            sources = [values[tensor._keras_history.operation.name] for tensor in inputs]
            if kind == "InputLayer":
                value = "image"
            elif kind == "ZeroPadding2D" or kind == "BatchNormalization":
                value = sources[0]
            elif kind == "Conv2D":
                value = self.convolution(layer, layers_after(layers, index, "BatchNormalization"), sources[0])
            elif kind == "DepthwiseConv2D":
                channels = layer.kernel.shape[2]
                value = self.convolution(
                    layer, layers_after(layers, index, "BatchNormalization"), sources[0], channels)
            elif kind == "ReLU":
                value = self.node("Clip", [sources[0], zero, six], layer.name)
            elif kind == "Add":
                value = self.node("Add", sources, layer.name)
            elif kind == "GlobalAveragePooling2D":
                pooled = self.node("GlobalAveragePool", [sources[0]], layer.name + "_4d")
                value = self.node("Flatten", [pooled], layer.name)
            elif kind == "Dense":
                weights, bias = (np.array(weight) for weight in layer.weights)
                gemm = [sources[0], self.constant("weights", weights), self.constant("bias", bias)]
                value = self.node("Softmax", [self.node("Gemm", gemm, "logits")], "probabilities", axis=1)
            else:
                raise SystemExit(f"no ONNX form for the layer {layer.name} ({kind})")
            values[layer.name] = value
        graph = helper.make_graph(
            self.nodes,
            "mobilenet_v2",
            [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 224, 224])],
            [helper.make_tensor_value_info(value, TensorProto.FLOAT, [1, 1000])],
            self.constants,
        )
        whole = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
        onnx.checker.check_model(whole)
        onnx.save(whole, path)


def layers_after(layers, index, kind):
    """The first layer of that kind after `index`."""
    return next(layer for layer in layers[index:] if type(layer).__name__ == kind)


def quantize(source, target, per_channel, signed_weights):
    """Static quantization by ONNX Runtime's own tool, calibrated on noise."""
    import numpy as np
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
    import numpy as np
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


def build(folder):
    """Makes what is missing in `folder`."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    float_tflite, float_onnx = folder / "mnv2_float32.tflite", folder / "mnv2_float32.onnx"
    if not (float_tflite.exists() and float_onnx.exists()):
        model = keras_model()
        write_tflite(model, float_tflite)
        OnnxWriter().write(model, float_onnx)
        check(folder)
    if not (folder / "mnv2_int8.onnx").exists():
        quantize(float_onnx, folder / "mnv2_int8.onnx", per_channel=True, signed_weights=True)
    if not (folder / "mnv2_uint8.onnx").exists():
        quantize(float_onnx, folder / "mnv2_uint8.onnx", per_channel=False, signed_weights=False)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build(sys.argv[1])
