"""Models by what they do: vectors, classes, labels of one's own, the order of documents."""

from __future__ import annotations

import json
import math
import os
import time
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

from . import _engine, _native
from ._calls import CallOptions, CancelToken, in_background, interruptible
from ._numpy import numpy_or_none
from ._open import Opened, fingerprint, keep, opened, settings_json, verify
from ._pictures import PictureSource, is_picture, listed, picture
from ._progress import Bar
from ._tensors import new_array, view
from .errors import ArgumentError, ArgumentTypeError, CancelledError, ClosedError, UnsupportedModelError
from .results import Classification, Ranking

__all__ = ["Model", "similarity"]

T = TypeVar("T")

TEXT_EMBEDDING, IMAGE_EMBEDDING = "text-embedding", "image-embedding"
TEXT_CLASSES, IMAGE_CLASSES = "text-classification", "image-classification"
ZERO_SHOT, TENSORS = "zero-shot-image-classification", "tensors"

#: Tasks by the names that transformers has for them.
_TASKS = {
    "feature-extraction": TEXT_EMBEDDING, "sentence-similarity": TEXT_EMBEDDING, TEXT_EMBEDDING: TEXT_EMBEDDING,
    "image-feature-extraction": IMAGE_EMBEDDING, IMAGE_EMBEDDING: IMAGE_EMBEDDING,
    "sentiment-analysis": TEXT_CLASSES, "text-ranking": TEXT_CLASSES, "rerank": TEXT_CLASSES, TEXT_CLASSES: TEXT_CLASSES,
    IMAGE_CLASSES: IMAGE_CLASSES, ZERO_SHOT: ZERO_SHOT,
}  # fmt: skip

#: Settings that every task takes.
_COMMON = ("precision", "threads", "variant")

#: Characters of a call's texts, above which the call may take long enough that somebody wants to interrupt it.
_LONG = 4096
#: Seconds of a call after which the next one like it is made so that it can be interrupted.
_SLOW = 0.05


