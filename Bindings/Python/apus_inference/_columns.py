"""Columns of tables through a model: what Ray, Spark and Dask share. Arrow and NumPy are needed here."""

from __future__ import annotations

import pathlib
import time
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy
import pyarrow  # type: ignore[import-untyped,unused-ignore]

from ._calls import CancelToken
from .errors import ArgumentError
from .model import Model

__all__ = ["ColumnClassifier", "ColumnEmbedder", "vector_column"]


class _ColumnModel:
    """A model and the columns that it reads and writes. It is pickled by its settings, and opened once in a process."""

    def __init__(
        self, model: Union[str, Model], input_column: str, paths: bool, on_error: str, error_column: Optional[str],
        settings: Dict[str, Any],
    ) -> None:  # fmt: skip
        if on_error not in ("raise", "null"):
            raise ArgumentError(f"'{on_error}', expected 'raise' or 'null'", "on_error")
        if isinstance(model, Model):
            if settings:
                raise ArgumentError("settings beside a model that is open", ", ".join(settings))
            self.model = model
        else:
            self.model = Model(model, **settings)
        self.input_column = input_column
        self.paths = paths
        self.on_error = on_error
        self.error_column = error_column
        #: Rows that were worked on, those that failed, and seconds of work.
        self.rows, self.failed, self.seconds = 0, 0, 0.0

    def inputs(self, column: Any) -> List[Any]:
        """The values of a column as the model takes them."""
        values = column.to_pylist() if hasattr(column, "to_pylist") else list(column)
        if self.paths:
            return [pathlib.Path(value) if isinstance(value, str) else value for value in values]
        return values

    def column_of(self, table: Any) -> Any:
        """The column that is read.

        Raises:
            ArgumentError: the table has none of that name.
        """
        names = list(table.schema.names) if hasattr(table, "schema") else list(table.columns)
        if self.input_column not in names:
            raise ArgumentError(f"no column of that name, expected one of {', '.join(map(str, names))}", self.input_column)
        return table[self.input_column]

    def noted(self, start: float, errors: Sequence[Optional[Exception]]) -> None:
        """Counts the rows of a batch."""
        self.rows += len(errors)
        self.failed += sum(each is not None for each in errors)
        self.seconds += time.perf_counter() - start

    def error_texts(self, errors: Sequence[Optional[Exception]]) -> Any:
        """What went wrong with each row, as a column."""
        return pyarrow.array([None if each is None else str(each) for each in errors], pyarrow.string())


class ColumnEmbedder(_ColumnModel):
    """Adds a column of vectors to tables.

    Args:
        model: a path, a name, or a model that is open.
        input_column: texts, or pictures: paths or the bytes of files.
        output_column: what the column of vectors is called.
        paths: whether texts are the paths of pictures, which a model of texts and pictures cannot see.
        normalize_embeddings: whether vectors are brought to length 1.
        prompt_name: one of the model's prompts.
        on_error: ``null`` gives no vector for a row that fails; ``raise`` ends the work with it.
        error_column: a column for what went wrong; None for none.
        fixed_size: whether the column is one of lists of a fixed size, or of any.
        settings: those of :class:`apus_inference.Model`.
    """

    def __init__(
        self, model: Union[str, Model], input_column: str = "text", output_column: str = "embedding", *,
        paths: bool = False, normalize_embeddings: bool = False, prompt_name: Optional[str] = None,
        on_error: str = "null", error_column: Optional[str] = None, fixed_size: bool = True, **settings: Any,
    ) -> None:  # fmt: skip
        super().__init__(model, input_column, paths, on_error, error_column, settings)
        self.output_column = output_column
        self.normalize_embeddings = normalize_embeddings
        self.prompt_name = prompt_name
        self.fixed_size = fixed_size

    def vectors(self, values: Sequence[Any], cancel: Optional[CancelToken] = None) -> Tuple[Any, List[Optional[Exception]]]:
        """Vectors, float32 [values, width], and what went wrong with each."""
        start = time.perf_counter()
        errors: List[Optional[Exception]]
        options: Dict[str, Any] = {
            "prompt_name": self.prompt_name, "normalize_embeddings": self.normalize_embeddings, "cancel": cancel,
        }  # fmt: skip
        if self.on_error == "null":
            vectors, errors = self.model.encode_with_errors(values, **options)
        else:
            vectors = self.model.encode(values, **options)
            errors = [None for _ in values]
        self.noted(start, errors)
        return vectors, errors

    def __call__(self, table: Any) -> Any:
        """A table of Arrow, or a batch of records, with the column of vectors."""
        vectors, errors = self.vectors(self.inputs(self.column_of(table)))
        column = vector_column(vectors, errors, self.fixed_size)
        found = _with_column(table, self.output_column, column)
        if self.error_column is not None:
            found = _with_column(found, self.error_column, self.error_texts(errors))
        return found


