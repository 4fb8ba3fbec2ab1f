"""Random networks of Keras as tf2onnx writes them, held against ONNX Runtime."""
import contextlib
import os
import pathlib
import random

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import keras
import numpy as np
import tensorflow as tf
import tf2onnx
from keras import layers

VERSIONS = (11, 12, 13, 14, 15, 16, 17, 18)


def activation(draw):
    return draw.choice([
        layers.ReLU(), layers.ReLU(max_value=6.0), layers.LeakyReLU(0.1), layers.ELU(0.7), layers.PReLU(), layers.Softmax(),
        *(layers.Activation(name) for name in (
            "sigmoid", "tanh", "softplus", "softsign", "selu", "silu", "hard_sigmoid", "exponential", "mish", "relu6", "log_sigmoid"))])


def picture_layer(draw, x):
    channels = x.shape[-1]
    size = draw.choice([1, 2, 3, 3, 5])
    padding = draw.choice(["same", "valid"])
    stride = draw.choice([1, 1, 2])
    return draw.choice([
        layers.Conv2D(draw.choice([2, 4, 6]), size, stride, padding, use_bias=draw.random() < 0.7, activation=draw.choice([None, "relu", "swish"])),
        layers.Conv2D(4, 3, padding=padding, dilation_rate=2), layers.DepthwiseConv2D(size, stride, padding, depth_multiplier=draw.choice([1, 2])),
        layers.SeparableConv2D(4, 3, stride, padding), layers.Conv2DTranspose(draw.choice([2, 3]), size, stride, padding),
        layers.BatchNormalization(), layers.LayerNormalization(), layers.GroupNormalization(groups=1), layers.UnitNormalization(),
        layers.MaxPooling2D(2, padding=padding), layers.MaxPooling2D(3, stride, padding), layers.AveragePooling2D(2, padding=padding),
        layers.AveragePooling2D(3, stride, padding), layers.UpSampling2D(2), layers.UpSampling2D(2, interpolation="bilinear"),
        layers.Resizing(7, 9), layers.Resizing(6, 5, interpolation="nearest"), layers.ZeroPadding2D(((1, 0), (0, 2))),
        layers.Cropping2D(((1, 0), (0, 1))), layers.Permute((2, 1, 3)), layers.Rescaling(1 / 127.5, -1.0), layers.Normalization(mean=0.3, variance=1.7),
        layers.Dropout(0.5), layers.SpatialDropout2D(0.5), layers.GlobalAveragePooling2D(keepdims=True), layers.GlobalMaxPooling2D(keepdims=True),
        lambda x: layers.Concatenate()([x, layers.Conv2D(2, 1)(x)]), lambda x: layers.Add()([x, layers.Conv2D(channels, 3, padding="same")(x)]),
        lambda x: layers.Multiply()([x, layers.Dense(channels, activation="sigmoid")(layers.GlobalAveragePooling2D(keepdims=True)(x))]),
        lambda x: layers.Maximum()([x, layers.Conv2D(channels, 1)(x)]), lambda x: layers.Reshape((-1, channels))(x),
        lambda x: layers.GlobalAveragePooling2D()(x), lambda x: layers.Flatten()(x), lambda x: layers.Dense(5)(x),
        lambda x: keras.ops.mean(x, axis=(1, 2)), lambda x: keras.ops.transpose(x, (0, 3, 1, 2)),
    ])


def row_layer(draw, x):
    width = x.shape[-1]
    return draw.choice([
        layers.Dense(draw.choice([4, 8])), layers.Dense(width, activation="silu"), layers.LayerNormalization(epsilon=1e-6),
        layers.LSTM(4, return_sequences=draw.random() < 0.6), layers.GRU(4, return_sequences=draw.random() < 0.6, reset_after=draw.random() < 0.5),
        layers.SimpleRNN(4, return_sequences=True), layers.Bidirectional(layers.LSTM(3, return_sequences=True)),
        layers.Conv1D(4, 3, padding=draw.choice(["same", "causal", "valid"])), layers.SeparableConv1D(4, 2, padding="same"), layers.MaxPooling1D(2), layers.AveragePooling1D(2, padding="same"),
        layers.UpSampling1D(2), layers.ZeroPadding1D(1), layers.GlobalAveragePooling1D(), layers.GlobalMaxPooling1D(), layers.BatchNormalization(),
        lambda x: layers.MultiHeadAttention(2, 4)(x, x), lambda x: layers.Add()([x, layers.MultiHeadAttention(2, 4)(x, x, use_causal_mask=True)]),
        lambda x: layers.Dot((2, 2))([x, x]), lambda x: layers.Softmax()(x), lambda x: layers.Concatenate(1)([x, x]), lambda x: keras.ops.cumsum(x, axis=1),
        lambda x: keras.ops.sum(x, axis=1), lambda x: layers.Permute((2, 1))(x), lambda x: keras.ops.max(x, axis=1), lambda x: keras.ops.flip(x, axis=1),
        lambda x: keras.ops.einsum("bld,bmd->blm", x, x), lambda x: layers.Attention()([x, x]), lambda x: keras.ops.take(x, keras.ops.argmax(x[0, 0]), axis=2)[..., None],
        layers.GroupNormalization(groups=1), lambda x: x[:, 1:] - x[:, :-1], lambda x: keras.ops.one_hot(keras.ops.argmax(x, axis=-1), width), lambda x: keras.ops.top_k(x, 2)[0],
    ])


