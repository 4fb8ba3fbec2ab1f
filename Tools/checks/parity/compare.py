"""Compares `apus tokenize` with the tokenizers and sentencepiece libraries, and prints a table of differences.

Run by Tools/checks/tokenizer-parity.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"

import references
import texts

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Texts that the tokenizers made here are trained on.
TRAINING_LINES = 6000
# Differing lines that are shown for each tokenizer.
SHOWN = 5


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=20_260_101)
    parser.add_argument("--shared", type=pathlib.Path, default=os.environ.get("APUS_SHARED", ROOT.parent / "shared/data"),
                        help="the folder of real vocabularies; those tokenizers are left out without it")
    parser.add_argument("--minilm", type=pathlib.Path, help="a folder of all-MiniLM-L6-v2 with its tokenizer.json")
    parser.add_argument("--only", action="append", help="the name of a tokenizer; several times for several")
    parser.add_argument("--program", default=str(ROOT / "Tools/apus"), help="the command that is `apus`")
    return parser.parse_args()


def output_of_apus(program, case, lines, *options):
    """What is printed for the lines, and the seconds that they took beyond those for one line."""
    encoded = [json.dumps(line) + "\n" for line in lines]
    command = shlex.split(program) + ["tokenize", "--model", str(case.path), "--jsonl", *case.options, *options]

    def run(data):
        begun = time.perf_counter()
        done = subprocess.run(command, input="".join(data).encode(), stdout=subprocess.PIPE)
        if done.returncode:
            sys.exit(f"{shlex.join(command)} ended with {done.returncode}")
        return done.stdout.decode().rstrip("\n").split("\n"), time.perf_counter() - begun

    _, start = run(encoded[:1])
    output, all_ = run(encoded)
    return [json.loads(line) for line in output], max(all_ - start, 1e-9)


def show(line, ours, theirs):
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    print(f"  {json.dumps(line)[:400]}\n    at {at}: apus {ours[at:at + 12]}, library {theirs[at:at + 12]}", file=sys.stderr)


def compare(case, lines, program):
    """Prints a row of the table.
    Returns the number of lines with different ids."""
    begun = time.perf_counter()
    theirs = case.encode(lines)
    library_seconds = time.perf_counter() - begun
    ours, seconds = output_of_apus(program, case, lines)
    return report(case.name, lines, ours, theirs, seconds, library_seconds)


def compare_pairs(case, lines, program):
    """The same for each line with the one after the next, as a pair: one is long where the other is short, or both are."""
    pairs = [[first, second] for first, second in zip(lines, lines[2:])]
    begun = time.perf_counter()
    theirs = case.encode_pairs(pairs)
    library_seconds = time.perf_counter() - begun
    records, seconds = output_of_apus(program, case, pairs, "--json")
    ours = [record["ids"] + record["types"] for record in records]
    return report(case.name + " pairs", pairs, ours, [ids + types for ids, types in theirs], seconds, library_seconds)


def report(name, lines, ours, theirs, seconds, library_seconds):
    if len(ours) != len(lines):
        sys.exit(f"{name}: {len(ours)} lines of ids for {len(lines)} lines of text")
    different = [index for index in range(len(lines)) if ours[index] != theirs[index]]
    tokens = sum(map(len, theirs))
    print(f"{name:18} {len(lines):8} {tokens:10} {len(different):8} {tokens / seconds / 1e6:10.2f}"
          f" {tokens / library_seconds / 1e6:10.2f}", flush=True)
    for index in different[:SHOWN]:
        show(lines[index], ours[index], theirs[index])
    return len(different)


def main():
    options = arguments()
    shared = pathlib.Path(options.shared) / "tokenizers"
    lines = list(texts.lines(options.lines, options.seed))
    training = list(texts.plain_lines(TRAINING_LINES, options.seed + 1))
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        cases = references.all_cases(shared, options.minilm, training, pathlib.Path(folder))
        unknown = set(options.only or []) - {name for name, _ in cases}
        if unknown:
            sys.exit(f"no tokenizer {', '.join(sorted(unknown))}: there are {', '.join(name for name, _ in cases)}")
        # Apus's figure includes reading the lines and writing the ids; the library's does not.
        print(f"{'tokenizer':18} {'lines':>8} {'tokens':>10} {'differ':>8} {'apus M/s':>10} {'lib. M/s':>10}")
        for name, make in cases:
            if not options.only or name in options.only:
                case = make()
                total += compare(case, lines, options.program)
                if case.encode_pairs:
                    total += compare_pairs(case, lines, options.program)
    sys.exit(1 if total else 0)


if __name__ == "__main__":
    main()
