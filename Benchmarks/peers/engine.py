"""An engine's process, driven over pipes: a number of runs in, a JSON list of their milliseconds out."""

import contextlib
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path


class Engine:
    """A process that has its model; `error` says why it is out of the race."""

    def __init__(self, contender, command, environment, says_ready=True):
        self.contender, self.error = contender, None
        # Milliseconds of the runs of each turn.
        self.turns = []
        # Seconds: to the model made ready, without starting Python; to the first result, with it.
        self.load = self.first = None
        # Milliseconds, of a run: the first at first, and then as the race finds it.
        self.pace = None
        # MiB: at most, and before the model was there.
        self.peak = self.base = None
        self.messages = tempfile.TemporaryFile("w+")
        begin = time.perf_counter()
        self.process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.messages, text=True, env=environment)
        answer = self.read() if says_ready else {}
        if answer and "error" in answer:
            self.error = answer["error"]
        if self.error:
            return
        milliseconds = self.run(1)
        if milliseconds:
            self.pace = milliseconds[0]
            self.first = time.perf_counter() - begin
            self.load = answer.get("load", self.first - milliseconds[0] / 1e3)
            self.base = answer.get("base")

    def fail(self):
        """Notes the last thing that the process said before it ended."""
        code = self.process.wait()
        self.messages.seek(0)
        lines = self.messages.read().strip().splitlines()
        self.error = lines[-1][:200] if lines else f"ended with exit code {code}"

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            self.fail()
            return None
        return json.loads(line)

    def run(self, count):
        """The milliseconds of each of `count` runs."""
        try:
            self.process.stdin.write(f"{count}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self.fail()
            return []
        return self.read() or []

    def pin(self, processors):
        """Holds all threads of the process to these processors, and with them those that they start."""
        with contextlib.suppress(FileNotFoundError):
            for thread in Path(f"/proc/{self.process.pid}/task").iterdir():
                with contextlib.suppress(ProcessLookupError):
                    os.sched_setaffinity(int(thread.name), processors)

    def close(self):
        if not self.error:
            self.peak = resident_peak(self.process.pid)
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()
        self.messages.close()


def resident_peak(process):
    """The most memory that a process has held, in MiB."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return None
