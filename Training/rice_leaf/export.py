"""Writes the trained network as TFLite files, by way of the MobileNetV2 of Keras."""

import numpy as np
import tensorflow as tf
from torch import nn

from .model import probabilities
from .pictures import normalized

FILES = {"float32": "rice_v1_float32.tflite", "fp16": "rice_v1_fp16.tflite", "int8": "rice_v1_int8.tflite"}
CALIBRATION_COUNT = 300
# Scores of PyTorch and Keras may differ by this much: both add in float32, in other orders.
TOLERANCE = 1e-4


def keras_model(model, classes, settings):
    """The same network in Keras, ending in softmax."""
    shape = (settings.side, settings.side, 3)
    twin = tf.keras.applications.MobileNetV2(
        input_shape=shape, alpha=settings.alpha, weights=None, classes=classes, classifier_activation="softmax")
    sources = [module for module in model.modules() if isinstance(module, (nn.Conv2d, nn.BatchNorm2d, nn.Linear))]
    targets = [layer for layer in twin.layers if layer.weights]
    for source, target in zip(sources, targets, strict=True):
        target.set_weights(keras_weights(source))
    return twin


def keras_weights(module):
    """The arrays of a layer in the order and layout of Keras."""
    arrays = {name: tensor.detach().numpy() for name, tensor in module.state_dict().items()}
    if isinstance(module, nn.BatchNorm2d):
        return [arrays[name] for name in ("weight", "bias", "running_mean", "running_var")]
    if isinstance(module, nn.Linear):
        return [arrays["weight"].T, arrays["bias"]]
    is_depthwise = module.groups > 1
    return [arrays["weight"].transpose((2, 3, 0, 1) if is_depthwise else (2, 3, 1, 0))]


def calibration_pictures(pictures, seed):
    """Some of the training pictures, from which the ranges of int8 are taken."""
    chosen = np.random.default_rng(seed).choice(len(pictures), CALIBRATION_COUNT, replace=False)
    return [pictures[index] for index in sorted(chosen)]


def check_same(model, twin, pixels):
    """Raises unless both networks give the same scores for uint8 [count, side, side, 3]."""
    images = normalized(pixels)
    difference = np.abs(probabilities(model, images) - twin.predict(images, verbose=0)).max()
    if not difference <= TOLERANCE:
        raise ValueError(f"Keras differs from PyTorch by {difference}, expected at most {TOLERANCE}")


def converter(twin):
    """A converter of the network for one picture."""
    picture = tf.keras.Input(batch_shape=(1, *twin.input_shape[1:]))
    return tf.lite.TFLiteConverter.from_keras_model(tf.keras.Model(picture, twin(picture)))


def float32_file(twin):
    return converter(twin).convert()


def float16_file(twin):
    """Weights in float16, arithmetic in float32."""
    float16 = converter(twin)
    float16.optimizations = [tf.lite.Optimize.DEFAULT]
    float16.target_spec.supported_types = [tf.float16]
    return float16.convert()


def int8_file(twin, pixels):
    """Weights, activations, input and output in int8; ranges are those that the pictures give."""
    int8 = converter(twin)
    int8.optimizations = [tf.lite.Optimize.DEFAULT]
    int8.representative_dataset = lambda: ([normalized(picture)[None]] for picture in pixels)
    int8.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    int8.inference_input_type = int8.inference_output_type = tf.int8
    return int8.convert()
