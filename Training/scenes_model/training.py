"""A training run of one tower: Muon for the matrices of its layers, AdamW for all else, one rate for both."""
import json
import math
import pathlib
import time

import torch
import torch.distributed
import torch.multiprocessing

#: Peak rates of Muon (Jordan et al. 2024, scaled as AdamW's: Liu et al. 2025) and of AdamW.
MUON, ADAMW = 6e-3, 1e-3
WARM_UP, WEIGHT_DECAY = 150, 0.01
#: The part of the run in which the rate goes to zero.
LAST = 0.55
#: The highest rate of what ends the training of a tower, as a part of its peak.
LAST_PEAK = 0.3
PROCESSES = 2
SAVED_EVERY, REPORTED_EVERY = 500, 100


def rate(step, steps):
    """The learning rate as a part of its peak: up, level, and along a cosine down."""
    last = (step - (1 - LAST) * steps) / (LAST * steps)
    return min(1.0, (step + 1) / WARM_UP, 0.5 * (1 + math.cos(math.pi * max(0.0, last))))


class Run:
    """The state of a run: it goes on from the last checkpoint, with the results of one that was never stopped."""

    def __init__(self, lesson, checkpoint, peak):
        self.lesson, self.checkpoint, self.peak, self.step = lesson, pathlib.Path(checkpoint), peak, 0
        trained = [(name, value) for name, value in lesson.named_parameters() if value.requires_grad]
        in_layers = lambda name, value: ".layers." in name and value.ndim == 2
        self.parameters = [value for _, value in trained]
        self.optimizers = (
            torch.optim.Muon([value for name, value in trained if in_layers(name, value)], lr=MUON,
                             weight_decay=WEIGHT_DECAY, adjust_lr_fn="match_rms_adamw"),
            torch.optim.AdamW([value for name, value in trained if not in_layers(name, value)], lr=ADAMW,
                              betas=(0.9, 0.98), weight_decay=WEIGHT_DECAY))
        if self.checkpoint.exists():
            state = torch.load(self.checkpoint)
            self.lesson.load_state_dict(state["lesson"])
            for optimizer, values in zip(self.optimizers, state["optimizers"]):
                optimizer.load_state_dict(values)
            self.step = state["step"]

    def save(self):
        unfinished = self.checkpoint.with_suffix(".part")
        torch.save({"step": self.step, "lesson": self.lesson.state_dict(),
                    "optimizers": [optimizer.state_dict() for optimizer in self.optimizers]}, unfinished)
        unfinished.replace(self.checkpoint)

    def learn(self, steps):
        """One step; returns the figures of its batch."""
        for optimizer, highest in zip(self.optimizers, (MUON, ADAMW)):
            optimizer.zero_grad(set_to_none=True)
            for group in optimizer.param_groups:
                group["lr"] = self.peak * highest * rate(self.step, steps)
        loss, figures = self.lesson.losses(self.step)
        loss.backward()
        share_gradients(self.parameters)
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        for optimizer in self.optimizers:
            optimizer.step()
        self.step += 1
        return {name: value.item() for name, value in figures.items()}


def share_gradients(parameters):
    """Every process goes on with the mean of the gradients of all."""
    used = [parameter for parameter in parameters if parameter.grad is not None]
    flat = torch.cat([parameter.grad.flatten() for parameter in used])
    torch.distributed.all_reduce(flat)
    flat /= PROCESSES
    for parameter, mean in zip(used, flat.split([parameter.numel() for parameter in used])):
        parameter.grad.copy_(mean.view_as(parameter))


def train(lesson, checkpoint, steps, peak=1.0):
    """Trains to the last step and returns the trained values of the lesson.

    Two processes of one thread each see half of a batch: threads that meet at every operation wait for each other
    where a machine has other work.

    - lesson: makes the lesson of a process, given `part` and `parts`; peak: the highest rate, as a part of the usual.
    """
    checkpoint = pathlib.Path(checkpoint)
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    meeting = checkpoint.with_suffix(".meeting")
    meeting.unlink(missing_ok=True)
    torch.multiprocessing.spawn(run_part, (lesson, checkpoint, steps, peak, f"file://{meeting.resolve()}"), PROCESSES)
    meeting.unlink(missing_ok=True)
    return torch.load(checkpoint)["lesson"]


def run_part(part, lesson, checkpoint, steps, peak, meeting):
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.distributed.init_process_group("gloo", meeting, rank=part, world_size=PROCESSES)
    run = Run(lesson(part=part, parts=PROCESSES), checkpoint, peak)
    begun, rows = time.time(), []
    while run.step < steps:
        rows.append(run.learn(steps))
        if part == 0 and run.step % REPORTED_EVERY == 0:
            means = {name: round(sum(row[name] for row in rows) / len(rows), 4) for name in rows[0]}
            print(json.dumps({checkpoint.stem: run.step, "of": steps, **means, "seconds": round(time.time() - begun)}),
                  flush=True)
            rows = []
        if part == 0 and (run.step % SAVED_EVERY == 0 or run.step == steps):
            run.save()
    torch.distributed.destroy_process_group()
