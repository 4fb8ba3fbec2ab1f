"""The stages from text to card; each keeps its result in the work folder and is not run again where that stands."""

import pickle
import time
from dataclasses import dataclass
from pathlib import Path

import torch

from . import card, data, distillation, everyday, export, leak, lessons, student, teacher, tokenizer
from .batches import encode
from .engine import Engine
from .evaluation import evaluate
from .progress import say

VALIDATION = 800
"""Sentences."""

SPELLED = 2_000
"""Sentences without an opinion from which the vocabulary is made too."""


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
        guard = everyday.guard(example.texts[0] for example in corpus.development + corpus.test)
        master, taught = self.stage(
            "teacher", lambda: teacher.train(
                lessons.for_teacher(corpus, guard, self.seed), corpus.validation, self.seed).state_dict())
        opinions, read = self.stage("opinions", lambda: self.opinions(corpus, master, guard))
        texts, logits, embeddings, master_right = opinions
        words = self.vocabulary(corpus, guard)
        state, trained = self.stage(
            "student", lambda: distillation.train(corpus, words, texts, logits, embeddings, self.seed).state_dict())
        model = student.Student(words.get_vocab_size(), embeddings.shape[1])
        model.load_state_dict(state)
        self.exported(model, words, corpus)
        engine, small = Engine(self.program, self.out), self.out.with_name(self.out.name + "-int8")
        results = evaluate(engine, engine.quantized(small), corpus, self.seed)
        results["teacher_validation"] = master_right
        results["sentences"] = len(texts)
        results["leak"] = leak.counts(corpus, texts)
        results["seconds"] = {"teacher": taught, "its opinions": read, "student": trained}
        card.write(self.out, small, results, corpus, self.seed)
        say(f"SST-2 dev: {results['sst2_dev']['f32']['right']} of {results['sst2_dev']['f32']['count']} right at f32")

    def vocabulary(self, corpus, guard):
        texts = [text for example in corpus.training for text in example.texts]
        return tokenizer.train(
            texts + everyday.neutral(SPELLED, self.seed, guard), student.VOCABULARY, student.LONGEST)

    def opinions(self, corpus, state, guard):
        """All texts the student learns from, their logits and embeddings, and the teacher's own accuracy."""
        model = teacher.Teacher(teacher.folder())
        model.load_state_dict(state)
        embedding = model.encoder.embeddings.word_embeddings.weight.detach()
        taught = lessons.for_student(corpus, embedding, guard, self.seed)
        read = sorted({lesson.opinion_of for lesson in taught})
        logits, embeddings = teacher.predict(model, read)
        place = {text: index for index, text in enumerate(read)}
        rows = [place[lesson.opinion_of] for lesson in taught]
        logits, embeddings = logits[rows], embeddings[rows]
        logits[torch.tensor([lesson.neutral for lesson in taught])] = 0
        validation, _ = teacher.predict(model, [example.texts[0] for example in corpus.validation], "teacher is tested")
        right = teacher.accuracy(validation, corpus.validation)
        return [lesson.text for lesson in taught], logits, embeddings, right

    def exported(self, model, words, corpus):
        """Fits the temperature on the validation sentences and writes the folder."""
        rows = encode(words, [example.texts[0] for example in corpus.validation])
        labels = torch.tensor([example.label for example in corpus.validation])
        scale = export.temperature(student.predict(model, rows), labels)
        say(f"temperature {scale:.3f}")
        export.export(model, words, scale, self.out)
