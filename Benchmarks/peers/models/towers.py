"""The transformer models: their configurations, and the towers of them that are measured.

A model is a Hugging Face folder; a tower is what one job runs of it: its input gives one row for each picture
or text.
"""

from dataclasses import dataclass

SEED = 20240613


@dataclass(frozen=True)
class Tower:
    """`name` begins the names of its files; `shape` is that of the one input, `kind` image or text."""

    name: str
    model: str
    kind: str
    shape: tuple[int, ...]
    # The part of a model of two towers, as `apus run --part` names it.
    part: str | None = None
    # Whether `tensorflow_towers` writes it too, for LiteRT.
    has_tflite: bool = True

    @property
    def input(self):
        return "pixel_values" if self.kind == "image" else "input_ids"


TOWERS = {
    tower.name: tower
    for tower in [
        Tower("clip-image", "clip-vit-b-32", "image", (1, 3, 224, 224), "image"),
        Tower("clip-text", "clip-vit-b-32", "text", (1, 77), "text"),
        Tower("vit", "vit-b-16", "image", (1, 3, 224, 224)),
        Tower("minilm-1x128", "minilm-l6", "text", (1, 128)),
        Tower("minilm-32x128", "minilm-l6", "text", (32, 128)),
        Tower("siglip-image", "siglip-so400m-14-448", "image", (1, 3, 448, 448), "image"),
        Tower("siglip-text", "siglip-so400m-14-448", "text", (1, 64), "text"),
        Tower("modernbert-1x128", "modernbert-base", "text", (1, 128), has_tflite=False),
        Tower("modernbert-1x1024", "modernbert-base", "text", (1, 1024), has_tflite=False),
        Tower("deberta-1x128", "deberta-v3-base", "text", (1, 128), has_tflite=False),
        Tower("beit", "beit-base-16", "image", (1, 3, 224, 224), has_tflite=False),
        Tower("resnet", "resnet-50", "image", (1, 3, 224, 224), has_tflite=False),
    ]
}

SIGLIP_ENCODER = {
    "hidden_size": 1152, "num_hidden_layers": 27, "num_attention_heads": 16, "intermediate_size": 4304,
    "hidden_act": "gelu_pytorch_tanh",
}


def configuration(model):
    """The `transformers` configuration of a model."""
    import transformers

    if model == "clip-vit-b-32":
        # The last of the ids below is the largest: the end of the text, whose row is pooled.
        text = {"hidden_act": "quick_gelu", "bos_token_id": 49406, "eos_token_id": 49407}
        vision = {"patch_size": 32, "hidden_act": "quick_gelu"}
        return transformers.CLIPConfig(text_config=text, vision_config=vision)
    if model == "vit-b-16":
        return transformers.ViTConfig(num_labels=1000)
    if model == "minilm-l6":
        return transformers.BertConfig(
            hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)
    if model == "modernbert-base":
        return transformers.ModernBertConfig()
    if model == "deberta-v3-base":
        # As its repository has it.
        return transformers.DebertaV2Config(
            vocab_size=128100, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
            intermediate_size=3072, relative_attention=True, position_buckets=256,
            norm_rel_ebd="layer_norm", share_att_key=True, pos_att_type=["p2c", "c2p"],
            position_biased_input=False, type_vocab_size=0, max_relative_positions=-1, layer_norm_eps=1e-7)
    if model == "beit-base-16":
        # As the repositories that were trained on ImageNet have it.
        return transformers.BeitConfig(num_labels=1000, use_relative_position_bias=True)
    if model == "resnet-50":
        return transformers.ResNetConfig(num_labels=1000)
    if model == "siglip-so400m-14-448":
        text = {**SIGLIP_ENCODER, "vocab_size": 32000, "max_position_embeddings": 64, "projection_size": 1152}
        vision = {**SIGLIP_ENCODER, "image_size": 448, "patch_size": 14}
        return transformers.SiglipConfig(text_config=text, vision_config=vision)
    raise ValueError(f"no model is named {model}")


def sample(tower, seed=SEED):
    """An input: pixels in -1...1, or ids of whole words between those that begin and end a text."""
    import numpy as np

    random = np.random.default_rng(seed)
    if tower.kind == "image":
        return random.uniform(-1, 1, tower.shape).astype(np.float32)
    low, high, first, last = {
        "clip-vit-b-32": (0, 49406, 49406, 49407),
        "minilm-l6": (1000, 30522, 101, 102),
        "siglip-so400m-14-448": (3, 32000, None, 1),
        "modernbert-base": (1000, 50254, 50281, 50282),
        "deberta-v3-base": (1000, 128000, 1, 2),
    }[tower.model]
    ids = random.integers(low, high, tower.shape, dtype=np.int64)
    if first is not None:
        ids[:, 0] = first
    ids[:, -1] = last
    return ids
