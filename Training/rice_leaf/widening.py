"""Teaches a trained network that there are other pictures, and bad ones of leaves.

Every batch has foreign pictures besides, for which the loss asks that no class be likelier than another (outlier
exposure, Hendrycks et al. 2019), and leaves are darkened and blurred.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from .augmentation import views, worsened
from .model import probabilities
from .training import draw_chances, loss_of, run_epochs

EPOCHS_BETWEEN_CHECKS = 2


@dataclass(frozen=True)
class Settings:
    seed: int = 2027
    epochs: int = 20
    views_per_epoch: int = 2048
    batch: int = 16
    foreign_batch: int = 10
    foreign_weight: float = 0.5
    rate: float = 1e-3
    warm_up_epochs: int = 1
    weight_decay: float = 0.05
    label_smoothing: float = 0.05
    average_decay: float = 0.998


def widen(model, pixels, labels, photographs, foreign, validation, settings, log):
    """Trains on leaves, uint8 [count, height, width, 3], and foreign pictures of that form.

    - validation: normalised leaves and labels, and normalised foreign pictures, only looked at for the log.
    - returns: the running average of the weights as a network.
    """
    torch.set_num_threads(1)
    torch.manual_seed(settings.seed)
    random = torch.Generator().manual_seed(settings.seed)
    leaves, others = (torch.from_numpy(array).permute(0, 3, 1, 2) for array in (pixels, foreign))
    labels, chances = torch.from_numpy(labels), draw_chances(labels, photographs)
    side = validation[0].shape[1]

    def learn(optimizer):
        drawn = torch.multinomial(chances, settings.batch, replacement=True, generator=random)
        others_drawn = torch.randint(len(others), (settings.foreign_batch,), generator=random)
        seen = torch.cat([leaves[drawn], others[others_drawn]])
        seen = worsened(views(seen, side, random), random).contiguous(memory_format=torch.channels_last)
        return step(model, optimizer, seen, labels[drawn], settings)

    def check(average, epoch):
        if epoch % EPOCHS_BETWEEN_CHECKS:
            return ""
        known, unknown = probabilities(average, validation[0]), probabilities(average, validation[2])
        return (f"  validation {np.mean(known.argmax(axis=1) == validation[1]):.4f}"
                f"  medians {np.median(known.max(axis=1)):.3f} {np.median(unknown.max(axis=1)):.3f}")

    return run_epochs(model, settings, learn, check, log)


def step(model, optimizer, images, labels, settings):
    """One step on leaves, and on the foreign pictures behind them; returns the loss."""
    logits = model(images)
    loss = loss_of(logits[: len(labels)], labels, settings)
    unsure = -functional.log_softmax(logits[len(labels):], dim=1).mean()
    loss = loss + settings.foreign_weight * unsure
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    return loss.item()