class ColumnClassifier(_ColumnModel):
    """Adds the best class of each row, its score, and whether that is uncertain.

    Args:
        model: a path, a name, or a model that is open.
        input_column: texts, or pictures: paths or the bytes of files.
        output_column: what the column of labels is called; ``…_score`` and ``…_uncertain`` stand beside it.
        labels: labels of one's own, for a model that compares pictures with texts.
        templates: sentences with ``{}`` where a label goes.
        top_k: more than 1 adds a column ``…_top`` with so many labels and scores.
        paths: whether texts are the paths of pictures.
        on_error: ``null`` or ``raise``.
        error_column: a column for what went wrong; None for none.
        settings: those of :class:`apus_inference.Model`.
    """

    def __init__(
        self, model: Union[str, Model], input_column: str = "text", output_column: str = "label", *,
        labels: Optional[Sequence[str]] = None, templates: Optional[Sequence[str]] = None, top_k: int = 1,
        paths: bool = False, on_error: str = "null", error_column: Optional[str] = None, **settings: Any,
    ) -> None:  # fmt: skip
        super().__init__(model, input_column, paths, on_error, error_column, settings)
        self.output_column = output_column
        self.labels = None if labels is None else list(labels)
        self.templates = None if templates is None else list(templates)
        self.top_k = top_k

    def __call__(self, table: Any) -> Any:
        """A table of Arrow with the columns."""
        start = time.perf_counter()
        values = self.inputs(self.column_of(table))
        if self.labels is not None:
            found: List[Any] = self.model.zero_shot(
                values, self.labels, templates=self.templates, top_k=self.top_k, on_error=self.on_error
            )
        else:
            found = self.model.classify(values, top_k=self.top_k, on_error=self.on_error)
        self.noted(start, [ArgumentError("failed") if each is None else None for each in found])
        name = self.output_column
        columns = {
            name: pyarrow.array([each.label if each else None for each in found], pyarrow.string()),
            f"{name}_score": pyarrow.array([each.score if each else None for each in found], pyarrow.float32()),
            f"{name}_uncertain": pyarrow.array([each.uncertain if each else None for each in found], pyarrow.bool_()),
        }
        if self.top_k > 1:
            kind = pyarrow.list_(pyarrow.struct([("label", pyarrow.string()), ("score", pyarrow.float32())]))
            columns[f"{name}_top"] = pyarrow.array([None if each is None else list(each) for each in found], kind)
        for column, array in columns.items():
            table = _with_column(table, column, array)
        return table


def vector_column(vectors: Any, errors: Sequence[Optional[Exception]], fixed_size: bool) -> Any:
    """Vectors as a column of Arrow that shares their memory; null for rows that failed."""
    count, width = vectors.shape
    flat = pyarrow.array(numpy.ascontiguousarray(vectors).reshape(-1))
    failed = [each is not None for each in errors]
    mask = pyarrow.array(failed, pyarrow.bool_()) if any(failed) else None
    if fixed_size:
        return pyarrow.FixedSizeListArray.from_arrays(flat, width, mask=mask)
    offsets = numpy.arange(0, (count + 1) * width, width, dtype=numpy.int32)
    return pyarrow.ListArray.from_arrays(pyarrow.array(offsets), flat, mask=mask)


def _with_column(table: Any, name: str, column: Any) -> Any:
    """The table with a column in place of that of its name, or behind the others."""
    place = table.schema.get_field_index(name)
    if isinstance(table, pyarrow.RecordBatch):
        names, columns = list(table.schema.names), list(table.columns)
        if place < 0:
            return pyarrow.RecordBatch.from_arrays([*columns, column], [*names, name])
        columns[place] = column
        return pyarrow.RecordBatch.from_arrays(columns, names)
    return table.append_column(name, column) if place < 0 else table.set_column(place, name, column)