def vector_layer(draw, x):
    return draw.choice([
        layers.Dense(draw.choice([3, 5]), activation=draw.choice([None, "relu", "softmax", "sigmoid"])), layers.BatchNormalization(), layers.LayerNormalization(),
        layers.Dropout(0.3), layers.RepeatVector(3), layers.Reshape((1, -1)), lambda x: keras.ops.normalize(x), lambda x: layers.Concatenate()([x, x]), layers.Softmax(),
        lambda x: layers.Subtract()([x, layers.Dense(x.shape[-1])(x)]), layers.UnitNormalization()])


def network(seed):
    draw = random.Random(seed)
    keras.utils.set_random_seed(draw.randrange(1 << 30))
    numbers = np.random.default_rng(draw.randrange(1 << 30))
    start = draw.choice(["picture", "picture", "rows", "ids", "vector"])
    shape = {"picture": (draw.choice([8, 9, 12]), draw.choice([8, 11]), draw.choice([1, 3, 4])), "rows": (draw.choice([5, 8]), draw.choice([4, 6])),
             "ids": (6,), "vector": (draw.choice([4, 7]),)}[start]
    batch = draw.choice([1, 2, 3])
    if start == "ids":
        input = keras.Input(shape, dtype="int32", name="x")
        sample = numbers.integers(0, 20, (batch, *shape)).astype(np.int32)
        x = layers.Embedding(20, 6)(input)
    else:
        input = keras.Input(shape, name="x")
        sample = numbers.normal(0, 1, (batch, *shape)).astype(np.float32)
        x = input
    wanted, found = draw.choice([2, 3, 4, 5]), 0
    for _ in range(40):
        rank = len(x.shape)
        makers = [picture_layer] if rank == 4 else [row_layer] if rank == 3 else [vector_layer]
        layer = activation(draw) if draw.random() < 0.15 else makers[0](draw, x)
        try:
            result = layer(x)
        except Exception:
            continue
        if len(result.shape) not in (2, 3, 4) or None in result.shape[1:] or 0 in result.shape[1:]:
            continue
        x, found = result, found + 1
        if found == wanted:
            break
    model = keras.Model(input, x)
    for weight in model.weights:
        # Biases and statistics as training leaves them, not as layers begin.
        if len(weight.shape) == 1 and "seed" not in weight.path:
            weight.assign(np.asarray(weight) + np.abs(numbers.normal(0, 0.2, weight.shape)))
    return model, sample, draw


def run(judge, count, seed, folder, only=None):
    for index in range(count):
        if only is not None and str(index) != str(only):
            continue
        model, sample, draw = network(f"{seed}/{index}")
        version = draw.choice(VERSIONS)
        fixed = draw.random() < 0.3
        kind, name = "tf2onnx", f"{seed}/{index} (version {version})"
        path = pathlib.Path(folder) / f"keras-{index}.onnx"
        signature = [tf.TensorSpec(sample.shape if fixed else (None, *sample.shape[1:]), sample.dtype, name="x")]
        call = tf.function(lambda x: model(x, training=False), input_signature=signature)
        try:
            with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
                tf2onnx.convert.from_function(call, input_signature=signature, opset=version, output_path=str(path))
        except Exception as error:
            judge.count(kind, name, "not exported", (str(error).strip().splitlines() or ["?"])[0][:160])
            continue
        samples = [sample]
        if not fixed:
            samples.append(np.concatenate([sample, sample[::-1] if sample.dtype == np.int32 else sample * 0.5]))
        judge.judge(kind, name, path, [{"x": value} for value in samples])
