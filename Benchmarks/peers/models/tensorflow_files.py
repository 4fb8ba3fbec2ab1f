"""TensorFlow Lite files of the towers."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf  # noqa: E402
from ai_edge_litert.interpreter import Interpreter  # noqa: E402
from safetensors import safe_open  # noqa: E402

from models import agreement, tensorflow_towers  # noqa: E402
from models.towers import configuration, sample  # noqa: E402


def write(tower, folder, path, expected, int8):
    """Writes the float32 file, or that of int8 weights whose activations are quantized at run time."""
    values = sample(tower)
    values = values.transpose(0, 2, 3, 1) if tower.kind == "image" else values.astype("int32")
    with safe_open(folder / "model.safetensors", "np") as tensors:
        weights = tensorflow_towers.Weights(tensors)
        settings = configuration(tower.model)
        tower_of = tensorflow_towers.BUILDERS[tower.name]
        function = tf.function(lambda input: tower_of(input, weights, settings))
        signature = function.get_concrete_function(tf.TensorSpec(values.shape, values.dtype, name=tower.input))
    converter = tf.lite.TFLiteConverter.from_concrete_functions([signature])
    if int8:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    path.write_bytes(converter.convert())

    interpreter = Interpreter(model_path=str(path))
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], values)
    interpreter.invoke()
    actual = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
    agreement.check(path, actual, expected, exact=not int8)
