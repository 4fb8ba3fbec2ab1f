"""Dask: vectors and classes for partitions of bags and frames, the model opened once for each worker process.

from apus_inference.dask import embed, embed_bag

embed(frame, "sentence-transformers/all-MiniLM-L6-v2", input_column="review")
embed_bag(bag_of_texts, "/models/minilm")
"""

from __future__ import annotations

from typing import Any, Iterable, List, Union

from ._columns import ColumnClassifier, ColumnEmbedder
from .model import Model

__all__ = ["classify", "embed", "embed_bag"]


class _Bag:
    """Vectors for the items of a partition, one array for each."""

    def __init__(self, embedder: ColumnEmbedder) -> None:
        self._embedder = embedder

    def __call__(self, items: Iterable[Any]) -> List[Any]:
        values = list(items)
        if not values:
            return []
        vectors, errors = self._embedder.vectors(self._embedder.inputs(values))
        return [None if error is not None else vector for vector, error in zip(vectors, errors)]


class _Frame:
    """A partition of pandas with the columns of a worker."""

    def __init__(self, work: Union[ColumnEmbedder, ColumnClassifier]) -> None:
        self._work = work

    def __call__(self, frame: Any) -> Any:
        import pandas  # type: ignore[import-untyped,unused-ignore]
        import pyarrow  # type: ignore[import-untyped,unused-ignore]

        work = self._work
        narrow = pyarrow.table({work.input_column: pyarrow.Array.from_pandas(work.column_of(frame))})
        table = work(narrow)
        found = frame.copy()
        for name in table.schema.names:
            if name != work.input_column:
                column = table[name].combine_chunks()
                found[name] = pandas.Series(pandas.arrays.ArrowExtensionArray(column), index=frame.index)
        return found


def embed_bag(bag: Any, model: Union[str, Model], **options: Any) -> Any:
    """A bag with a vector for each item of another: texts, paths or bytes of pictures. None for one that failed.

    Args:
        bag: of ``dask.bag``.
        model: a path that every machine has, a name in the cache of each, or a model, which is pickled by its settings.
        options: those of :class:`apus_inference._columns.ColumnEmbedder` but for the columns, and settings of
            :class:`apus_inference.Model`.
    """
    return bag.map_partitions(_Bag(ColumnEmbedder(model, **options)))


def embed(frame: Any, model: Union[str, Model], input_column: str = "text", **options: Any) -> Any:
    """A frame of ``dask.dataframe`` with a column of vectors in Arrow.

    Args:
        frame: rows with the input column.
        model: as of :func:`embed_bag`.
        input_column: texts, or pictures: paths or the bytes of files.
        options: those of :class:`apus_inference._columns.ColumnEmbedder`, and settings.
    """
    return _mapped(frame, ColumnEmbedder(model, input_column, **options))


def classify(frame: Any, model: Union[str, Model], input_column: str = "text", **options: Any) -> Any:
    """A frame with the best class of each row, its score, and whether that is uncertain.

    Args:
        frame: rows with the input column.
        model: as of :func:`embed_bag`.
        input_column: texts, or pictures: paths or the bytes of files.
        options: those of :class:`apus_inference._columns.ColumnClassifier`, and settings.
    """
    return _mapped(frame, ColumnClassifier(model, input_column, **options))


def _mapped(frame: Any, work: Union[ColumnEmbedder, ColumnClassifier]) -> Any:
    apply = _Frame(work)
    return frame.map_partitions(apply, meta=apply(frame._meta))
