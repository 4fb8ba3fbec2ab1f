"""What Apus answers."""
import json
import subprocess

from .references import PAIRS, TEXTS, Answer

MODEL_OPTIONS = ["--threads", "1"]


def _run(apus, arguments, text=None):
    result = subprocess.run([apus, *arguments], input=text, capture_output=True, text=True, timeout=120)
    if result.returncode:
        said = (result.stderr or result.stdout).strip().splitlines()
        raise RuntimeError(said[0] if said else f"exit code {result.returncode}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def _lines():
    return "\n".join(TEXTS) + "\n"


def _classes(rows):
    return [[item["score"] for item in sorted(row["predictions"], key=lambda item: item["index"])] for row in rows]


def _embedding(row):
    return next(row[key] for key in ("embedding", "vector", "values") if key in row)


def text_classes(apus, folder, pictures):
    return Answer(_classes(_run(apus, ["classify-text", "-", "--model", folder, "--json", *MODEL_OPTIONS], _lines())))


def pair_classes(apus, folder, pictures):
    lines = "".join(f"{first}\t{second}\n" for first, second in PAIRS)
    return Answer(_classes(_run(apus, ["classify-text", "-", "--pairs", "--model", folder, "--json", *MODEL_OPTIONS], lines)))


def picture_classes(apus, folder, pictures):
    arguments = ["classify", *pictures, "--model", folder, "--json", "--top-k", "1000", *MODEL_OPTIONS]
    return Answer(_classes(_run(apus, arguments)))


def texts(apus, folder, pictures):
    rows = _run(apus, ["embed", "--text", "-", "--model", folder, "--json", *MODEL_OPTIONS], _lines())
    return Answer([_embedding(row) for row in rows])


def pictures(apus, folder, pictures):
    rows = []
    for picture in pictures:
        rows += _run(apus, ["embed", "--image", picture, "--model", folder, "--json", *MODEL_OPTIONS])
    return Answer([_embedding(row) for row in rows])


def two_towers(apus, folder, paths):
    """The embeddings of texts and pictures, and a row of logits for each picture."""
    labels = [part for text in TEXTS for part in ("--label", text)]
    rows = _run(apus, ["zero-shot", *paths, "--model", folder, *labels, "--json", *MODEL_OPTIONS])
    logits = [[item["logit"] for item in sorted(row["scores"], key=lambda item: item["index"])] for row in rows]
    return Answer(texts(apus, folder, paths).rows + pictures(apus, folder, paths).rows + logits)


def ids(apus, folder):
    return _run(apus, ["tokenize", "--model", folder], _lines())
