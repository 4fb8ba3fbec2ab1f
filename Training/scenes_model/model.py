"""The dual encoder: Hugging Face's `SiglipModel`, small."""
import math

import torch
import transformers

from .code_blocks import WIDTH
from .pictures import GRID, PATCH, SIDE
from .vocabulary import LENGTH

HEADS = 4
IMAGE_LAYERS, TEXT_LAYERS = 4, 3
#: Length of the vectors that both towers learn: what comes out of a new model is about as long.
VECTOR_LENGTH = 8.0


def attention_in_float32(module, query, key, value, mask, scaling=None, **_):
    """The gradient of PyTorch's attention is several times slower in bfloat16 on a CPU."""
    with torch.autocast("cpu", enabled=False):
        result = torch.nn.functional.scaled_dot_product_attention(
            query.float(), key.float(), value.float(), attn_mask=mask, scale=scaling)
    return result.transpose(1, 2).contiguous(), None


transformers.AttentionInterface.register("float32", attention_in_float32)


def new_model(vocabulary, seed):
    torch.manual_seed(seed)
    shared = {"hidden_size": WIDTH, "num_attention_heads": HEADS, "intermediate_size": 4 * WIDTH}
    model = transformers.SiglipModel(transformers.SiglipConfig(
        text_config={**shared, "num_hidden_layers": TEXT_LAYERS, "vocab_size": vocabulary,
                     "max_position_embeddings": LENGTH, "projection_size": WIDTH, "pad_token_id": 1,
                     "bos_token_id": 1, "eos_token_id": 1},
        vision_config={**shared, "num_hidden_layers": IMAGE_LAYERS, "image_size": SIDE, "patch_size": PATCH}))
    model.set_attn_implementation("float32")
    with torch.no_grad():
        model.logit_scale.fill_(math.log(16))
        model.logit_bias.fill_(-8.0)
        model.vision_model.embeddings.position_embedding.weight.copy_(sines(GRID, WIDTH))
        for layer in model.vision_model.encoder.layers:
            look_at_the_like(layer.self_attn)
        model.text_model.embeddings.token_embedding.weight.normal_(std=0.3)
        model.text_model.embeddings.position_embedding.weight.normal_(std=0.1)
    return model


def sines(grid, width):
    """Sines and cosines of row and column, a quarter of the features each: [grid², width]."""
    frequency = 1 / 100 ** (torch.arange(width // 4) / (width // 4))
    angle = torch.arange(grid)[:, None] * frequency * 2
    line = torch.cat([angle.sin(), angle.cos()], 1)
    rows, columns = line[:, None].expand(grid, grid, -1), line[None].expand(grid, grid, -1)
    return torch.cat([rows, columns], 2).reshape(grid * grid, width)


def look_at_the_like(attention):
    """Queries equal keys at first, so that a patch begins with those of its colour near it: a picture's parts."""
    torch.nn.init.orthogonal_(attention.q_proj.weight, gain=0.8)
    attention.k_proj.weight.copy_(attention.q_proj.weight)
