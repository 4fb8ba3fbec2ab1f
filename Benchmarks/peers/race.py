"""Engines that take turns at one job."""

import dataclasses
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import machine
from engine import Engine
from interval import ratio_interval
from jobs import FOLDER
from models import agreement
from models.build import make

HERE = Path(__file__).resolve().parent

# The label of another program of Apus.
BEFORE = "apus-before"

# From so many milliseconds on, what others left in the caches no longer shows.
LONG_RUN = 100

# Milliseconds of a turn, as far as the runs in one are not too many or too few.
TURN = 100

# Fewer rounds have no interval worth the name; a race ends with them only where its time is over.
LEAST_ROUNDS = 5


def write_input(folder, values):
    """The file of the inputs of a run; several have one for each beside it."""
    if not isinstance(values, dict):
        np.save(folder / "input.npy", values)
        return folder / "input.npy"
    for name, value in values.items():
        np.save(folder / f"input.{name}.npy", value)
    np.savez(folder / "input.npz", **values)
    return folder / "input.npz"


class Race:
    def __init__(self, job, threads, options, environment):
        self.job, self.threads, self.options, self.environment = job, threads, options, environment
        self.engines = []
        # Of Apus without its cache of packed weights: load and first result in seconds, peak in MiB.
        self.without_cache = None
        # How far Apus's outputs are from those of PyTorch in float32.
        self.difference = self.cosine = None
        # What took the processors besides the engines, while these took turns.
        self.load = None

    def contenders(self):
        """The job's, and Apus as it was, if its program is given."""
        for contender in self.job.contenders:
            yield contender
            if contender.engine == "apus" and self.options.before:
                yield dataclasses.replace(contender, label=BEFORE)

    def path(self, contender):
        """The contender's file, made if need be; none if it is of a collection that is not there."""
        if not contender.is_shared:
            return make(self.options.models, contender.file)
        path = self.options.shared / contender.file
        return path if path.exists() else None

    def measure(self):
        # Files are made before the first engine takes memory.
        paths = {}
        for contender in self.contenders():
            if contender.engine in self.options.engines:
                paths[contender] = self.path(contender)
                if not paths[contender]:
                    print(f"  {contender.label}: {contender.file} is missing", file=sys.stderr)
        with tempfile.TemporaryDirectory(dir=self.options.models) as folder:
            input = write_input(Path(folder), self.job.input())
            try:
                for contender, path in paths.items():
                    if path:
                        self.engines.append(self.start(contender, path, input, Path(folder)))
                self.take_turns([engine for engine in self.engines if not engine.error])
            finally:
                for engine in self.engines:
                    engine.close()

    def start(self, contender, path, input, folder):
        if contender.engine == "apus":
            return self.start_apus(contender, path, input, folder)
        command = [sys.executable, HERE / "worker.py", contender.engine, path, self.job.precision]
        command += [self.threads, input, self.job.tower.name if self.job.tower else ""]
        return Engine(contender, command, self.environment)

    def start_apus(self, contender, path, input, folder):
        """Apus with its packed weights in the cache; before it, for load time and memory, without."""
        is_before = contender.label == BEFORE
        program = self.options.before if is_before else self.options.apus
        command = [program, "run", path, *self.job.apus_arguments(contender, input, self.threads)]
        cache = folder / f"cache-{contender.label}"

        def start(**variables):
            environment = {**self.environment, **variables}
            return Engine(contender, [*command, "--benchmark"], environment, says_ready=False)

        if self.job.tower:
            if not is_before:
                self.compare_outputs(command, folder)
                self.measure_without_cache(start(APUS_CACHE="off"))
            start(XDG_CACHE_HOME=str(cache)).close()
        return start(XDG_CACHE_HOME=str(cache))

    def measure_without_cache(self, engine):
        engine.close()
        if not engine.error:
            self.without_cache = {"load": engine.load, "first": engine.first, "peak": engine.peak}

    def compare_outputs(self, command, folder):
        """Notes the distance to PyTorch's results; a failure shows again, with its message, in the race."""
        expected = np.load(make(self.options.models, self.job.tower.name + ".expected.npy"))
        outputs = folder / "outputs"
        environment = {**self.environment, "APUS_CACHE": "off"}
        subprocess.run([*command, "--output-dir", outputs], env=environment, capture_output=True)
        if (outputs / "0.npy").exists():
            self.difference, self.cosine = agreement.distance(np.load(outputs / "0.npy"), expected)

    def take_turns(self, engines):
        """Round after round, until the interval of the ratio is narrow or the time is over."""
        for engine in engines:
            engine.pin(machine.processors(self.threads))
            engine.pace = min(engine.run(3 if engine.pace < LONG_RUN else 1), default=engine.pace)
        load = machine.Load(engine.process.pid for engine in engines)
        end = time.perf_counter() + self.options.seconds * len(engines)
        order = random.Random(1)
        rounds = 0
        while rounds < LEAST_ROUNDS or time.perf_counter() < end and not self.is_narrow(rounds):
            # ONNX Runtime's threads spin for the whole turn that comes after its own: now this engine's, now
            # that one's.
            for engine in order.sample(engines, len(engines)):
                if not engine.error:
                    self.take_turn(engine)
            rounds += 1
            if not any(len(engine.turns) == rounds for engine in engines):
                return
        self.load = load.share()

    def take_turn(self, engine):
        runs = int(min(max(TURN / engine.pace, 2 if engine.pace < 1000 else 1), self.options.runs))
        # The first run of a turn finds cold caches, and the threads of others still spinning.
        skipped = 1 if engine.pace < LONG_RUN else 0
        times = engine.run(runs + skipped)[skipped:]
        if times:
            engine.turns.append(times)

    def is_narrow(self, rounds):
        """Whether the interval of the ratio of minima is narrow; looked at after every few rounds."""
        if rounds % LEAST_ROUNDS or rounds < 2 * LEAST_ROUNDS:
            return False
        low, high = self.interval("min", self.peers(any_file=False) or self.before()) or (0, 1)
        return high - low <= self.options.width * high

    def finished(self):
        return [engine for engine in self.engines if not engine.error and engine.turns]

    def apus(self):
        return next((engine for engine in self.finished() if engine.contender.label == "apus"), None)

    def before(self):
        return [engine for engine in self.finished() if engine.contender.label == BEFORE]

    def folder(self):
        return [engine for engine in self.finished() if engine.contender.label == FOLDER]

    def peers(self, any_file):
        """The engines beside Apus that ran to the end, with Apus's file or with any."""
        return [
            engine for engine in self.finished()
            if engine.contender.engine != "apus" and (any_file or not engine.contender.is_stand_in)
        ]

    def interval(self, kind, others):
        """Where Apus's times divided by the best of the others' lie, surely enough; none without both."""
        apus = self.apus()
        return ratio_interval(apus.turns, [other.turns for other in others], kind) if apus and others else None
