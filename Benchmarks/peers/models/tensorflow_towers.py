"""The towers once more in TensorFlow, with the weights of the Hugging Face folders.

Rows of all pictures or texts stand below one another, so that linear layers become FULLY_CONNECTED.
"""

from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass(frozen=True)
class Matrix:
    """One of `parts` equal blocks of rows of a stored matrix, times a number, and a scale for each column."""

    name: str
    part: int = 0
    parts: int = 1
    factor: float = 1
    columns: str | None = None

    def read(self, tensors):
        stored = tensors.get_slice(self.name)
        rows = stored.get_shape()[0] // self.parts
        values = stored[self.part * rows : (self.part + 1) * rows].astype(np.float32) * self.factor
        return values * tensors.get_tensor(self.columns).astype(np.float32) if self.columns else values


class Weights:
    """The tensors below a path in a safetensors file.

    Most become constants. The matrix of a linear layer stands as an argument in the function's graph: the
    converter would hold some twenty copies of a constant. `arguments` has these by their matrices, where they
    are known; those asked for are noted with their shapes in `wanted`.
    """

    def __init__(self, tensors, arguments, wanted, path=""):
        self.tensors, self.arguments, self.wanted, self.path = tensors, arguments, wanted, path

    def __getitem__(self, name):
        return Weights(self.tensors, self.arguments, self.wanted, f"{self.path}{name}.")

    def has(self, name):
        return self.path + name in self.tensors.keys()

    def array(self, name):
        return self.tensors.get_tensor(self.path + name).astype(np.float32)

    def matrix(self, name="weight", **options):
        matrix = Matrix(self.path + name, **options)
        rows, columns = self.tensors.get_slice(matrix.name).get_shape()
        self.wanted[matrix] = (rows // matrix.parts, columns)
        return self.arguments[matrix] if self.arguments else tf.zeros(self.wanted[matrix])


def linear(x, weights, before=None, factor=1, names=("weight", "bias"), part=0, parts=1):
    """(x·Wᵀ + b)·factor, or a part of its columns.

    x can lack the scale and the offset of a normalisation `before`: they are put into W and b, which the
    converter does itself where it sees the matrices.
    """
    name, bias = names
    columns = before.path + "weight" if before else None
    kernel = weights.matrix(name, part=part, parts=parts, factor=factor, columns=columns)
    product = tf.matmul(x, kernel, transpose_b=True)
    if not weights.has(bias):
        return product
    offset = np.split(weights.array(bias), parts)[part]
    if before:
        offset = offset + weights.array(name) @ before.array("bias")
    return product + offset * np.float32(factor)


def standardised(x, epsilon):
    """Rows of mean 0 and variance 1."""
    centred = x - tf.reduce_mean(x, -1, keepdims=True)
    variance = tf.reduce_mean(tf.square(centred), -1, keepdims=True)
    return centred * tf.math.rsqrt(variance + epsilon)


def normalised(x, weights, epsilon):
    return standardised(x, epsilon) * weights.array("weight") + weights.array("bias")


def activation(x, name):
    if name == "quick_gelu":
        return x * tf.sigmoid(1.702 * x)
    return tf.nn.gelu(x, approximate=name == "gelu_pytorch_tanh")


def query_scale(settings):
    return (settings.hidden_size // settings.num_attention_heads) ** -0.5


def queries_keys_values(x, projections, settings, before=None):
    """The three projections of rows, the first scaled."""
    factors = (query_scale(settings), 1, 1)
    return [linear(x, weights, before, factor) for weights, factor in zip(projections, factors)]


def attention(query, key, value, batch, settings, causal=False):
    """Of rows [batch · tokens, heads · width], the queries scaled; the result has their shape."""
    heads = settings.num_attention_heads

    def split(rows):
        return tf.transpose(tf.reshape(rows, [batch, -1, heads, rows.shape[1] // heads]), [0, 2, 1, 3])

    scores = tf.matmul(split(query), split(key), transpose_b=True)
    if causal:
        tokens = scores.shape[-1]
        scores += np.triu(np.full((tokens, tokens), -1e9, np.float32), 1)
    rows = tf.matmul(tf.nn.softmax(scores), split(value))
    return tf.reshape(tf.transpose(rows, [0, 2, 1, 3]), query.shape)


def encoder(x, layers, settings, batch, causal=False):
    """CLIP's and SigLIP's: normalisation first."""
    for index in range(settings.num_hidden_layers):
        layer = layers[index]
        rows, before = standardised(x, settings.layer_norm_eps), layer["layer_norm1"]
        projections = [layer["self_attn"][name + "_proj"] for name in "qkv"]
        rows = attention(*queries_keys_values(rows, projections, settings, before), batch, settings, causal)
        x += linear(rows, layer["self_attn"]["out_proj"])
        rows, before = standardised(x, settings.layer_norm_eps), layer["layer_norm2"]
        rows = linear(rows, layer["mlp"]["fc1"], before)
        x += linear(activation(rows, settings.hidden_act), layer["mlp"]["fc2"])
    return x


def patches(pixels, weights, size):
    """The rows of the patches of pictures [N, H, W, 3]."""
    kernel = weights.array("weight").transpose(2, 3, 1, 0)
    x = tf.nn.conv2d(pixels, kernel, size, "VALID")
    x = tf.reshape(x, [-1, x.shape[-1]])
    return x + weights.array("bias") if weights.has("bias") else x


def clip_image(pixels, weights, settings):
    settings, model = settings.vision_config, weights["vision_model"]
    embeddings = model["embeddings"]
    x = patches(pixels, embeddings["patch_embedding"], settings.patch_size)
    x = tf.concat([embeddings.array("class_embedding")[None], x], 0)
    x += embeddings["position_embedding"].array("weight")
    x = normalised(x, model["pre_layrnorm"], settings.layer_norm_eps)
    x = encoder(x, model["encoder"]["layers"], settings, 1)
    x = normalised(x[:1], model["post_layernorm"], settings.layer_norm_eps)
    return linear(x, weights["visual_projection"])


def clip_text(ids, weights, settings):
    settings, model = settings.text_config, weights["text_model"]
    embeddings = model["embeddings"]
    x = tf.gather(embeddings["token_embedding"].array("weight"), ids[0])
    x += embeddings["position_embedding"].array("weight")
    x = encoder(x, model["encoder"]["layers"], settings, 1, causal=True)
    x = normalised(x, model["final_layer_norm"], settings.layer_norm_eps)
    x = tf.gather(x, tf.argmax(ids, -1, output_type=tf.int32))
    return linear(x, weights["text_projection"])


def siglip_image(pixels, weights, settings):
    settings, model = settings.vision_config, weights["vision_model"]
    embeddings, head = model["embeddings"], model["head"]
    x = patches(pixels, embeddings["patch_embedding"], settings.patch_size)
    x += embeddings["position_embedding"].array("weight")
    x = encoder(x, model["encoder"]["layers"], settings, 1)
    x = normalised(x, model["post_layernorm"], settings.layer_norm_eps)
    names = ("in_proj_weight", "in_proj_bias")
    query, key, value = (
        linear(rows, head["attention"], None, factor, names, part, 3)
        for part, (rows, factor) in enumerate(
            [(head.array("probe")[0], query_scale(settings)), (x, 1), (x, 1)]))
    x = linear(attention(query, key, value, 1, settings), head["attention"]["out_proj"])
    rows = linear(standardised(x, settings.layer_norm_eps), head["mlp"]["fc1"], head["layernorm"])
    return x + linear(activation(rows, settings.hidden_act), head["mlp"]["fc2"])


def siglip_text(ids, weights, settings):
    settings, model = settings.text_config, weights["text_model"]
    embeddings = model["embeddings"]
    x = tf.gather(embeddings["token_embedding"].array("weight"), ids[0])
    x += embeddings["position_embedding"].array("weight")
    x = encoder(x, model["encoder"]["layers"], settings, 1)
    x = normalised(x, model["final_layer_norm"], settings.layer_norm_eps)
    return linear(x[-1:], model["head"])


def vit(pixels, weights, settings):
    model = weights["vit"]
    embeddings = model["embeddings"]
    x = patches(pixels, embeddings["patch_embeddings"]["projection"], settings.patch_size)
    x = tf.concat([embeddings.array("cls_token")[0], x], 0) + embeddings.array("position_embeddings")[0]
    for index in range(settings.num_hidden_layers):
        layer = model["encoder"]["layer"][index]
        rows, before = standardised(x, settings.layer_norm_eps), layer["layernorm_before"]
        projections = [layer["attention"]["attention"][name] for name in ("query", "key", "value")]
        rows = attention(*queries_keys_values(rows, projections, settings, before), 1, settings)
        x += linear(rows, layer["attention"]["output"]["dense"])
        rows, before = standardised(x, settings.layer_norm_eps), layer["layernorm_after"]
        rows = linear(rows, layer["intermediate"]["dense"], before)
        x += linear(activation(rows, settings.hidden_act), layer["output"]["dense"])
    return linear(normalised(x[:1], model["layernorm"], settings.layer_norm_eps), weights["classifier"])


def minilm(ids, weights, settings):
    """BERT: normalisation last; the mean of each text's rows."""
    batch, tokens = ids.shape
    embeddings = weights["embeddings"]
    x = tf.gather(embeddings["word_embeddings"].array("weight"), ids)
    x += embeddings["position_embeddings"].array("weight")[:tokens]
    x += embeddings["token_type_embeddings"].array("weight")[0]
    x = normalised(tf.reshape(x, [batch * tokens, -1]), embeddings["LayerNorm"], settings.layer_norm_eps)
    for index in range(settings.num_hidden_layers):
        layer = weights["encoder"]["layer"][index]
        projections = [layer["attention"]["self"][name] for name in ("query", "key", "value")]
        rows = attention(*queries_keys_values(x, projections, settings), batch, settings)
        output = layer["attention"]["output"]
        x = normalised(x + linear(rows, output["dense"]), output["LayerNorm"], settings.layer_norm_eps)
        rows = activation(linear(x, layer["intermediate"]["dense"]), settings.hidden_act)
        output = layer["output"]
        x = normalised(x + linear(rows, output["dense"]), output["LayerNorm"], settings.layer_norm_eps)
    return tf.reduce_mean(tf.reshape(x, [batch, tokens, -1]), 1)


BUILDERS = {
    "clip-image": clip_image, "clip-text": clip_text, "vit": vit, "minilm-1x128": minilm,
    "minilm-32x128": minilm, "siglip-image": siglip_image, "siglip-text": siglip_text,
}
