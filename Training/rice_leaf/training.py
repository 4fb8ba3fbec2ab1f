"""Trains the network from random weights."""

import copy
import math
import time
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from .augmentation import views
from .model import MobileNetV2, probabilities

EPOCHS_BETWEEN_CHECKS = 4


@dataclass(frozen=True)
class Settings:
    """All that decides the result, beside the pictures."""

    seed: int = 2026
    alpha: float = 0.5
    side: int = 128
    epochs: int = 52
    views_per_epoch: int = 2048
    batch: int = 16
    rate: float = 2e-3
    warm_up_epochs: int = 2
    weight_decay: float = 0.05
    dropout: float = 0.3
    label_smoothing: float = 0.1
    mixup: float = 0.2
    average_decay: float = 0.999
    statistics_batches: int = 32
    statistics_batch: int = 64


def train(pixels, labels, photographs, validation, settings, log):
    """Trains on uint8 [count, height, width, 3].

    - validation: normalised pictures and labels, which are only looked at for the log.
    - returns: the running average of the weights as a network.
    """
    torch.set_num_threads(1)
    torch.manual_seed(settings.seed)
    random = torch.Generator().manual_seed(settings.seed)
    images, labels = torch.from_numpy(pixels).permute(0, 3, 1, 2), torch.from_numpy(labels)
    chances = draw_chances(labels.numpy(), photographs)
    model = MobileNetV2(int(labels.max()) + 1, settings.alpha, settings.dropout)
    model = model.to(memory_format=torch.channels_last)

    def learn(optimizer):
        drawn = torch.multinomial(chances, settings.batch, replacement=True, generator=random)
        seen = views(images[drawn], settings.side, random)
        return step(model, optimizer, seen, labels[drawn], settings, random)

    def check(average, epoch):
        if epoch % EPOCHS_BETWEEN_CHECKS and epoch != settings.epochs:
            return ""
        accuracy = np.mean(probabilities(average, validation[0]).argmax(axis=1) == validation[1])
        return f"  validation {accuracy:.4f}"

    average = run_epochs(model, settings, learn, check, log)
    estimate_statistics(average, images, chances, settings)
    return average


def run_epochs(model, settings, learn, check, log):
    """Trains the model through all epochs; returns the running average of its weights as a network.

    - learn: makes one step with the optimizer it is given, and returns the loss.
    - check: what the log says of the average after an epoch, besides its loss and the time.
    """
    average = copy.deepcopy(model).eval()
    optimizer = torch.optim.AdamW(parameter_groups(model, settings.weight_decay), lr=settings.rate)
    steps = settings.views_per_epoch // settings.batch
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_factor(step / steps, settings))
    start = time.monotonic()
    for epoch in range(1, settings.epochs + 1):
        model.train()
        losses = []
        for _ in range(steps):
            losses.append(learn(optimizer))
            schedule.step()
            update(average, model, settings.average_decay)
        line = f"epoch {epoch}/{settings.epochs}  loss {np.mean(losses):.4f}  {time.monotonic() - start:.0f} s"
        log(line + check(average, epoch))
    return average


def draw_chances(labels, photographs):
    """Every class is as likely as any other, and so is every photograph of a class, however many copies it has."""
    chances = np.zeros(len(labels))
    for label in np.unique(labels):
        numbers, inverse, counts = np.unique(photographs[labels == label], return_inverse=True, return_counts=True)
        chances[labels == label] = 1 / (len(numbers) * counts[inverse])
    return torch.from_numpy(chances)


def parameter_groups(model, decay):
    """Weight decay is for matrices and filters, not for biases and normalizations."""
    parameters = list(model.parameters())
    return [
        {"params": [p for p in parameters if p.ndim > 1], "weight_decay": decay},
        {"params": [p for p in parameters if p.ndim == 1], "weight_decay": 0},
    ]


def rate_factor(epoch, settings):
    """Rises in a line, then falls along a cosine to 0."""
    if epoch < settings.warm_up_epochs:
        return epoch / settings.warm_up_epochs
    progress = (epoch - settings.warm_up_epochs) / (settings.epochs - settings.warm_up_epochs)
    return 0.5 * (1 + math.cos(math.pi * min(progress, 1)))


def step(model, optimizer, images, labels, settings, random):
    """One step on pictures mixed in pairs (mixup, Zhang et al. 2018); returns the loss."""
    part = np.random.default_rng(int(torch.randint(2**31, (), generator=random))).beta(settings.mixup, settings.mixup)
    other = torch.randperm(len(images), generator=random)
    logits = model(images.lerp(images[other], 1 - part))
    loss = part * loss_of(logits, labels, settings) + (1 - part) * loss_of(logits, labels[other], settings)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    return loss.item()


def loss_of(logits, labels, settings):
    return functional.cross_entropy(logits, labels, label_smoothing=settings.label_smoothing)


@torch.no_grad()
def update(average, model, decay):
    for old, new in zip(average.state_dict().values(), model.state_dict().values()):
        if old.is_floating_point():
            old.lerp_(new, 1 - decay)
        else:
            old.copy_(new)


@torch.no_grad()
def estimate_statistics(model, images, chances, settings):
    """Gives the normalizations the means and variances that the averaged weights really make."""
    random = torch.Generator().manual_seed(settings.seed + 1)
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.reset_running_stats()
            # Without a momentum every batch counts the same.
            module.momentum = None
    model.train()
    for _ in range(settings.statistics_batches):
        drawn = torch.multinomial(chances, settings.statistics_batch, replacement=True, generator=random)
        model(views(images[drawn], settings.side, random))
    model.eval()