class Model:
    """A model that is open, with everything that it can do.

    >>> model = Model("sentence-transformers/all-MiniLM-L6-v2", precision="int8")   # doctest: +SKIP
    >>> model.encode(["a quick bird", "a swift"]).shape                             # doctest: +SKIP
    (2, 384)

    Its methods may be called from any thread, and several at a time. A model is pickled by its name and settings: whoever
    unpickles it opens it again when it is first used, once for each process.

    Args:
        name_or_path: a ``.tflite`` or ``.onnx`` file, a folder, or the name of a repository in the local Hugging Face
            cache. Nothing is downloaded.
        precision: ``f32``, ``bf16`` or ``int8``: how products are computed. None for the model's own.
        task: for a model that can be read in more ways than one: ``text-embedding``, ``image-embedding``,
            ``text-classification``, ``image-classification`` or ``zero-shot-image-classification``.
        threads: of one call at most. ``OMP_NUM_THREADS``, ``APUS_POOL_SIZE``, the processors that the process may use and
            the quota of its control group are limits, too.
        variant: which ONNX files of a folder are run, such as ``int8``.
        settings: any other setting of the library by its name, such as ``labels="labels.txt"``, ``threshold=0.8``,
            ``preprocessing="imagenet"``, ``text_model="..."``. :meth:`settings` lists those of the model.

    Raises:
        MissingFileError: there is no such file or folder, and no repository of that name in the cache.
        UnsupportedModelError: the model asks for something that Apus does not do.
        MalformedModelError: its files are damaged.
        ArgumentError: a setting is not known, or its value cannot be.
    """

    def __init__(
        self, name_or_path: Union[str, "os.PathLike[str]"], *, precision: Optional[str] = None,
        task: Optional[str] = None, threads: Optional[int] = None, variant: Optional[str] = None, **settings: Any,
    ) -> None:  # fmt: skip
        said = {"precision": precision, "threads": threads, "variant": variant, **settings}
        self._prepare(_engine.path_of(name_or_path), _task(task), said)
        first = self._only_task()
        if first is not None:
            self._opened(first)

    def _prepare(self, path: str, task: Optional[str], settings: Mapping[str, Any]) -> None:
        self._path = path
        self._asked = task
        self._settings = {key: value for key, value in settings.items() if value is not None}
        self._expected: Optional[str] = None
        self._keeps = False
        self._closed = False
        self._tasks: Optional[Tuple[str, ...]] = None
        self._open: Dict[Tuple[str, str], Opened] = {}
        self._slow = False
        self._activation: Optional[str] = None
        settings_json(self._settings)

    # What the model is

    @property
    def path(self) -> str:
        """What it was opened by."""
        return self._path

    @property
    def tasks(self) -> Tuple[str, ...]:
        """What it can do, by the names of the library."""
        if self._tasks is None:
            towers: Dict[str, Any] = {
                key: self._settings[key] for key in ("text_model", "logit_scale", "logit_bias") if key in self._settings
            }
            found = _native.take_json(
                _native.native().apus_tasks_json, os.fsencode(self._path),
                settings_json(towers).encode() if "text_model" in towers else None, file=self._path,
            )  # fmt: skip
            self._tasks = tuple(found)
        return self._tasks

    def _only_task(self) -> Optional[str]:
        if self._asked is not None:
            return self._asked
        told = [task for task in self.tasks if task != TENSORS]
        return told[0] if len(told) == 1 else None

    @property
    def description(self) -> Dict[str, Any]:
        """What the library knows of it: computation, notes, times of loading, memory, and what belongs to its task."""
        return self._opened(self._main_task()).fresh_description()

    def _main_task(self) -> str:
        task = self._only_task()
        if task is not None:
            return task
        for task in (ZERO_SHOT, TEXT_EMBEDDING, IMAGE_EMBEDDING, TEXT_CLASSES, IMAGE_CLASSES, TENSORS):
            if task in self.tasks:
                return task
        raise UnsupportedModelError("a model without anything that Apus does", self._path)

    @property
    def labels(self) -> List[str]:
        """The names of a classifier's classes; empty for other models."""
        return list(self._opened(self._main_task()).description.get("labels") or [])

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self._width(self._opened(self._embedding_task()))

    @property
    def max_seq_length(self) -> Optional[int]:
        """Tokens of a text, special ones included, at most; what is beyond is cut. None for a model that takes none."""
        for task in (TEXT_EMBEDDING, TEXT_CLASSES):
            if task in self.tasks:
                found = self._opened(task).description.get("maximum_tokens")
                return None if found is None else int(found)
        return None

    @property
    def prompt_names(self) -> List[str]:
        """The prompts that texts may have before them (``encode(..., prompt_name=)``)."""
        if TEXT_EMBEDDING not in self.tasks:
            return []
        return list(self._opened(TEXT_EMBEDDING).description.get("prompts") or [])

    def get_sentence_embedding_dimension(self) -> int:
        """:attr:`dimension`, by sentence-transformers' name."""
        return self.dimension

    def settings(self) -> Dict[str, Any]:
        """The settings that the model's tasks take, with their kinds."""
        known: Dict[str, Any] = {}
        for task in self.tasks:
            known.update(_known_settings().get(task, {}))
        return known

    def close(self) -> None:
        """Gives the model up. Calls that are under way end; later ones raise ``ClosedError``."""
        self._closed = True
        self._open = {}

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *details: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        name = os.path.basename(self._path.rstrip("/")) or self._path
        if self._closed:
            return f"<Model {name!r}, closed>"
        if not self._open:
            return f"<Model {name!r}, opened by its first use>"
        about = next(iter(self._open.values())).description
        parts = [f"<Model {name!r}: {self._asked or ', '.join(task for task in self.tasks if task != TENSORS) or TENSORS}"]
        if about.get("width"):
            parts.append(f"{about['width']} numbers a vector")
        if about.get("labels") and "classification" in str(about.get("task")):
            parts.append(f"{len(about['labels'])} classes")
        if "precision" in self._settings:
            parts.append(str(self._settings["precision"]))
        return ", ".join(parts) + ">"

    # Copies in other processes

    def __reduce__(self) -> Tuple[Any, ...]:
        return _unpickled, (type(self), *self._state())

    def _state(self) -> Tuple[str, Optional[str], Dict[str, Any], Optional[str]]:
        path = os.path.abspath(self._path) if os.path.exists(self._path) else self._path
        return path, self._asked, dict(self._settings), self._expected or fingerprint(path)

    def _restore(self, path: str, task: Optional[str], settings: Mapping[str, Any], digest: Optional[str]) -> None:
        self._prepare(path, task, settings)
        self._expected = digest
        self._keeps = True

    # Opening

    def _opened(self, task: str, more: Optional[Mapping[str, Any]] = None, call: Optional[CallOptions] = None) -> Opened:
        if self._closed:
            raise ClosedError("the model is closed", self._path)
        key = (task, "" if more is None else settings_json(more))
        found = self._open.get(key)
        if found is not None:
            return found
        if self._asked is None and task not in self.tasks:
            raise UnsupportedModelError(f"a model for {' and '.join(self.tasks)}, expected one for {task}", self._path)
        if self._expected is not None:
            verify(self._path, self._expected)
        model = opened(self._path, task, settings_json({**self._settings_of(task), **(more or {})}), call)
        if self._keeps:
            keep(model)
        self._open[key] = model
        return model

    def _settings_of(self, task: str) -> Dict[str, Any]:
        """The settings that concern a task; one that concerns none of the model's is left for the library to refuse."""
        others = [key for key in self._settings if key not in _COMMON]
        if not others:
            return self._settings
        known = _known_settings()
        mine = known.get(task, {})
        elsewhere = {key for each in self.tasks for key in known.get(each, {})}
        return {key: value for key, value in self._settings.items() if key in _COMMON or key in mine or key not in elsewhere}

    # Vectors

    def encode(
        self, inputs: Any, *, prompt_name: Optional[str] = None, prompt: Optional[str] = None, batch_size: int = 32,
        show_progress_bar: bool = False, convert_to_numpy: bool = True, convert_to_tensor: bool = False,
        normalize_embeddings: bool = False, on_error: str = "raise", cancel: Optional[CancelToken] = None,
    ) -> Any:  # fmt: skip
        """Vectors of texts or pictures, as ``SentenceTransformer.encode`` gives them.

        Args:
            inputs: a text, a picture, or a list of either. A picture is a ``pathlib.Path``, the bytes of a file, an array
                uint8 [height, width, channels] or an image of Pillow. A ``str`` is a text, and the path of a picture only
                for a model that reads no texts.
            prompt_name: one of :attr:`prompt_names`, which stands before each text.
            prompt: words that stand before each text, whatever the model has.
            batch_size: taken as others take it. It changes nothing: texts of like length are run together, as many as fit
                a budget of tokens, and come back in their order.
            show_progress_bar: whether a bar is drawn on standard error.
            convert_to_numpy: False gives lists of numbers.
            convert_to_tensor: True gives a tensor of PyTorch.
            normalize_embeddings: whether vectors are brought to length 1, which some models do by themselves.
            on_error: ``raise`` ends the call with the first input that fails; ``null`` makes its vector NaN.
            cancel: stops the call.

        Returns:
            float32 [inputs, width]; [width] for a single input. Without NumPy a ``memoryview`` of that shape.

        Raises:
            ArgumentTypeError: an input is neither a text nor a picture.
            ImageError, FileError: a picture cannot be read.
            CancelledError: the call was stopped.
        """
        vectors, _, single = self._encoded(
            inputs, prompt_name, prompt, normalize_embeddings, _tolerates(on_error), show_progress_bar, cancel
        )
        _positive("batch_size", batch_size)
        return _converted(vectors, single, convert_to_numpy, convert_to_tensor)

    def encode_query(self, inputs: Any, **options: Any) -> Any:
        """:meth:`encode` with the model's prompt for texts to search with, where it has one."""
        return self.encode(inputs, **self._prompting(options, ("query", "search_query")))

    def encode_document(self, inputs: Any, **options: Any) -> Any:
        """:meth:`encode` with the model's prompt for texts to be found, where it has one."""
        return self.encode(inputs, **self._prompting(options, ("document", "passage", "corpus", "search_document")))

    def _prompting(self, options: Dict[str, Any], names: Sequence[str]) -> Dict[str, Any]:
        if options.get("prompt_name") is None and options.get("prompt") is None:
            options["prompt_name"] = next((name for name in names if name in self.prompt_names), None)
        return options

    async def aencode(self, inputs: Any, *, cancel: Optional[CancelToken] = None, **options: Any) -> Any:
        """:meth:`encode` without blocking the event loop; a task that is cancelled stops it."""
        return await in_background(lambda token: self.encode(inputs, cancel=token, **options), cancel)

    def encode_with_errors(
        self, inputs: Sequence[Any], *, prompt_name: Optional[str] = None, normalize_embeddings: bool = False,
        cancel: Optional[CancelToken] = None,
    ) -> Tuple[Any, List[Optional[Exception]]]:  # fmt: skip
        """Vectors of several inputs, NaN for those that fail, and beside each what went wrong with it, or None."""
        vectors, errors, single = self._encoded(inputs, prompt_name, None, normalize_embeddings, True, False, cancel)
        if single:
            raise ArgumentTypeError("one input, expected a list of such", "inputs")
        return vectors, errors

    def _encoded(
        self, inputs: Any, prompt_name: Optional[str], prompt: Optional[str], unit: bool, tolerant: bool, bar: bool,
        cancel: Optional[CancelToken],
    ) -> Tuple[Any, List[Optional[Exception]], bool]:  # fmt: skip
        values, single = listed(inputs, "inputs")
        if prompt is not None and prompt_name is not None:
            raise ArgumentError("both a prompt and the name of one", "prompt_name")
        texts_too = self._takes_texts()
        pictures = [place for place, value in enumerate(values) if is_picture(value) or not texts_too]
        if pictures and len(pictures) < len(values):
            return self._mixed(values, pictures, prompt_name, prompt, unit, tolerant, bar, cancel)
        task = IMAGE_EMBEDDING if pictures else self._embedding_task()
        if (prompt is not None or prompt_name is not None) and pictures:
            raise ArgumentError("a prompt for pictures, expected texts", "prompt")
        model = self._opened(task, {"length": "unit"} if unit else None)
        width = self._width(model)
        vectors, address = new_array("float32", (len(values), width))
        if not values:
            return vectors, [], single
        token = cancel or CancelToken()
        sources, bad = _sources(values, tolerant) if pictures else _texts(values, prompt, tolerant)
        good = [place for place, error in enumerate(bad) if error is None]
        rows, target = (vectors, address) if len(good) == len(values) else new_array("float32", (len(good), width))
        asked = "" if prompt is not None else prompt_name
        threads = _engine.thread_count(self._settings.get("threads"))
        with Bar("Embedding", len(values), bar) as shown:

            def work() -> List[Optional[Exception]]:
                if pictures:
                    return _engine.embed_images(model.pointer, sources, target, width, threads, token, shown.progress, tolerant)
                return _engine.embed_texts(model.pointer, sources, asked, target, width, token, shown.progress, tolerant)

            errors = self._timed(work, token, bool(pictures) or _is_long(sources)) if good else []
        if rows is not vectors:
            _scatter(vectors, rows, good)
            _blank(vectors, [place for place, error in enumerate(bad) if error is not None])
        for place, error in zip(good, errors):
            bad[place] = error
        return vectors, bad, single

    def _mixed(
        self, values: Sequence[Any], pictures: Sequence[int], prompt_name: Optional[str], prompt: Optional[str],
        unit: bool, tolerant: bool, bar: bool, cancel: Optional[CancelToken],
    ) -> Tuple[Any, List[Optional[Exception]], bool]:  # fmt: skip
        """Texts and pictures in one list."""
        chosen = set(pictures)
        texts = [place for place in range(len(values)) if place not in chosen]
        width = self._width(self._opened(self._embedding_task()))
        vectors, _ = new_array("float32", (len(values), width))
        found: List[Optional[Exception]] = [None] * len(values)
        for places, name, words in ((texts, prompt_name, prompt), (pictures, None, None)):
            rows, errors, _ = self._encoded([values[place] for place in places], name, words, unit, tolerant, bar, cancel)
            _scatter(vectors, rows, places)
            for place, error in zip(places, errors):
                found[place] = error
        return vectors, found, False

    def _takes_texts(self) -> bool:
        if self._asked in (IMAGE_EMBEDDING, IMAGE_CLASSES):
            return False
        return TEXT_EMBEDDING in self.tasks or TEXT_CLASSES in self.tasks

    def _embedding_task(self) -> str:
        if self._asked in (TEXT_EMBEDDING, IMAGE_EMBEDDING):
            return self._asked
        if TEXT_EMBEDDING in self.tasks:
            return TEXT_EMBEDDING
        return IMAGE_EMBEDDING

    def _width(self, model: Opened) -> int:
        found = model.description.get("width")
        if found is None:
            raise UnsupportedModelError("a model that gives no vectors", self._path)
        return int(found)

    def _timed(self, work: Callable[[], T], token: CancelToken, is_long: bool) -> T:
        """What ``work`` gives, so that it can be interrupted where it may take long."""
        if token.is_cancelled:
            raise CancelledError("the call was cancelled before it began")
        if is_long or self._slow:
            return interruptible(work, token)
        start = time.perf_counter()
        found = work()
        self._slow = time.perf_counter() - start > _SLOW
        return found

    def similarity(self, a: Any, b: Any) -> Any:
        """Cosines of the rows of ``a`` with those of ``b``: see :func:`similarity`."""
        return similarity(a, b)

    # Classes

    def classify(
        self, inputs: Any, *, top_k: Optional[int] = 5, show_progress_bar: bool = False, on_error: str = "raise",
        cancel: Optional[CancelToken] = None,
    ) -> Any:  # fmt: skip
        """Classes with their scores, the best first, as a pipeline of transformers gives them.

        Args:
            inputs: a text, a picture, a pair of texts ``{"text": ..., "text_pair": ...}``, or a list of such; as
                :meth:`encode` takes them.
            top_k: how many classes; None for all.
            show_progress_bar: whether a bar is drawn on standard error.
            on_error: ``raise`` ends the call with the first input that fails; ``null`` gives None for it.
            cancel: stops the call.

        Returns:
            for one input a list of ``{"label": ..., "score": ...}``, which has ``uncertain`` and ``reason`` too; for a list
            of inputs a list of such.
        """
        tolerant = _tolerates(on_error)
        if isinstance(inputs, dict):
            values, single = [inputs], True
        else:
            values, single = listed(inputs, "inputs")
        most = _most(top_k)
        token = cancel or CancelToken()
        reads_texts = self._takes_texts() and not any(is_picture(value) for value in values)
        with Bar("Classifying", len(values), show_progress_bar) as shown:
            if not values:
                return []
            if reads_texts:
                model = self._opened(TEXT_CLASSES)
                pairs = [_pair(value) for value in values]

                def read() -> List[Optional[Classification]]:
                    if all(pair is not None for pair in pairs):
                        both = [pair for pair in pairs if pair is not None]
                        return _engine.classify_pairs(model.pointer, both, most, token, shown.progress, tolerant)
                    return _engine.classify_texts(model.pointer, values, most, token, shown.progress, tolerant)

                found = self._timed(read, token, any(pairs) or _is_long(values))
            else:
                task = self._asked or (IMAGE_CLASSES if IMAGE_CLASSES in self.tasks else ZERO_SHOT)
                found = self._scored(self._opened(task), values, None, None, most, tolerant, shown, token)
        return found[0] if single else found

    async def aclassify(self, inputs: Any, *, cancel: Optional[CancelToken] = None, **options: Any) -> Any:
        """:meth:`classify` without blocking the event loop."""
        return await in_background(lambda token: self.classify(inputs, cancel=token, **options), cancel)

    def zero_shot(
        self, inputs: Any, labels: Sequence[str], *, templates: Union[None, str, Sequence[str]] = None,
        scoring: Optional[str] = None, logit_scale: Optional[float] = None, logit_bias: Optional[float] = None,
        top_k: Optional[int] = None, show_progress_bar: bool = False, on_error: str = "raise",
        cancel: Optional[CancelToken] = None,
    ) -> Any:  # fmt: skip
        """Scores of labels of one's own for pictures, the best first, as ``zero-shot-image-classification`` gives them.

        Args:
            inputs: a picture, or a list of such. A ``str`` is a path here.
            labels: each once. Their vectors are computed once and kept.
            templates: a sentence with ``{}`` where the label goes, or several, whose mean counts. None for the model's own.
            scoring: ``softmax`` or ``sigmoid``; None for what the model was trained for.
            logit_scale: what cosines are multiplied by; None for the model's own.
            logit_bias: what is added then; None for the model's own.
            top_k: how many labels; None for all.
            show_progress_bar: whether a bar is drawn on standard error.
            on_error: ``raise`` or ``null``, as of :meth:`classify`.
            cancel: stops the call.

        Returns:
            as of :meth:`classify`.
        """
        values, single = listed(inputs, "inputs")
        if isinstance(labels, str):
            raise ArgumentTypeError("a str, expected a list of labels", "labels", "Write ['a cat', 'a dog'].")
        names = list(labels)
        if not names:
            raise ArgumentError("no labels, expected one at least", "labels")
        more: Optional[Dict[str, Any]] = None
        if templates is not None:
            more = {"templates": [templates] if isinstance(templates, str) else list(templates)}
        said = {"score": scoring, "logit_scale": logit_scale, "logit_bias": logit_bias}
        reading = settings_json(said) if any(value is not None for value in said.values()) else None
        token = cancel or CancelToken()
        most = _most(top_k)
        model = self._opened(ZERO_SHOT, more)
        with Bar("Classifying", len(values), show_progress_bar) as shown:
            found = self._scored(model, values, names, reading, most, _tolerates(on_error), shown, token)
        return found[0] if single else found

    async def azero_shot(
        self, inputs: Any, labels: Sequence[str], *, cancel: Optional[CancelToken] = None, **options: Any
    ) -> Any:
        """:meth:`zero_shot` without blocking the event loop."""
        return await in_background(lambda token: self.zero_shot(inputs, labels, cancel=token, **options), cancel)

    def _scored(
        self, model: Opened, values: Sequence[Any], labels: Optional[Sequence[str]], reading: Optional[str],
        top_k: int, tolerant: bool, bar: Bar, token: CancelToken,
    ) -> List[Optional[Classification]]:  # fmt: skip
        sources, bad = _sources(values, tolerant)
        threads = _engine.thread_count(self._settings.get("threads"))

        def work() -> List[Optional[Classification]]:
            return _engine.score_images(model.pointer, sources, labels, reading, top_k, threads, token, bar.progress, tolerant)

        found = iter(self._timed(work, token, True) if sources else [])
        return [None if error is not None else next(found) for error in bad]

    # Order

    def rerank(
        self, query: str, documents: Sequence[str], *, top_k: Optional[int] = None, return_documents: bool = False,
        cancel: Optional[CancelToken] = None,
    ) -> Ranking:  # fmt: skip
        """The documents that answer a query best, the best first, as ``CrossEncoder.rank`` gives them.

        A model that embeds texts orders them by cosines.

        Args:
            query: what is asked.
            documents: what may answer it.
            top_k: how many; None for all.
            return_documents: whether each entry has its ``text``.
            cancel: stops the call.

        Returns:
            a list of ``{"corpus_id": place among the documents, "score": ...}``.
        """
        if not isinstance(query, str):
            raise ArgumentTypeError(f"a value of type {type(query).__name__}, expected a str", "query")
        if isinstance(documents, str):
            raise ArgumentTypeError("a str, expected a list of texts", "documents")
        texts, most, token = list(documents), _most(top_k), cancel or CancelToken()
        if not texts:
            return Ranking()
        scores = self._pair_scores(query, texts, token)
        order = sorted(range(len(texts)), key=lambda place: -scores[place])
        ranking = Ranking({"corpus_id": place, "score": scores[place]} for place in order[: most or len(order)])
        if return_documents:
            for each in ranking:
                each["text"] = texts[each["corpus_id"]]
        return ranking

    async def arerank(
        self, query: str, documents: Sequence[str], *, cancel: Optional[CancelToken] = None, **options: Any
    ) -> Ranking:
        """:meth:`rerank` without blocking the event loop."""
        return await in_background(lambda token: self.rerank(query, documents, cancel=token, **options), cancel)

    def _pair_scores(self, query: str, texts: Sequence[str], token: CancelToken) -> List[float]:
        if self._asked in (None, TEXT_CLASSES) and TEXT_CLASSES in self.tasks:
            model = self._opened(TEXT_CLASSES)
            scores: Any = memoryview(bytearray(4 * len(texts))).cast("f")
            address = view(scores, "scores").address
            self._timed(lambda: _engine.rerank(model.pointer, query, texts, address, token), token, True)
            if self._cross_encoder_activation() == "identity":
                return list(scores)
            return [1 / (1 + math.exp(-each)) if each > -700 else 0.0 for each in scores]
        asked = self.encode_query([query], cancel=token)
        found = similarity(asked, self.encode_document(texts, cancel=token))
        rows: List[List[float]] = found.tolist()
        return rows[0]

    def _cross_encoder_activation(self) -> str:
        """What sentence-transformers applies to the one output of a cross-encoder."""
        if self._activation is None:
            self._activation = "sigmoid"
            try:
                path = str(self._opened(TEXT_CLASSES).description.get("path") or self._path)
                with open(os.path.join(path, "config.json"), encoding="utf-8") as file:
                    said = json.load(file)
                name = (said.get("sentence_transformers") or {}).get("activation_fn")
                name = name or said.get("sbert_ce_default_activation_function") or ""
                if str(name).endswith("Identity"):
                    self._activation = "identity"
            except (OSError, ValueError, AttributeError):
                pass
        return self._activation


