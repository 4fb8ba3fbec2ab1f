"""Teaches the student what the teacher thinks of many sentences; the labels have reached it through the teacher."""

import time

import torch
from torch import nn

from . import student as student_model
from .batches import bucketed, encode, padded
from .progress import Progress, say

EPOCHS = 4
BATCH_TOKENS = 2000
RATE = 1.5e-3
WARM_UP = 0.04
WEIGHT_DECAY = 0.02
TEMPERATURE = 2.0
EMBEDDING_WEIGHT = 2.0
"""Of the cosine distance to the teacher's embedding, beside the divergence of the probabilities."""


def loss_of(logits, guess, wanted, embedding):
    """Divergence of the softened probabilities, plus the distance of the embeddings."""
    divergence = nn.functional.kl_div(
        nn.functional.log_softmax(logits / TEMPERATURE, 1), nn.functional.softmax(wanted / TEMPERATURE, 1),
        reduction="batchmean") * TEMPERATURE**2
    distance = 1 - nn.functional.cosine_similarity(guess, embedding.float(), dim=1).mean()
    return divergence + EMBEDDING_WEIGHT * distance


def parameter_groups(model):
    decayed = [parameter for parameter in model.parameters() if parameter.ndim > 1]
    plain = [parameter for parameter in model.parameters() if parameter.ndim <= 1]
    return [{"params": decayed, "weight_decay": WEIGHT_DECAY}, {"params": plain, "weight_decay": 0.0}]


def train(corpus, tokenizer, texts, logits, embeddings, seed):
    """A student trained on texts with the teacher's logits and embeddings for them."""
    torch.manual_seed(seed)
    model = student_model.Student(tokenizer.get_vocab_size(), embeddings.shape[1])
    say(f"student: {sum(map(torch.numel, model.classifier.parameters()))} parameters")
    optimizer = torch.optim.AdamW(parameter_groups(model), lr=RATE, betas=(0.9, 0.98), fused=True)
    rows = encode(tokenizer, texts)
    validation = encode(tokenizer, [example.texts[0] for example in corpus.validation])
    labels = torch.tensor([example.label for example in corpus.validation])
    lengths = [len(row) for row in rows]
    epochs = [bucketed(lengths, BATCH_TOKENS, seed + epoch) for epoch in range(EPOCHS)]
    steps = sum(map(len, epochs))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / (WARM_UP * steps), (steps - step) / ((1 - WARM_UP) * steps)))
    progress, step, started = Progress("student", steps), 0, time.time()
    for epoch, batches in enumerate(epochs):
        model.train()
        total = 0.0
        for batch in batches:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                answer, guess = model(*padded([rows[index] for index in batch]))
            loss = loss_of(answer.float(), guess.float(), logits[batch], embeddings[batch])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            step += 1
            total += loss.item()
            progress.at(step, f"steps, loss {loss.item():.3f}, {time.time() - started:.0f} s")
        right = (student_model.predict(model, validation).argmax(1) == labels).float().mean().item()
        say(f"student, epoch {epoch + 1}: loss {total / len(batches):.4f}, validation {right:.4f}")
    return model
