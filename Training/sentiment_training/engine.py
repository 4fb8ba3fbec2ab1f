"""The figures of a model folder by `apus` and by transformers."""

import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

PRECISIONS = ("f32", "bf16", "int8")


class Engine:
    def __init__(self, program, folder):
        self.program, self.folder = str(program), str(folder)

    def output(self, command, *arguments, lines=()):
        result = subprocess.run(
            [self.program, command, *arguments], input="".join(line + "\n" for line in lines), text=True,
            capture_output=True, check=False)
        if result.returncode:
            raise SystemExit(f"apus {command}: {result.stderr.strip()}")
        return result.stdout

    def scores(self, texts, precision):
        """The score of `positive` of each text."""
        printed = self.output(
            "classify-text", "-", "--model", self.folder, "--precision", precision, "--json", lines=texts)
        rows = [json.loads(line)["predictions"] for line in printed.splitlines()]
        return np.array([next(entry["score"] for entry in row if entry["label"] == "positive") for row in rows])

    def quantized(self, folder):
        """An engine for the int8 form of the model, which it writes into `folder`."""
        self.output("quantize", self.folder, str(folder), "--to", "int8", "--force")
        return Engine(self.program, folder)

    def ids(self, texts):
        return [json.loads(line) for line in self.output("tokenize", "--model", self.folder, lines=texts).splitlines()]

    def logits(self, ids, mask):
        with tempfile.TemporaryDirectory() as name:
            scratch = Path(name)
            np.save(scratch / "ids.npy", ids)
            np.save(scratch / "mask.npy", mask)
            self.output(
                "run", self.folder, "--input", f"input_ids={scratch / 'ids.npy'}", "--input",
                f"attention_mask={scratch / 'mask.npy'}", "--output-dir", str(scratch / "out"))
            return np.load(scratch / "out" / "0.npy")


def parity(engine, texts):
    """Texts whose ids differ from transformers', and the largest difference of a logit at float32."""
    import torch
    from transformers import AutoTokenizer, BertForSequenceClassification

    tokenizer = AutoTokenizer.from_pretrained(engine.folder)
    model = BertForSequenceClassification.from_pretrained(engine.folder, dtype=torch.float32).eval()
    own = engine.ids(texts)
    theirs = [tokenizer(text, truncation=True)["input_ids"] for text in texts]
    batch = tokenizer(list(texts), padding=True, truncation=True, return_tensors="pt")
    with torch.no_grad():
        expected = model(batch["input_ids"], attention_mask=batch["attention_mask"]).logits.numpy()
    logits = engine.logits(batch["input_ids"].numpy(), batch["attention_mask"].numpy())
    return {
        "ids_differing": sum(a != b for a, b in zip(own, theirs, strict=True)),
        "largest_difference": float(np.abs(logits - expected).max()),
        "positive": expected.argmax(1)}
