"""The dual encoder: Hugging Face's `SiglipModel`, small, with heads that only training uses."""
import math

import torch
import transformers

from .attributes import COLOUR_NAMES, KINDS, TEXTURES
from .open_questions import COLOUR_KIND, TEXTURE_KIND
from .oracle import Oracle
from .pictures import GRID, PATCH, SIDE
from .vocabulary import LENGTH

WIDTH, HEADS = 128, 4
IMAGE_LAYERS, TEXT_LAYERS = 4, 3
#: What a patch of the background counts.
BACKGROUND = 0.2


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
        # The part of true pairs in a batch is about five of a hundred.
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


def of_patches(table):
    """Whether a kind (row) and another attribute (column) are never trained together; 0 stands for the background."""
    return torch.nn.functional.pad(torch.from_numpy(table[:-1, :len(KINDS)].T.copy()), (1, 0, 1, 0))


WITH_COLOUR, WITH_TEXTURE = of_patches(COLOUR_KIND), of_patches(TEXTURE_KIND)
#: A logit that no class is chosen by.
NEVER = -1e4


class PatchHead(torch.nn.Module):
    """What each patch shows, read from its token: it speeds learning up and is not part of the shipped model."""
    SIZES = (len(KINDS) + 1, len(COLOUR_NAMES) + 1, len(TEXTURES) + 1, 2)

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(WIDTH, sum(self.SIZES))

    def loss(self, tokens, targets):
        """- tokens: [n, patches, WIDTH]; targets: [4, n · patches], class 0 for the background, which counts less."""
        parts = self.linear(tokens).flatten(0, 1).split(self.SIZES, 1)
        kinds, colours, textures = targets[:3]
        parts = [parts[0].masked_fill(WITH_COLOUR.T[colours] | WITH_TEXTURE.T[textures], NEVER),
                 parts[1].masked_fill(WITH_COLOUR[kinds], NEVER), parts[2].masked_fill(WITH_TEXTURE[kinds], NEVER),
                 parts[3]]
        weights = [torch.ones(size) for size in self.SIZES]
        for weight in weights:
            weight[0] = BACKGROUND
        losses = [torch.nn.functional.cross_entropy(*both, weight) for *both, weight in zip(parts, targets, weights)]
        return sum(losses) / len(losses)


class Encoders(torch.nn.Module):
    """Both towers, what only training uses, and the losses."""

    def __init__(self, model):
        super().__init__()
        self.model = model
        self.patches = PatchHead()
        self.oracle = Oracle(WIDTH)

    def forward(self, batch):
        """Returns the logits of all pairs and the losses:

        - pairs: the pairwise sigmoid loss (Zhai et al. 2023) of pictures and texts, over all pairs of known truth;
        - oracle: the same of scenes and texts;
        - distance: one minus the cosine of a picture and its scene;
        - patches: what each patch shows.
        """
        vision = self.model.vision_model(batch.pixels)
        images = unit(vision.pooler_output)
        texts = unit(self.model.text_model(batch.ids).pooler_output)
        with torch.autocast("cpu", enabled=False):
            scenes = unit(self.oracle(batch.scenes))
            logits = self.logits(images, texts)
            losses = {
                "pairs": pairwise(logits, batch.truth),
                "oracle": pairwise(self.logits(scenes, texts), batch.truth),
                "distance": (1 - (images * scenes.detach()).sum(1)).mean(),
                "patches": self.patches.loss(vision.last_hidden_state.float(), batch.targets)}
        return logits, losses

    def logits(self, images, texts):
        return images @ texts.T * self.model.logit_scale.exp() + self.model.logit_bias


def unit(vectors):
    vectors = vectors.float()
    return vectors / vectors.norm(dim=1, keepdim=True)


def pairwise(logits, truth):
    """- truth: of −1, 0, 1; what is not known counts for nothing. The sum over texts, the mean over pictures."""
    return -(torch.nn.functional.logsigmoid(truth * logits) * truth.abs()).sum() / len(truth)