def similarity(a: Any, b: Any) -> Any:
    """Cosines of the rows of ``a`` with the rows of ``b``.

    Args:
        a: vectors, float32 [n, width], or one, [width].
        b: the same, of the same width.

    Returns:
        float32 [n, m].

    Raises:
        ArgumentError: the widths differ.
    """
    left, rows = _matrix(a, "a")
    right, columns = _matrix(b, "b")
    width = left.shape[-1]
    if right.shape[-1] != width:
        raise ArgumentError(f"vectors of {right.shape[-1]} numbers, expected {width} as of a", "b")
    cosines, address = new_array("float32", (rows, columns))
    slot = _native.ErrorSlot()
    if rows and columns and _native.native().apus_similarity(
        left.address, rows, right.address, columns, width, address, slot.address
    ):  # fmt: skip
        slot.throw()
    return cosines


def _matrix(value: Any, where: str) -> Tuple[Any, int]:
    if isinstance(value, (list, tuple)) and value and not isinstance(value[0], (int, float, list, tuple)):
        rows = [list(memoryview(each)) if not hasattr(each, "tolist") else each.tolist() for each in value]
        value = rows
    found = view(value, where, "float32")
    if found.type != "float32":
        numpy = numpy_or_none()
        if numpy is None or found.type not in ("float64", "float16"):
            raise ArgumentTypeError(f"vectors of {found.type}, expected float32", where)
        found = view(numpy.asarray(value, numpy.float32), where)
    if len(found.shape) not in (1, 2) or not found.shape[-1]:
        raise ArgumentError(f"an array of shape {list(found.shape)}, expected [vectors, width]", where)
    return found, found.shape[0] if len(found.shape) == 2 else 1


