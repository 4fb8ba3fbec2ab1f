"""What Keras models go through on the way to TensorFlow Lite files."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


def settle(model, pictures):
    """Has batch normalisations hold the statistics of a batch, so that activations keep a size of about one."""
    import keras

    for layer in model.layers:
        if isinstance(layer, keras.layers.BatchNormalization):
            layer.momentum = 0.0
    model(pictures, training=True)


def converter(model, size):
    """TensorFlow Lite's converter of the model for a fixed batch of one."""
    import tensorflow as tf
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

    function = tf.function(lambda image: model(image, training=False))
    signature = function.get_concrete_function(tf.TensorSpec([1, size, size, 3], tf.float32, name="image"))
    return tf.lite.TFLiteConverter.from_concrete_functions([convert_variables_to_constants_v2(signature)])
