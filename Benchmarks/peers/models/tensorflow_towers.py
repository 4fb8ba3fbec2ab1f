"""The towers once more in TensorFlow, with the weights of the Hugging Face folders.

Rows of all pictures or texts stand below one another, so that linear layers become FULLY_CONNECTED.
"""

import numpy as np
import tensorflow as tf


class Weights:
    """The tensors below a path in a safetensors file."""

    def __init__(self, tensors, path=""):
        self.tensors, self.path = tensors, path

    def __getitem__(self, name):
        return Weights(self.tensors, f"{self.path}{name}.")

    def array(self, name):
        return self.tensors.get_tensor(self.path + name).astype(np.float32)

    def has(self, name):
        return self.path + name in self.tensors.keys()


def linear(x, weights):
    """x·Wᵀ + b."""
    product = tf.matmul(x, weights.array("weight"), transpose_b=True)
    return product + weights.array("bias") if weights.has("bias") else product


def normalised(x, weights, epsilon):
    centred = x - tf.reduce_mean(x, -1, keepdims=True)
    variance = tf.reduce_mean(tf.square(centred), -1, keepdims=True)
    return centred * tf.math.rsqrt(variance + epsilon) * weights.array("weight") + weights.array("bias")


def activation(x, name):
    if name == "quick_gelu":
        return x * tf.sigmoid(1.702 * x)
    return tf.nn.gelu(x, approximate=name == "gelu_pytorch_tanh")


def attention(query, key, value, batch, heads, causal=False):
    """Of rows [batch · tokens, heads · width]; the result has the query's shape."""
    def split(rows):
        return tf.transpose(tf.reshape(rows, [batch, -1, heads, rows.shape[1] // heads]), [0, 2, 1, 3])

    scale = (query.shape[1] // heads) ** -0.5
    scores = tf.matmul(split(query * scale), split(key), transpose_b=True)
    if causal:
        tokens = scores.shape[-1]
        scores += np.triu(np.full((tokens, tokens), -1e9, np.float32), 1)
    rows = tf.matmul(tf.nn.softmax(scores), split(value))
    return tf.reshape(tf.transpose(rows, [0, 2, 1, 3]), query.shape)


def encoder(x, layers, settings, batch, causal=False):
    """CLIP's and SigLIP's: normalisation first."""
    for index in range(settings.num_hidden_layers):
        layer = layers[index]
        rows = normalised(x, layer["layer_norm1"], settings.layer_norm_eps)
        query, key, value = (linear(rows, layer["self_attn"][name + "_proj"]) for name in "qkv")
        rows = attention(query, key, value, batch, settings.num_attention_heads, causal)
        x += linear(rows, layer["self_attn"]["out_proj"])
        rows = linear(normalised(x, layer["layer_norm2"], settings.layer_norm_eps), layer["mlp"]["fc1"])
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
    query, key, value = (
        tf.matmul(rows, kernel, transpose_b=True) + bias
        for rows, kernel, bias in zip(
            (head.array("probe")[0], x, x),
            np.split(head["attention"].array("in_proj_weight"), 3),
            np.split(head["attention"].array("in_proj_bias"), 3),
        )
    )
    x = linear(attention(query, key, value, 1, settings.num_attention_heads), head["attention"]["out_proj"])
    rows = linear(normalised(x, head["layernorm"], settings.layer_norm_eps), head["mlp"]["fc1"])
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
        rows = normalised(x, layer["layernorm_before"], settings.layer_norm_eps)
        projections = layer["attention"]["attention"]
        query, key, value = (linear(rows, projections[name]) for name in ("query", "key", "value"))
        rows = attention(query, key, value, 1, settings.num_attention_heads)
        x += linear(rows, layer["attention"]["output"]["dense"])
        rows = linear(normalised(x, layer["layernorm_after"], settings.layer_norm_eps), layer["intermediate"]["dense"])
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
        query, key, value = (linear(x, layer["attention"]["self"][name]) for name in ("query", "key", "value"))
        rows = attention(query, key, value, batch, settings.num_attention_heads)
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
