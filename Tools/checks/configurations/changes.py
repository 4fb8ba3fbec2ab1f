"""One change of one file of a folder."""
import copy
import dataclasses
import json
import pathlib


class ABSENT:
    """The value of a file, or of a key, that is taken away."""


@dataclasses.dataclass(frozen=True)
class Replaced:
    """The value of a file whose text is changed."""
    old: str
    new: str


@dataclasses.dataclass(frozen=True)
class Change:
    file: str
    # A dotted path, with indices of lists; empty for the whole file.
    key: str
    value: object

    def __str__(self):
        if self.value is ABSENT:
            return f"{self.file} {self.key} taken away"
        if isinstance(self.value, Replaced):
            return f"{self.file} with {self.value.new!r} for {self.value.old!r}"
        return f"{self.file} {self.key} = {json.dumps(self.value, ensure_ascii=False)[:60]}"

    def apply(self, folder: pathlib.Path):
        """Makes the change in a copy of a folder; False when there is nothing to change."""
        path = folder / self.file
        if self.value is ABSENT:
            return _take_away(path, self.key)
        if isinstance(self.value, Replaced):
            before = path.read_bytes()
            path.write_bytes(before.replace(self.value.old.encode(), self.value.new.encode()))
            return path.read_bytes() != before
        value = resolved(self.value, folder)
        if not self.key:
            path.parent.mkdir(exist_ok=True)
            if self.file.startswith("sentence_"):
                (folder / "sentence_bert_config.json").unlink(missing_ok=True)
            path.write_text(json.dumps(value))
            return True
        if not path.exists():
            return False
        document = json.loads(path.read_text())
        before = copy.deepcopy(document)
        if not _put(document, self.key, copy.deepcopy(value)) or document == before:
            return False
        path.write_text(json.dumps(document, ensure_ascii=False))
        return True


def _take_away(path, key):
    if not path.exists():
        return False
    if not key:
        path.unlink()
        return True
    document = json.loads(path.read_text())
    if key not in document:
        return False
    del document[key]
    path.write_text(json.dumps(document, ensure_ascii=False))
    return True


def _put(document, path, value):
    """Sets the value at a dotted path; False when there is no such place."""
    *parents, last = path.split(".")
    for part in parents:
        if isinstance(document, list):
            if int(part) >= len(document):
                return False
            document = document[int(part)]
        elif isinstance(document.get(part), (dict, list)):
            document = document[part]
        else:
            return False
    if not isinstance(document, dict):
        return False
    document[last] = value
    return True


def _vocabulary_size(folder):
    if (folder / "tokenizer.json").exists():
        return len(json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"])
    if (folder / "vocab.json").exists():
        return len(json.loads((folder / "vocab.json").read_text()))
    if (folder / "vocab.txt").exists():
        return len((folder / "vocab.txt").read_text().splitlines())
    return 100


def resolved(value, folder):
    """Fills in what depends on the folder's vocabulary: `NEXT` is a word behind it, `MASK` the flags of all added tokens
    with some of the last one's changed, `TAKE6` the piece of id 6."""
    if value == "NEXT":
        return {"zebra": _vocabulary_size(folder)}
    if not (isinstance(value, dict) and (folder / "tokenizer.json").exists()):
        return value
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    vocabulary = tokenizer["model"]["vocab"]
    result = {}
    for key, inner in value.items():
        if key == "MASK":
            for token in tokenizer["added_tokens"]:
                flags = {name: flag for name, flag in token.items() if name != "id"}
                result[str(token["id"])] = {**flags, **(inner if token is tokenizer["added_tokens"][-1] else {})}
        elif isinstance(inner, dict) and inner.get("content") == "TAKE6" and isinstance(vocabulary, dict):
            result["6"] = {**inner, "content": next(piece for piece, number in vocabulary.items() if number == 6)}
        else:
            result[key] = inner
    return result
