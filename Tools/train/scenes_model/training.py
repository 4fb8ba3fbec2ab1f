"""The training run: AdamW, warm-up and cosine, an average of the weights over time."""
import copy
import json
import math
import pathlib
import time

import torch
import torch.distributed
import torch.multiprocessing

from .batches import Batches
from .model import Encoders, new_model
from .pictures import TrainingSet
from .vocabulary import Vocabulary

BATCH, WARM_UP, PEAK, WEIGHT_DECAY = 96, 150, 1e-3, 0.05
PROCESSES = 2
STEPS = 9000
#: The part of the run in which the rate goes to zero.
LAST = 0.52
#: Shares of the losses. That of pictures and texts grows to 1 over the first steps: before pictures are
#: understood it is noise.
GROWN = 2500
SHARES = {"oracle": 1.0, "distance": 5.0, "patches": 10.0}
SAVED_EVERY, REPORTED_EVERY = 250, 50


def rate(step, steps):
    """The learning rate as a part of its peak: up, level, and along a cosine down."""
    if step < WARM_UP:
        return (step + 1) / WARM_UP
    last = (step - (1 - LAST) * steps) / (LAST * steps)
    return 1.0 if last < 0 else 0.5 * (1 + math.cos(math.pi * last))


def parameter_groups(encoders):
    """Decay for matrices only; scale and bias of the logits, two numbers, move ten times as fast."""
    logits = [encoders.model.logit_scale, encoders.model.logit_bias]
    others = [p for p in encoders.parameters() if not any(p is q for q in logits)]
    return [{"params": [p for p in others if p.ndim > 1], "weight_decay": WEIGHT_DECAY, "speed": 1},
            {"params": [p for p in others if p.ndim <= 1], "weight_decay": 0.0, "speed": 1},
            {"params": logits, "weight_decay": 0.0, "speed": 10}]


class Run:
    """The state of a run: it goes on from the last checkpoint, with the results of one that was never stopped."""

    def __init__(self, vocabulary, folder, seed):
        self.checkpoint = pathlib.Path(folder) / "checkpoint.pt"
        self.encoders = Encoders(new_model(len(vocabulary), seed))
        self.average = copy.deepcopy(self.encoders.model)
        self.optimizer = torch.optim.AdamW(parameter_groups(self.encoders), lr=PEAK, betas=(0.9, 0.98))
        self.step = 0
        if self.checkpoint.exists():
            state = torch.load(self.checkpoint)
            for name, part in self.parts().items():
                part.load_state_dict(state[name])
            self.step = state["step"]

    def parts(self):
        return {"encoders": self.encoders, "average": self.average, "optimizer": self.optimizer}

    def save(self):
        unfinished = self.checkpoint.with_suffix(".part")
        torch.save({"step": self.step, **{name: part.state_dict() for name, part in self.parts().items()}}, unfinished)
        unfinished.replace(self.checkpoint)

    def learn(self, batch, rate, pairs):
        """One step; `pairs` is the share of that loss. Returns the losses and two scores."""
        for group in self.optimizer.param_groups:
            group["lr"] = PEAK * rate * group["speed"]
        with torch.autocast("cpu", torch.bfloat16):
            logits, losses = self.encoders(batch)
        self.optimizer.zero_grad(set_to_none=True)
        shares = {**SHARES, "pairs": pairs}
        sum(shares[name] * loss for name, loss in losses.items()).backward()
        share_gradients(self.encoders)
        torch.nn.utils.clip_grad_norm_(self.encoders.parameters(), 1.0)
        self.optimizer.step()
        follow(self.average, self.encoders.model, min(0.998, (self.step + 1) / (self.step + 20)))
        self.step += 1
        return {**{name: loss.item() for name, loss in losses.items()}, **scores(logits, batch.truth)}


def share_gradients(module):
    """Every process goes on with the mean of the gradients of all."""
    gradients = [parameter.grad for parameter in module.parameters()]
    flat = torch.cat([gradient.flatten() for gradient in gradients])
    torch.distributed.all_reduce(flat)
    flat /= PROCESSES
    for gradient, mean in zip(gradients, flat.split([gradient.numel() for gradient in gradients])):
        gradient.copy_(mean.view_as(gradient))


def train(pictures, vocabulary, folder, steps, seed):
    """Trains to the last step, with the results in the checkpoint of the folder.

    Two processes of one thread each see half of a batch: threads that meet at every operation wait for each other
    where a machine has other work.
    """
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    meeting = folder / "meeting"
    meeting.unlink(missing_ok=True)
    torch.multiprocessing.spawn(
        run_part, (pictures, vocabulary, folder, steps, seed, f"file://{meeting.resolve()}"), PROCESSES)
    meeting.unlink(missing_ok=True)


def run_part(part, pictures, vocabulary, folder, steps, seed, meeting):
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.distributed.init_process_group("gloo", meeting, rank=part, world_size=PROCESSES)
    pictures, vocabulary = TrainingSet(*pictures), Vocabulary(vocabulary)
    run = Run(vocabulary, folder, seed)
    batches = Batches(pictures, vocabulary, BATCH // PROCESSES, seed, part, PROCESSES)
    begun, rows = time.time(), []
    while run.step < steps:
        rows.append(run.learn(batches.batch(run.step), rate(run.step, steps), min(1.0, run.step / GROWN)))
        if part == 0 and run.step % REPORTED_EVERY == 0:
            report(run, steps, rows, time.time() - begun)
            rows = []
        if part == 0 and (run.step % SAVED_EVERY == 0 or run.step == steps):
            run.save()
    torch.distributed.destroy_process_group()


def report(run, steps, rows, seconds):
    means = {name: round(sum(row[name] for row in rows) / len(rows), 4) for name in rows[0]}
    model = run.encoders.model
    print(json.dumps({
        "step": run.step, "of": steps, **means, "scale": round(model.logit_scale.exp().item(), 2),
        "bias": round(model.logit_bias.item(), 2), "seconds": round(seconds)}), flush=True)


@torch.no_grad()
def follow(average, model, momentum):
    for slow, fast in zip(average.parameters(), model.parameters()):
        slow.lerp_(fast, 1 - momentum)


@torch.no_grad()
def scores(logits, truth):
    """How many true pairs are found true, and how often a picture's true sentence beats its wrong twin."""
    positive = truth > 0
    rows = torch.arange(len(logits))
    mine, twin = logits[rows, 2 * rows], logits[rows, 2 * rows + 1]
    is_twin = (truth[rows, 2 * rows] > 0) & (truth[rows, 2 * rows + 1] < 0)
    return {"true found": (logits[positive] > 0).float().mean().item(),
            "told apart": (mine > twin)[is_twin].float().mean().item()}
