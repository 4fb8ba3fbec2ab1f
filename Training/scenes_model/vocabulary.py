"""The SentencePiece vocabulary of the grammar's sentences, used as `SiglipTokenizer` uses one."""
import collections
import json
import math
import pathlib
import re
import string

import numpy
import sentencepiece
from sentencepiece import sentencepiece_model_pb2

from . import sampling
from .grammar import Grammar
from .scene import training_scene

LENGTH = 20
UNKNOWN, END = "<unk>", "</s>"
#: A letter's score is far below a word's: only unknown words are spelled.
LETTER = -16.0


def train(folder, seed, sentences=20000):
    """Writes `spiece.model` and the files that name the tokenizer; `</s>` ends a text and pads it.

    The model is a unigram language model whose pieces are the grammar's words, with the logarithms of their relative
    frequencies, and single letters and digits.
    """
    random = numpy.random.default_rng((seed, 1))
    grammar, counts = Grammar(random, nonsense=False), collections.Counter()
    for _ in range(sentences):
        counts.update(cleaned(grammar.sentence(sampling.said_of(training_scene(random), random))).split(" "))
    total = counts.total()
    words = [(f"▁{word}", math.log(count / total))
             for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    known = {piece for piece, _ in words}
    letters = [(piece, LETTER) for piece in "▁" + string.ascii_lowercase + string.digits if piece not in known]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spiece.model").write_bytes(unigram_model(words + letters).SerializeToString())
    write(folder / "tokenizer_config.json", {
        "tokenizer_class": "SiglipTokenizer", "model_max_length": LENGTH, "do_lower_case": True, "eos_token": END,
        "pad_token": END, "unk_token": UNKNOWN})
    write(folder / "special_tokens_map.json", {"eos_token": END, "pad_token": END, "unk_token": UNKNOWN})


def unigram_model(pieces):
    """- pieces: pairs of a piece and its score, from id 3."""
    model = sentencepiece_model_pb2.ModelProto()
    kinds = sentencepiece_model_pb2.ModelProto.SentencePiece
    for piece, kind in (("<pad>", kinds.CONTROL), (END, kinds.CONTROL), (UNKNOWN, kinds.UNKNOWN)):
        model.pieces.add(piece=piece, score=0.0, type=kind)
    for piece, score in pieces:
        model.pieces.add(piece=piece, score=score)
    specification = model.trainer_spec
    specification.model_type = sentencepiece_model_pb2.TrainerSpec.UNIGRAM
    specification.vocab_size = len(model.pieces)
    specification.pad_id, specification.eos_id, specification.unk_id, specification.bos_id = 0, 1, 2, -1
    model.normalizer_spec.name = "identity"
    return model


def write(path, value):
    path.write_text(json.dumps(value, indent=1) + "\n")


def cleaned(text):
    """As `SiglipTokenizer` does: lower case, no punctuation, single spaces."""
    text = text.lower().translate(str.maketrans("", "", string.punctuation))
    return re.sub(r"\s+", " ", text).strip()


class Vocabulary:
    """Ids of sentences, word by word, since no piece goes over a space."""

    def __init__(self, folder):
        self.pieces = sentencepiece.SentencePieceProcessor(model_file=str(pathlib.Path(folder) / "spiece.model"))
        self.words = {}

    def __len__(self):
        return len(self.pieces)

    def add(self, words):
        """Gives each row of words an id after the last one, for training only."""
        for row, forms in enumerate(words):
            self.words.update({form: [len(self) + row] for form in forms})

    def pieces_of(self, text):
        ids = []
        for word in cleaned(text).split():
            if word not in self.words:
                self.words[word] = self.pieces.encode(word)
            ids += self.words[word]
        return ids

    def ids(self, text):
        ids = self.pieces_of(text)
        return ids[:LENGTH - 1] + [1] * max(1, LENGTH - len(ids))

    def batch(self, texts):
        return numpy.array([self.ids(text) for text in texts], numpy.int64)