def _unpickled(cls: Type[Model], path: str, task: Optional[str], settings: Dict[str, Any], digest: Optional[str]) -> Any:
    model = cls.__new__(cls)
    model._restore(path, task, settings, digest)
    return model


def _task(name: Optional[str]) -> Optional[str]:
    if name is None:
        return None
    found = _TASKS.get(name)
    if found is None:
        raise ArgumentError(f"the task '{name}', expected one of {', '.join(sorted(set(_TASKS.values())))}", "task")
    return found


_known: Dict[str, Dict[str, Any]] = {}


def _known_settings() -> Dict[str, Dict[str, Any]]:
    """The settings of each task with their kinds, as the library lists them."""
    if not _known:
        found = _native.take_json(_native.native().apus_library_json)
        _known.update({task: about["settings"] for task, about in found["tasks"].items()})
    return _known


def _tolerates(on_error: str) -> bool:
    if on_error not in ("raise", "null"):
        raise ArgumentError(f"'{on_error}', expected 'raise' or 'null'", "on_error")
    return on_error == "null"


def _positive(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ArgumentTypeError(f"a value of type {type(value).__name__}, expected a whole number", name)
    if value < 1:
        raise ArgumentError(f"{value}, expected 1 or more", name)


def _most(top_k: Optional[int]) -> int:
    if top_k is None:
        return 0
    _positive("top_k", top_k)
    return top_k


def _is_long(texts: Sequence[Any]) -> bool:
    return sum(len(text) for text in texts if isinstance(text, str)) > _LONG


def _pair(value: Any) -> Optional[Tuple[str, str]]:
    if isinstance(value, dict):
        if set(value) == {"text", "text_pair"}:
            return value["text"], value["text_pair"]
        raise ArgumentError(f"keys {sorted(value)}, expected text and text_pair", "inputs")
    if isinstance(value, tuple) and len(value) == 2:
        return value
    return None


def _sources(values: Sequence[Any], tolerant: bool) -> Tuple[List[PictureSource], List[Optional[Exception]]]:
    """Pictures for the library, and what is wrong with those that are none."""
    sources: List[PictureSource] = []
    bad: List[Optional[Exception]] = []
    for index, value in enumerate(values):
        try:
            sources.append(picture(value, f"picture {index}" if len(values) > 1 else "picture"))
            bad.append(None)
        except (ArgumentError, OSError) as error:
            if not tolerant:
                raise
            bad.append(error)
    return sources, bad


def _texts(values: Sequence[Any], prompt: Optional[str], tolerant: bool) -> Tuple[List[Any], List[Optional[Exception]]]:
    """Texts for the library, and what is wrong with those that are none."""
    texts: List[Any] = []
    bad: List[Optional[Exception]] = []
    for index, value in enumerate(values):
        if isinstance(value, str):
            texts.append(value if not prompt else prompt + value)
            bad.append(None)
            continue
        kind = "None" if value is None else f"a value of type {type(value).__name__}"
        error = ArgumentTypeError(f"{kind}, expected a text", f"text {index}" if len(values) > 1 else "text")
        if not tolerant:
            raise error
        bad.append(error)
    return texts, bad


def _scatter(into: Any, rows: Any, places: Sequence[int]) -> None:
    """Puts rows where they belong."""
    if not len(places):
        return
    if hasattr(into, "dtype"):
        into[list(places)] = rows
        return
    for row, place in enumerate(places):
        for column in range(into.shape[1]):
            into[place, column] = rows[row, column]


def _blank(into: Any, places: Sequence[int]) -> None:
    """Makes rows NaN."""
    for place in places:
        for column in range(into.shape[1]):
            into[place, column] = math.nan


def _converted(vectors: Any, single: bool, to_numpy: bool, to_tensor: bool) -> Any:
    if to_tensor:
        import torch  # type: ignore[import-not-found,unused-ignore]

        tensor = torch.from_numpy(vectors) if hasattr(vectors, "dtype") else torch.tensor(vectors.tolist())
        return tensor[0] if single else tensor
    if not to_numpy:
        rows = vectors.tolist()
        return rows[0] if single else rows
    if single:
        return vectors[0] if hasattr(vectors, "dtype") else memoryview(vectors.cast("B").cast("f"))
    return vectors
