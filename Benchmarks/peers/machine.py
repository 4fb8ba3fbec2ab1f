"""The machine: what it is, what disturbs a measurement on it, and which processors the engines get."""

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


def processor_times():
    """Seconds of all processors since the start, in all, idle, and taken by other machines of the same host."""
    ticks = os.sysconf("SC_CLK_TCK")
    fields = [int(field) / ticks for field in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return sum(fields), fields[3] + fields[4], fields[7]


def processor_use(seconds=0.5):
    """The part of all processors' time that is in use now, 0 to 1."""
    total, idle, _ = processor_times()
    time.sleep(seconds)
    total_after, idle_after, _ = processor_times()
    return 1 - (idle_after - idle) / max(total_after - total, 0.01)


def warn_if_busy():
    use = processor_use()
    if use > 0.1:
        print(
            f"warning: {use:.0%} of the processors' time is taken by other work; figures for 2 threads "
            "suffer most", file=sys.stderr)


class Load:
    """Which part of the processors' time other programs, and other machines of the same host, took meanwhile."""

    def __init__(self, processes):
        self.processes = [*processes, os.getpid()]
        self.start, self.own = processor_times(), self.own_time()

    def own_time(self):
        return sum(process_time(process) for process in self.processes)

    def share(self):
        total, idle, stolen = (now - before for now, before in zip(processor_times(), self.start, strict=True))
        others = total - idle - stolen - (self.own_time() - self.own)
        return {"others": max(others, 0) / max(total, 0.01), "stolen": stolen / max(total, 0.01)}


def process_time(process):
    """Seconds of processor time that a process has used; 0 once it has ended."""
    try:
        # The name, in parentheses, may have spaces.
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def processors(count):
    """That many of the processors that this process may use, of as many different cores as there are."""
    siblings = {}
    for processor in sorted(os.sched_getaffinity(0)):
        path = Path(f"/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list")
        core = path.read_text().strip() if path.exists() else str(processor)
        siblings.setdefault(core, []).append(processor)
    # The second thread of each core after all first ones, and the last core first: the first one serves interrupts.
    most = max(map(len, siblings.values()))
    order = [core[turn] for turn in range(most) for core in reversed(siblings.values()) if turn < len(core)]
    return set(order[:count])


def has_bfloat16():
    """Whether this processor multiplies bfloat16 itself."""
    flags = next((line.split() for line in cpu_lines() if line.startswith("flags")), [])
    return "avx512_bf16" in flags or "amx_bf16" in flags


def cpu_lines():
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []


def name():
    """The processor, as Linux names it, and the number of processors."""
    values = {}
    for line in cpu_lines():
        key, _, value = line.partition(":")
        values.setdefault(key.strip(), value.strip())
    model = values.get("model name", "unknown processor")
    if "cpu family" in values:
        model += f", family {values['cpu family']}, model {values['model']}, stepping {values['stepping']}"
    return f"{len(os.sched_getaffinity(0))} × {model}"
