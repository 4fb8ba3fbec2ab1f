"""Batches of about equal token counts, of sentences of about equal length."""

import random

import torch


def bucketed(lengths, tokens, seed=None):
    """Lists of indices; `tokens` bounds each one's padded size. With a seed the order is shuffled."""
    order = list(range(len(lengths)))
    generator = random.Random(seed)
    if seed is not None:
        generator.shuffle(order)
        order.sort(key=lambda index: lengths[index] + generator.random() * 3)
    else:
        order.sort(key=lambda index: lengths[index])
    batches, batch, longest = [], [], 0
    for index in order:
        longest = max(longest, lengths[index])
        if batch and longest * (len(batch) + 1) > tokens:
            batches.append(batch)
            batch, longest = [], lengths[index]
        batch.append(index)
    if batch:
        batches.append(batch)
    if seed is not None:
        generator.shuffle(batches)
    return batches


def padded(rows, padding=0):
    """The ids of several texts as one tensor, and its mask."""
    width = max(map(len, rows))
    ids = torch.full((len(rows), width), padding, dtype=torch.long)
    mask = torch.zeros(len(rows), width, dtype=torch.long)
    for index, row in enumerate(rows):
        ids[index, : len(row)] = torch.tensor(row)
        mask[index, : len(row)] = 1
    return ids, mask


def encode(tokenizer, texts):
    """Ids of texts, without padding."""
    return [encoding.ids for encoding in tokenizer.encode_batch(list(texts))]
