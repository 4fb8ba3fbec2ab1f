"""Spark: vectors and classes of columns, the model opened once for each Python worker.

    from apus_inference.spark import embed, embed_udf

    embed(frame, "sentence-transformers/all-MiniLM-L6-v2", input_column="review", precision="int8")
    frame.withColumn("vector", embed_udf("/models/minilm")(col("review")))

``spark.task.cpus`` decides how many processors a task has; Spark sets ``OMP_NUM_THREADS`` to it, which Apus obeys.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, Optional, Sequence, Union

from pyspark.ml.functions import predict_batch_udf
from pyspark.sql import DataFrame
from pyspark.sql.types import ArrayType, BooleanType, FloatType, StringType, StructField, StructType

from .model import Model

__all__ = ["classify", "embed", "embed_in_arrow", "embed_udf"]


def embed_udf(
    model: Union[str, Model], *, batch_size: int = 1024, normalize_embeddings: bool = False,
    prompt_name: Optional[str] = None, **settings: Any,
) -> Any:  # fmt: skip
    """A function of a column of texts that gives a column ``array<float>``, by ``predict_batch_udf``.

    A text that is null, or fails, gives NaN: Spark's function cannot give null for a row. :func:`embed` does.

    Args:
        model: a path that every machine has, a name in the cache of each, or a model, which is pickled by its settings.
        batch_size: rows of a call.
        normalize_embeddings: whether vectors are brought to length 1.
        prompt_name: one of the model's prompts.
        settings: those of :class:`apus_inference.Model`.
    """
    work = _Lazy("ColumnEmbedder", model, {
        "normalize_embeddings": normalize_embeddings, "prompt_name": prompt_name, **settings,
    })  # fmt: skip

    def make_predict() -> Callable[[Any], Any]:
        embedder = work()

        def predict(texts: Any) -> Any:
            return embedder.vectors(list(texts))[0]

        return predict

    return predict_batch_udf(make_predict, return_type=ArrayType(FloatType()), batch_size=batch_size)


def embed_in_arrow(
    model: Union[str, Model], *, input_column: str = "text", output_column: str = "embedding", **options: Any
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function for ``DataFrame.mapInArrow`` that adds the column of vectors. Options are those of :func:`embed`."""
    work = _Lazy("ColumnEmbedder", model, {
        "input_column": input_column, "output_column": output_column, "fixed_size": False, **options,
    })  # fmt: skip
    return _each(work)


def embed(
    frame: DataFrame, model: Union[str, Model], *, input_column: str = "text", output_column: str = "embedding",
    paths: bool = False, normalize_embeddings: bool = False, prompt_name: Optional[str] = None, on_error: str = "null",
    error_column: Optional[str] = None, **settings: Any,
) -> DataFrame:  # fmt: skip
    """The frame with a column of vectors, ``array<float>``, null where a row failed.

    Args:
        frame: rows with the input column.
        model: as of :func:`embed_udf`.
        input_column: texts, or pictures: paths or the bytes of files (``binary``).
        output_column: what the column of vectors is called.
        paths: whether texts are the paths of pictures.
        normalize_embeddings: whether vectors are brought to length 1.
        prompt_name: one of the model's prompts.
        on_error: ``null`` or ``raise``.
        error_column: a column for what went wrong; None for none.
        settings: those of :class:`apus_inference.Model`.
    """
    work = embed_in_arrow(
        model, input_column=input_column, output_column=output_column, paths=paths, prompt_name=prompt_name,
        normalize_embeddings=normalize_embeddings, on_error=on_error, error_column=error_column, **settings,
    )  # fmt: skip
    added = [StructField(output_column, ArrayType(FloatType()))]
    if error_column is not None:
        added.append(StructField(error_column, StringType()))
    return frame.mapInArrow(work, _schema(frame, added))


def classify(
    frame: DataFrame, model: Union[str, Model], *, input_column: str = "text", output_column: str = "label",
    labels: Optional[Sequence[str]] = None, templates: Optional[Sequence[str]] = None, paths: bool = False,
    on_error: str = "null", **settings: Any,
) -> DataFrame:  # fmt: skip
    """The frame with the best class of each row, its score, and whether that is uncertain.

    Args:
        frame: rows with the input column.
        model: as of :func:`embed_udf`.
        input_column: texts, or pictures: paths or the bytes of files.
        output_column: what the column of labels is called; ``…_score`` and ``…_uncertain`` stand beside it.
        labels: labels of one's own, for a model that compares pictures with texts.
        templates: sentences with ``{}`` where a label goes.
        paths: whether texts are the paths of pictures.
        on_error: ``null`` or ``raise``.
        settings: those of :class:`apus_inference.Model`.
    """
    work = _Lazy("ColumnClassifier", model, {
        "input_column": input_column, "output_column": output_column, "labels": labels, "templates": templates,
        "paths": paths, "on_error": on_error, **settings,
    })  # fmt: skip
    added = [
        StructField(output_column, StringType()),
        StructField(f"{output_column}_score", FloatType()),
        StructField(f"{output_column}_uncertain", BooleanType()),
    ]
    return frame.mapInArrow(_each(work), _schema(frame, added))


class _Lazy:
    """A worker on columns that is made where it is used: it travels as its settings."""

    def __init__(self, kind: str, model: Union[str, Model], options: Dict[str, Any]) -> None:
        self._kind = kind
        self._model = model
        self._options = options

    def __call__(self) -> Any:
        from . import _columns, _open

        work = getattr(_columns, self._kind)(self._model, **self._options)
        # A worker runs many tasks, each of which unpickles this anew: the model stays open in between.
        for each in work.model._open.values():
            _open.keep(each)
        return work


def _each(work: _Lazy) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def apply(batches: Iterator[Any]) -> Iterator[Any]:
        model = None
        for batch in batches:
            if model is None:
                model = work()
            yield model(batch)

    return apply


def _schema(frame: DataFrame, added: Sequence[StructField]) -> StructType:
    names = {each.name for each in added}
    kept = [each for each in frame.schema.fields if each.name not in names]
    if len(kept) < len(frame.schema.fields):
        replaced = {each.name: each for each in added}
        fields = [replaced.pop(each.name, each) for each in frame.schema.fields]
        return StructType([*fields, *replaced.values()])
    return StructType([*kept, *added])
