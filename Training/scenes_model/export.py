"""Writes the model folder as `transformers` reads it, with weights in float16."""
import json
import pathlib

import torch
import transformers
from safetensors.torch import save_file

from .pictures import RESAMPLING, SIDE


TOWER = ("attention_dropout", "hidden_act", "hidden_size", "intermediate_size", "layer_norm_eps", "model_type",
         "num_attention_heads", "num_hidden_layers")
TEXT = ("bos_token_id", "eos_token_id", "max_position_embeddings", "pad_token_id", "projection_size", "vocab_size")
VISION = ("image_size", "num_channels", "patch_size", "vision_use_head")


def export(model, folder):
    """- model: the averaged `SiglipModel` in float32."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: value.to(torch.float16).contiguous() for name, value in model.state_dict().items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "model.safetensors").chmod(0o644)
    write(folder / "config.json", {
        "architectures": ["SiglipModel"], "model_type": "siglip", "dtype": "float16", "initializer_factor": 1.0,
        "transformers_version": transformers.__version__,
        "text_config": chosen(model.config.text_config, (*TOWER, *TEXT)),
        "vision_config": chosen(model.config.vision_config, (*TOWER, *VISION))})
    write(folder / "preprocessor_config.json", {
        "image_processor_type": "SiglipImageProcessor", "do_resize": True, "size": {"height": SIDE, "width": SIDE},
        "resample": int(RESAMPLING), "do_rescale": True, "rescale_factor": 1 / 255, "do_normalize": True,
        "image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5]})


def chosen(configuration, names):
    values = configuration.to_dict()
    return {name: values[name] for name in names}


def write(path, value):
    path.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n")
