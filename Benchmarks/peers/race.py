"""Engines that take turns at one job."""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from engine import Engine
from models import agreement
from models.build import make

HERE = Path(__file__).resolve().parent

# From so many milliseconds on, what others left in the caches no longer shows.
LONG_RUN = 100


class Race:
    def __init__(self, job, threads, options, environment):
        self.job, self.threads, self.options, self.environment = job, threads, options, environment
        self.engines = []
        # Of Apus without its cache of packed weights: load and first result in seconds, peak in MiB.
        self.without_cache = None
        # How far Apus's outputs are from those of PyTorch in float32.
        self.difference = self.cosine = None

    def path(self, contender):
        """The contender's file, made if need be; none if it is of a collection that is not there."""
        if not contender.is_shared:
            return make(self.options.models, contender.file)
        path = self.options.shared / contender.file
        return path if path.exists() else None

    def measure(self):
        # Files are made before the first engine takes memory.
        paths = {}
        for contender in self.job.contenders:
            if contender.engine in self.options.engines:
                paths[contender] = self.path(contender)
                if not paths[contender]:
                    print(f"  {contender.label}: {contender.file} is missing", file=sys.stderr)
        with tempfile.TemporaryDirectory(dir=self.options.models) as folder:
            input = Path(folder) / "input.npy"
            np.save(input, self.job.input())
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
        command = [self.options.apus, "run", path, *self.job.apus_arguments(input, self.threads)]
        if self.job.tower:
            self.compare_outputs(command, folder)
        cache = folder / "cache"

        def start(**variables):
            environment = {**self.environment, **variables}
            return Engine(contender, [*command, "--benchmark"], environment, says_ready=False)

        if self.job.tower:
            first = start(APUS_CACHE="off")
            first.close()
            if not first.error:
                self.without_cache = {"load": first.load, "first": first.first, "peak": first.peak}
                start(XDG_CACHE_HOME=str(cache)).close()
        return start(XDG_CACHE_HOME=str(cache))

    def compare_outputs(self, command, folder):
        """Notes the distance to PyTorch's results; a failure shows again, with its message, in the race."""
        expected = np.load(make(self.options.models, self.job.tower.name + ".expected.npy"))
        outputs = folder / "outputs"
        environment = {**self.environment, "APUS_CACHE": "off"}
        subprocess.run([*command, "--output-dir", outputs], env=environment, capture_output=True)
        if (outputs / "0.npy").exists():
            self.difference, self.cosine = agreement.distance(np.load(outputs / "0.npy"), expected)

    def take_turns(self, engines):
        for engine in engines:
            engine.pace = min(engine.run(3 if engine.pace < LONG_RUN else 1), default=engine.pace)
        budget = self.options.seconds * 1e3
        slowest = max([engine.pace for engine in engines], default=1)
        rounds = share(budget, 2 * slowest, 3, self.options.rounds)
        order = random.Random(1)
        for _ in range(rounds):
            # ONNX Runtime's threads spin for the whole turn that comes after its own: now this engine's, now that one's.
            for engine in order.sample(engines, len(engines)):
                if engine.error:
                    continue
                runs = share(budget, rounds * engine.pace, 2, self.options.runs)
                # The first run of a turn finds cold caches, and the threads of others still spinning.
                skipped = 1 if engine.pace < LONG_RUN else 0
                engine.times += engine.run(runs + skipped)[skipped:]


def share(budget, cost, least, most):
    """How often `cost` goes into `budget`, between the limits."""
    return int(min(max(budget / cost, least), most))
