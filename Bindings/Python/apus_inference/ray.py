"""Ray: vectors and classes for data sets that are larger than a machine.

    import ray
    from apus_inference.ray import embed

    texts = ray.data.read_parquet("s3://.../reviews")
    embed(texts, "sentence-transformers/all-MiniLM-L6-v2", input_column="review", precision="int8").write_parquet("...")

Ray distributes, Apus computes: paths and texts travel, vectors come back. Each actor has the model open once, with as many
threads as it has processors. An actor that is killed is started again, and its batch done anew.
"""

from __future__ import annotations

import time
from typing import Any, Dict, Optional, Sequence, Tuple, Type, Union

import ray
from ray.data import ActorPoolStrategy, Dataset
from ray.util.metrics import Counter, Histogram

from ._columns import ColumnClassifier, ColumnEmbedder
from .model import Model

__all__ = ["Classifier", "Embedder", "classify", "embed"]

_SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100]


class _Metrics:
    """Counts for Ray's dashboard and Prometheus."""

    def __init__(self, model: str) -> None:
        self._tags = {"model": model}
        self._rows = Counter("apus_rows", "Rows that were worked on.", tag_keys=("model",))
        self._failed = Counter("apus_failed_rows", "Rows without a result.", tag_keys=("model",))
        self._seconds = Histogram("apus_batch_seconds", "Seconds of a batch.", boundaries=_SECONDS, tag_keys=("model",))

    def note(self, rows: int, failed: int, seconds: float) -> None:
        """Takes down a batch."""
        self._seconds.observe(seconds, self._tags)
        if rows:
            self._rows.inc(rows, self._tags)
        if failed:
            self._failed.inc(failed, self._tags)


class _Measured:
    """A worker on columns that tells Ray what it did."""

    _work: Union[ColumnEmbedder, ColumnClassifier]
    _metrics: _Metrics

    def __call__(self, table: Any) -> Any:
        """A batch with the new columns, in Arrow."""
        failed, start = self._work.failed, time.perf_counter()
        found = self._work(table)
        self._metrics.note(table.num_rows, self._work.failed - failed, time.perf_counter() - start)
        return found


class Embedder(_Measured):
    """A class for ``Dataset.map_batches(Embedder, batch_format="pyarrow", ...)``. Arguments are those of :func:`embed`."""

    def __init__(self, model: Union[str, Model], **options: Any) -> None:
        self._work = ColumnEmbedder(model, **options)
        self._metrics = _Metrics(self._work.model.path)


class Classifier(_Measured):
    """A class for ``Dataset.map_batches(Classifier, batch_format="pyarrow", ...)``. Arguments are those of :func:`classify`."""

    def __init__(self, model: Union[str, Model], **options: Any) -> None:
        self._work = ColumnClassifier(model, **options)
        self._metrics = _Metrics(self._work.model.path)


def embed(
    dataset: Dataset, model: Union[str, Model], *, input_column: str = "text", output_column: str = "embedding",
    paths: bool = False, normalize_embeddings: bool = False, prompt_name: Optional[str] = None, on_error: str = "null",
    error_column: Optional[str] = None, cores: int = 1, actors: Union[None, int, Tuple[int, int]] = None,
    batch_size: int = 1024, ray_options: Optional[Dict[str, Any]] = None, **settings: Any,
) -> Dataset:  # fmt: skip
    """The data set with a column of vectors: lists of float32 of a fixed size, null where a row failed.

    Args:
        dataset: rows with the input column.
        model: a path that every machine has, a name in the cache of each, or a model. One that is open is opened again by
            the actors, which refuse files that differ.
        input_column: texts, or pictures: paths or the bytes of files.
        output_column: what the column of vectors is called.
        paths: whether texts are the paths of pictures.
        normalize_embeddings: whether vectors are brought to length 1.
        prompt_name: one of the model's prompts.
        on_error: ``null`` or ``raise``.
        error_column: a column for what went wrong; None for none.
        cores: processors of an actor, and threads of its runs.
        actors: how many, or the least and the most; None for one at first, and as many as the cluster has processors for
            now where what comes before, such as reading, leaves them. So many actors at first would leave it none.
        batch_size: rows that an actor gets at a time, which are done anew when it is killed.
        ray_options: more of ``Dataset.map_batches``, such as ``memory`` or ``runtime_env``.
        settings: those of :class:`apus_inference.Model`, such as ``precision``.
    """
    options = {
        "input_column": input_column, "output_column": output_column, "paths": paths, "on_error": on_error,
        "normalize_embeddings": normalize_embeddings, "prompt_name": prompt_name, "error_column": error_column,
    }  # fmt: skip
    return _mapped(dataset, Embedder, model, {**options, **settings}, cores, actors, batch_size, ray_options)


def classify(
    dataset: Dataset, model: Union[str, Model], *, input_column: str = "text", output_column: str = "label",
    labels: Optional[Sequence[str]] = None, templates: Optional[Sequence[str]] = None, top_k: int = 1,
    paths: bool = False, on_error: str = "null", error_column: Optional[str] = None, cores: int = 1,
    actors: Union[None, int, Tuple[int, int]] = None, batch_size: int = 1024,
    ray_options: Optional[Dict[str, Any]] = None, **settings: Any,
) -> Dataset:  # fmt: skip
    """The data set with the best class of each row, its score, and whether that is uncertain.

    Args:
        dataset: rows with the input column.
        model: as of :func:`embed`.
        input_column: texts, or pictures: paths or the bytes of files.
        output_column: what the column of labels is called; ``…_score`` and ``…_uncertain`` stand beside it.
        labels: labels of one's own, for a model that compares pictures with texts.
        templates: sentences with ``{}`` where a label goes.
        top_k: more than 1 adds a column ``…_top``.
        paths: whether texts are the paths of pictures.
        on_error: ``null`` or ``raise``.
        error_column: a column for what went wrong; None for none.
        cores: as of :func:`embed`.
        actors: as of :func:`embed`.
        batch_size: as of :func:`embed`.
        ray_options: as of :func:`embed`.
        settings: as of :func:`embed`.
    """
    options = {
        "input_column": input_column, "output_column": output_column, "labels": labels, "templates": templates,
        "top_k": top_k, "paths": paths, "on_error": on_error, "error_column": error_column,
    }  # fmt: skip
    return _mapped(dataset, Classifier, model, {**options, **settings}, cores, actors, batch_size, ray_options)


def _mapped(
    dataset: Dataset, work: Type[Any], model: Union[str, Model], options: Dict[str, Any], cores: int,
    actors: Union[None, int, Tuple[int, int]], batch_size: int, ray_options: Optional[Dict[str, Any]],
) -> Dataset:  # fmt: skip
    if actors is None:
        actors = (1, max(1, int(ray.cluster_resources().get("CPU", 1) // cores)))  # type: ignore[no-untyped-call,unused-ignore]
    if isinstance(actors, int):
        pool = ActorPoolStrategy(size=actors)
    else:
        pool = ActorPoolStrategy(min_size=actors[0], max_size=actors[1])
    if not isinstance(model, Model):
        options = {"threads": cores, **options}
    more: Dict[str, Any] = {"max_restarts": -1, "max_task_retries": -1, **(ray_options or {})}
    return dataset.map_batches(
        work, fn_constructor_args=(model,), fn_constructor_kwargs=options, compute=pool, num_cpus=cores,
        batch_size=batch_size, batch_format="pyarrow", zero_copy_batch=True, **more,
    )  # fmt: skip
