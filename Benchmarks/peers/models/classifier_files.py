"""Classifiers of keras.applications with random weights.

NAME.keras         the model, which the other files are made of
NAME.tflite        float32
NAME.int8.tflite   all integers: int8 weights per channel and int8 activations, pixels and scores as uint8
"""

import numpy as np

from models import agreement, keras_files
from models.classifiers import SEED, pictures, scaled

# Pictures that statistics are taken of.
COUNT = 8
# The standard deviation of scores before the softmax: enough for some of a thousand classes to round to no zero.
SPREAD = 3


def write_keras(classifier, path):
    import keras

    keras.utils.set_random_seed(SEED)
    architecture = getattr(keras.applications, classifier.architecture)
    model = architecture(weights=None, input_shape=(classifier.size, classifier.size, 3))
    batch = scaled(classifier, pictures(classifier, COUNT))
    keras_files.settle(model, batch)
    spread(model, batch)
    model.save(path)


def spread(model, batch):
    """Scales the last layer so that some classes are more likely than others, as a trained classifier says."""
    # Up to a number that all classes share, the logarithms are the scores before the softmax.
    scores = np.log(model(batch, training=False))
    last = [layer for layer in model.layers if hasattr(layer, "kernel")][-1]
    last.kernel.assign(last.kernel * (SPREAD / scores.std(1).mean()))


def write_tflite(classifier, source, path, int8):
    import keras
    import tensorflow as tf

    model = keras.models.load_model(source, compile=False)
    converter = keras_files.converter(model, classifier.size)
    if int8:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: (
            [picture[None]] for picture in scaled(classifier, pictures(classifier, COUNT)))
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = converter.inference_output_type = tf.uint8
    path.write_bytes(converter.convert())
    levels = pictures(classifier, 1)
    values = scaled(classifier, levels)
    expected = np.asarray(model(values, training=False))
    agreement.check(path, run(path, levels if int8 else values), expected, exact=not int8)


def run(path, values):
    """The scores, as numbers from 0 to 1."""
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=str(path))
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], values)
    interpreter.invoke()
    output = interpreter.get_output_details()[0]
    scores = interpreter.get_tensor(output["index"])
    return scores / np.float32(256) if scores.dtype == np.uint8 else scores
