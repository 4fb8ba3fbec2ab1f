"""The Hugging Face folders, and their towers as PyTorch modules."""

import json
import sys

from models.towers import SEED, configuration, sample

# transformers imports torchvision where it is installed, and fails if its build does not fit that of torch.
sys.modules["torchvision"] = None


def sentence_files(width):
    """The files by which sentence-transformers knows that the rows of a text are averaged."""
    module = "sentence_transformers.models."
    return {
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": module + "Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": module + "Pooling"},
        ],
        "1_Pooling/config.json": {
            "word_embedding_dimension": width, "pooling_mode_cls_token": False,
            "pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": False,
            "pooling_mode_mean_sqrt_len_tokens": False,
        },
    }


def write_folder(model, folder, data_type="float32"):
    """Writes `folder` with weights drawn from a fixed seed."""
    import torch
    import transformers

    kind = {
        "clip-vit-b-32": transformers.CLIPModel,
        "vit-b-16": transformers.ViTForImageClassification,
        "minilm-l6": transformers.BertModel,
        "siglip-so400m-14-448": transformers.SiglipModel,
        "modernbert-base": transformers.ModernBertModel,
        "deberta-v3-base": transformers.DebertaV2Model,
        "beit-base-16": transformers.BeitForImageClassification,
        "resnet-50": transformers.ResNetForImageClassification,
    }[model]
    torch.manual_seed(SEED)
    whole = kind(configuration(model)).eval()
    with torch.no_grad():
        for name, weight in whole.named_parameters():
            # Biases start at zero and scales at one: a swapped or forgotten one would go unseen.
            if weight.ndim == 1:
                weight.add_(torch.randn(weight.shape) * 0.02)
    whole.to(getattr(torch, data_type)).save_pretrained(folder, max_shard_size="8GB")
    if model in ("minilm-l6", "modernbert-base", "deberta-v3-base"):
        for name, content in sentence_files(whole.config.hidden_size).items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(content, indent=2) + "\n")


def mean_row(result):
    return result.last_hidden_state.mean(1)


def tower_class(tower):
    """The class of `transformers` that loads the tower alone, and how its result gives the rows."""
    import transformers

    return {
        "clip-image": (transformers.CLIPVisionModelWithProjection, lambda result: result.image_embeds),
        "clip-text": (transformers.CLIPTextModelWithProjection, lambda result: result.text_embeds),
        "vit": (transformers.ViTForImageClassification, lambda result: result.logits),
        "minilm-1x128": (transformers.BertModel, mean_row),
        "minilm-32x128": (transformers.BertModel, mean_row),
        "siglip-image": (transformers.SiglipVisionModel, lambda result: result.pooler_output),
        "siglip-text": (transformers.SiglipTextModel, lambda result: result.pooler_output),
        "modernbert-1x128": (transformers.ModernBertModel, mean_row),
        "modernbert-1x1024": (transformers.ModernBertModel, mean_row),
        "deberta-1x128": (transformers.DebertaV2Model, mean_row),
        "beit": (transformers.BeitForImageClassification, lambda result: result.logits),
        "resnet": (transformers.ResNetForImageClassification, lambda result: result.logits),
    }[tower.name]


def load(tower, folder, data_type="float32", **options):
    """The tower as a module that takes its one input and gives one row per picture or text."""
    import torch

    kind, rows = tower_class(tower)

    class Rows(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = kind.from_pretrained(folder, dtype=getattr(torch, data_type), **options).eval()

        def forward(self, input):
            return rows(self.model(**{tower.input: input}))

    return Rows().eval()


def write_expected(tower, folder, path):
    """Writes what float32 PyTorch gives for the sample."""
    import numpy as np
    import torch

    with torch.inference_mode():
        np.save(path, load(tower, folder)(torch.from_numpy(sample(tower))).numpy())
