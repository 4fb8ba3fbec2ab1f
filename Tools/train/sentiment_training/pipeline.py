"""The stages from text to card; each keeps its result in the work folder and is not run again where that stands."""

import pickle
import time
from dataclasses import dataclass
from pathlib import Path

import torch

from . import augmentation, card, data, distillation, export, student, teacher, tokenizer
from .batches import encode
from .engine import Engine
from .evaluation import evaluate
from .progress import say

VALIDATION = 800
"""Sentences."""

AUGMENTED = 120_000


@dataclass
class Pipeline:
    data: Path
    work: Path
    out: Path
    program: Path
    seed: int

    def stage(self, name, make):
        """The result of a stage and the seconds it took to make."""
        path = self.work / f"{name}.pickle"
        if path.exists():
            say(f"{name}: from {path}")
            return pickle.loads(path.read_bytes())
        started = time.time()
        result = make()
        seconds = time.time() - started
        path.write_bytes(pickle.dumps((result, seconds)))
        say(f"{name}: {seconds:.0f} s")
        return result, seconds

    def run(self):
        self.work.mkdir(parents=True, exist_ok=True)
        corpus, _ = self.stage("corpus", lambda: data.load(self.data, VALIDATION, self.seed))
        say(f"corpus: {len(corpus.training)} to train on, {len(corpus.validation)} to validate")
        master, taught = self.stage("teacher", lambda: self.taught(corpus))
        opinions, read = self.stage("opinions", lambda: self.opinions(corpus, master))
        texts, logits, embeddings, master_right = opinions
        words = tokenizer.train(corpus, student.VOCABULARY, student.LONGEST)
        state, trained = self.stage(
            "student", lambda: distillation.train(corpus, words, texts, logits, embeddings, self.seed).state_dict())
        model = student.Student(words.get_vocab_size(), embeddings.shape[1])
        model.load_state_dict(state)
        self.exported(model, words, corpus)
        engine, small = Engine(self.program, self.out), self.out.with_name(self.out.name + "-int8")
        results = evaluate(engine, engine.quantized(small), corpus)
        results["teacher_validation"] = master_right
        results["sentences"] = len(texts)
        results["seconds"] = {"teacher": taught, "its opinions": read, "student": trained}
        card.write(self.out, small, results, corpus, self.seed)
        say(f"SST-2 dev: {results['sst2_dev']['f32']['right']} of {results['sst2_dev']['f32']['count']} right at f32")

    def taught(self, corpus):
        return teacher.train(corpus, self.seed).state_dict()

    def opinions(self, corpus, state):
        """All texts the student learns from, the teacher's logits and embeddings of them, and its own accuracy."""
        model = teacher.Teacher(teacher.folder())
        model.load_state_dict(state)
        originals = sorted({text for example in corpus.training for text in example.texts})
        embedding = model.encoder.embeddings.word_embeddings.weight.detach()
        words = {word for text in originals for word in data.words(text)}
        neighbours, vocabulary = augmentation.stand_ins(embedding, teacher.tokenizer(), words)
        made = augmentation.Augmenter(originals, neighbours, self.seed).texts_made(AUGMENTED)
        texts = originals + made + vocabulary
        logits, embeddings = teacher.predict(model, texts)
        validation, _ = teacher.predict(model, [example.texts[0] for example in corpus.validation], "teacher is tested")
        return texts, logits, embeddings, teacher.accuracy(validation, corpus.validation)

    def exported(self, model, words, corpus):
        """Fits the temperature on the validation sentences and writes the folder."""
        rows = encode(words, [example.texts[0] for example in corpus.validation])
        labels = torch.tensor([example.label for example in corpus.validation])
        scale = export.temperature(student.predict(model, rows), labels)
        say(f"temperature {scale:.3f}")
        export.export(model, words, scale, self.out)
