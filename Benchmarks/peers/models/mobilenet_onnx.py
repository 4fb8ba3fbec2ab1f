"""MobileNetV2 as an ONNX file."""

import keras
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class OnnxWriter:
    """Writes the layers of a Keras MobileNetV2 as an ONNX graph, batch normalisations folded."""

    def __init__(self):
        self.nodes, self.constants, self.names = [], [], {}

    def constant(self, name, array):
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(self, operator, inputs, output, **attributes):
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def convolution(self, layer, normalisation, source, groups=1):
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
