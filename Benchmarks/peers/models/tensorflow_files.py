"""TensorFlow Lite files of the towers: the converter makes the graph; the matrices are put in after it."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import flatbuffers  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from ai_edge_litert.interpreter import Interpreter  # noqa: E402
from safetensors import safe_open  # noqa: E402
from tensorflow.lite.python import schema_py_generated as schema  # noqa: E402

from models import agreement, tensorflow_towers  # noqa: E402
from models.towers import configuration, sample  # noqa: E402

# Of the data that follow the graph.
ALIGNMENT = 64
# The version of FULLY_CONNECTED with int8 weights per channel and float activations.
HYBRID_VERSION = 12


def write(tower, folder, path, expected, int8):
    """Writes the float32 file, or that of int8 weights whose activations are quantized at run time."""
    values = sample(tower)
    values = values.transpose(0, 2, 3, 1) if tower.kind == "image" else values.astype("int32")
    with safe_open(folder / "model.safetensors", "np") as tensors:
        content, matrices = convert(tower, tensors, values, int8)
        fill(content, matrices, tensors, path, int8)
    agreement.check(path, run(path, values), np.load(expected), exact=not int8)


def convert(tower, tensors, values, int8):
    """A TensorFlow Lite file whose inputs are the tower's own and its matrices, and these by their names."""
    settings, wanted = configuration(tower.model), {}

    def function(input, arguments):
        weights = tensorflow_towers.Weights(tensors, arguments, wanted)
        return tensorflow_towers.BUILDERS[tower.name](input, weights, settings)

    with tf.Graph().as_default():
        function(tf.zeros(values.shape, values.dtype), {})
    matrices = {f"matrix{index}": matrix for index, matrix in enumerate(wanted)}
    specifications = [tf.TensorSpec(wanted[matrix], name=name) for name, matrix in matrices.items()]
    traced = tf.function(lambda input, *arguments: function(input, dict(zip(matrices.values(), arguments))))
    own = tf.TensorSpec(values.shape, values.dtype, name=tower.input)
    signature = traced.get_concrete_function(own, *specifications)
    converter = tf.lite.TFLiteConverter.from_concrete_functions([signature])
    if int8:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    return converter.convert(), matrices


def fill(content, matrices, tensors, path, int8):
    """Writes the file with the matrices as constants, whose data follow the graph."""
    model = schema.ModelT.InitFromPackedBuf(content, 0)
    graph = model.subgraphs[0]
    data = []
    for index in list(graph.inputs):
        tensor = graph.tensors[index]
        matrix = matrices.get(tensor.name.decode())
        if matrix is None:
            continue
        graph.inputs = [other for other in graph.inputs if other != index]
        if int8:
            users = [operator for operator in graph.operators if index in operator.inputs]
            quantize_operators(model, tensor, users)
        tensor.buffer = len(model.buffers)
        # Numbers other than the default are stored in as many bytes as the final ones.
        model.buffers.append(schema.BufferT(offset=1, size=1))
        data.append((tensor, matrix))
    with open(path, "wb") as file:
        # The places of the data are known when the graph's size is: it is written twice.
        for _ in range(2):
            file.seek(0)
            file.write(packed(model))
            for tensor, matrix in data:
                file.seek(-file.tell() % ALIGNMENT, os.SEEK_CUR)
                buffer = model.buffers[tensor.buffer]
                buffer.offset = file.tell()
                buffer.size = put(matrix.read(tensors), tensor, int8, file)


def quantize_operators(model, tensor, users):
    """Declares int8 weights, whose scales come with the data, as the converter does."""
    tensor.type = schema.TensorType.INT8
    rows = tensor.shape[0]
    tensor.quantization = schema.QuantizationParametersT(
        scale=np.ones(rows, np.float32), zeroPoint=np.zeros(rows, np.int64), quantizedDimension=0)
    for operator in users:
        model.operatorCodes[operator.opcodeIndex].version = HYBRID_VERSION
        operator.builtinOptions.asymmetricQuantizeInputs = True


def put(values, tensor, int8, file):
    """Writes a matrix, as int8 with a scale for each row if so wished, and returns its bytes."""
    if int8:
        scales = np.maximum(np.abs(values).max(1), 1e-12) / 127
        tensor.quantization.scale = scales
        values = np.rint(values / scales[:, None]).astype(np.int8)
    file.write(values.tobytes())
    return values.nbytes


def packed(model):
    builder = flatbuffers.Builder(1 << 20)
    builder.Finish(model.Pack(builder), b"TFL3")
    return builder.Output()


def run(path, values):
    interpreter = Interpreter(model_path=str(path))
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], values)
    interpreter.invoke()
    return interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
