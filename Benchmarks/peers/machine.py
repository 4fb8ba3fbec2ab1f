"""What disturbs a measurement on this machine."""

import os
import sys
import time
from pathlib import Path

# These overrule OpenBLAS's own choice of kernels.
MISLEADING = ["OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"]


def clean_environment():
    """The environment for all engines."""
    environment = dict(os.environ)
    for name in MISLEADING:
        if environment.pop(name, None) is not None:
            print(f"warning: {name} was set; it is unset for all engines", file=sys.stderr)
    return environment


def processor_use(seconds=0.5):
    """The part of all processors' time that is in use now, 0 to 1."""

    def read():
        fields = [int(field) for field in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
        return sum(fields), fields[3] + fields[4]

    total, idle = read()
    time.sleep(seconds)
    total_after, idle_after = read()
    return 1 - (idle_after - idle) / max(total_after - total, 1)


def warn_if_busy():
    use = processor_use()
    if use > 0.1:
        print(
            f"warning: {use:.0%} of the processors' time is taken by other work; figures for 2 threads "
            "suffer most", file=sys.stderr)
