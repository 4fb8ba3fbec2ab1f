"""Progress lines on standard error, at most one each half minute of a stage."""

import sys
import time

INTERVAL = 30
"""Seconds."""

started = time.time()


def say(text):
    print(f"{time.time() - started:7.0f} s  {text}", file=sys.stderr, flush=True)


class Progress:
    def __init__(self, stage, total):
        self.stage, self.total, self.last = stage, total, time.time()

    def at(self, done, note=""):
        now = time.time()
        if now - self.last >= INTERVAL or done == self.total:
            self.last = now
            say(f"{self.stage}: {done} of {self.total} {note}")
