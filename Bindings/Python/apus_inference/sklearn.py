"""scikit-learn: a transformer of texts or pictures into vectors, for pipelines and searches.

from apus_inference.sklearn import ApusVectorizer
make_pipeline(ApusVectorizer("sentence-transformers/all-MiniLM-L6-v2"), LogisticRegression()).fit(texts, labels)
"""

from __future__ import annotations

from typing import Any, List, Optional

import numpy
from sklearn.base import (  # type: ignore[import-untyped,unused-ignore]
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)

from .model import Model

__all__ = ["ApusVectorizer"]


class ApusVectorizer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Vectors of texts or pictures. Nothing is learned: ``fit`` only opens the model.

    Parameters:
        model: a folder, file, or the name of a repository in the local Hugging Face cache.
        precision: ``f32``, ``bf16`` or ``int8``; None for the model's own.
        threads: of a run; None for all that the process may use.
        batch_size: as of ``Model.encode``.
        normalize_embeddings: whether vectors are brought to length 1.
        prompt_name: one of the model's prompts.
    """

    def __init__(
        self, model: str = "sentence-transformers/all-MiniLM-L6-v2", *, precision: Optional[str] = None,
        threads: Optional[int] = None, batch_size: int = 32, normalize_embeddings: bool = False,
        prompt_name: Optional[str] = None,
    ) -> None:  # fmt: skip
        self.model = model
        self.precision = precision
        self.threads = threads
        self.batch_size = batch_size
        self.normalize_embeddings = normalize_embeddings
        self.prompt_name = prompt_name

    def _opened(self) -> Model:
        # Models are shared by settings in a process, so that one that a parallel search copied is not opened again.
        wanted = (self.model, self.precision, self.threads)
        if getattr(self, "_open_for", None) != wanted:
            self._open_model = Model(self.model, precision=self.precision, threads=self.threads)
            self._open_for = wanted
        return self._open_model

    def fit(self, X: Any, y: Any = None) -> "ApusVectorizer":
        """Opens the model."""
        self._n_features_out = self._opened().dimension
        return self

    def transform(self, X: Any) -> Any:
        """The vectors: float32 [inputs, width].

        Parameters:
            X: texts or pictures: a list, a Series, a column of a frame, or an array with one of either in each row.
        """
        model = self._opened()
        inputs = _inputs(X)
        if not inputs:
            return numpy.empty((0, model.dimension or 0), numpy.float32)
        return model.encode(
            inputs,
            batch_size=self.batch_size,
            normalize_embeddings=self.normalize_embeddings,
            prompt_name=self.prompt_name,
        )

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.no_validation = True
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags

    def _more_tags(self) -> Any:
        return {"stateless": True, "X_types": ["string"], "no_validation": True}


def _inputs(values: Any) -> List[Any]:
    shape = getattr(values, "shape", None)
    if shape is not None and len(shape) == 2 and shape[1] == 1:
        values = values.iloc[:, 0] if hasattr(values, "iloc") else values[:, 0]
    if isinstance(values, str):
        raise ValueError("Iterable over texts or pictures expected, a text was given.")
    return list(values)
