"""Haystack: embedders of texts and documents, and a ranker, as components of its pipelines.

from apus_inference.haystack import ApusDocumentEmbedder, ApusTextEmbedder
pipeline.add_component("embedder", ApusTextEmbedder(model="sentence-transformers/all-MiniLM-L6-v2"))
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict, List, Optional

from haystack import Document, component, default_from_dict, default_to_dict

from ._adapters import document_prompt, query_prompt
from .model import Model

__all__ = ["ApusDocumentEmbedder", "ApusRanker", "ApusTextEmbedder"]


class _Component:
    """A model that is opened by ``warm_up``, as Haystack's components are, or by the first run."""

    model: str
    model_kwargs: Optional[Dict[str, Any]]

    def _prepare(self, model: str, model_kwargs: Optional[Dict[str, Any]]) -> None:
        self.model = model
        self.model_kwargs = model_kwargs
        self._model: Optional[Model] = None

    def _opened(self) -> Model:
        if self._model is None:
            self._model = Model(self.model, **(self.model_kwargs or {}))
        return self._model


@component
class ApusTextEmbedder(_Component):
    """Embeds a text to search with."""

    def __init__(
        self, model: str, prefix: str = "", suffix: str = "", normalize_embeddings: bool = False,
        model_kwargs: Optional[Dict[str, Any]] = None,
    ) -> None:  # fmt: skip
        self._prepare(model, model_kwargs)
        self.prefix = prefix
        self.suffix = suffix
        self.normalize_embeddings = normalize_embeddings

    def warm_up(self) -> None:
        """Opens the model."""
        self._opened()

    def to_dict(self) -> Dict[str, Any]:
        """What a pipeline saves."""
        return default_to_dict(
            self, model=self.model, prefix=self.prefix, suffix=self.suffix,
            normalize_embeddings=self.normalize_embeddings, model_kwargs=self.model_kwargs,
        )  # fmt: skip

    @classmethod
    def from_dict(cls, data: Dict[str, Any]) -> "ApusTextEmbedder":
        """What a pipeline saved."""
        return default_from_dict(cls, data)

    @component.output_types(embedding=List[float])
    def run(self, text: str) -> Dict[str, Any]:
        """The text's vector, under ``embedding``."""
        model = self._opened()
        vectors = model.encode(
            [self.prefix + text + self.suffix],
            prompt_name=query_prompt(model),
            normalize_embeddings=self.normalize_embeddings,
        )
        return {"embedding": vectors.tolist()[0]}


@component
class ApusDocumentEmbedder(_Component):
    """Embeds documents to be found."""

    def __init__(
        self, model: str, prefix: str = "", suffix: str = "", normalize_embeddings: bool = False,
        meta_fields_to_embed: Optional[List[str]] = None, embedding_separator: str = "\n",
        model_kwargs: Optional[Dict[str, Any]] = None,
    ) -> None:  # fmt: skip
        self._prepare(model, model_kwargs)
        self.prefix = prefix
        self.suffix = suffix
        self.normalize_embeddings = normalize_embeddings
        self.meta_fields_to_embed = meta_fields_to_embed or []
        self.embedding_separator = embedding_separator

    def warm_up(self) -> None:
        """Opens the model."""
        self._opened()

    def to_dict(self) -> Dict[str, Any]:
        """What a pipeline saves."""
        return default_to_dict(
            self, model=self.model, prefix=self.prefix, suffix=self.suffix,
            normalize_embeddings=self.normalize_embeddings, meta_fields_to_embed=self.meta_fields_to_embed,
            embedding_separator=self.embedding_separator, model_kwargs=self.model_kwargs,
        )  # fmt: skip

    @classmethod
    def from_dict(cls, data: Dict[str, Any]) -> "ApusDocumentEmbedder":
        """What a pipeline saved."""
        return default_from_dict(cls, data)

    @component.output_types(documents=List[Document])
    def run(self, documents: List[Document]) -> Dict[str, Any]:
        """The documents with their vectors, under ``documents``."""
        if not documents:
            return {"documents": []}
        model = self._opened()
        texts = []
        for each in documents:
            meta = [str(each.meta[key]) for key in self.meta_fields_to_embed if each.meta.get(key) is not None]
            text = self.embedding_separator.join([*meta, each.content or ""])
            texts.append(self.prefix + text + self.suffix)
        vectors = model.encode(
            texts, prompt_name=document_prompt(model), normalize_embeddings=self.normalize_embeddings
        ).tolist()
        return {"documents": [replace(each, embedding=vector) for each, vector in zip(documents, vectors)]}


@component
class ApusRanker(_Component):
    """Puts documents in the order in which they answer a query."""

    def __init__(self, model: str, top_k: int = 10, model_kwargs: Optional[Dict[str, Any]] = None) -> None:
        self._prepare(model, model_kwargs)
        self.top_k = top_k

    def warm_up(self) -> None:
        """Opens the model."""
        self._opened()

    def to_dict(self) -> Dict[str, Any]:
        """What a pipeline saves."""
        return default_to_dict(self, model=self.model, top_k=self.top_k, model_kwargs=self.model_kwargs)

    @classmethod
    def from_dict(cls, data: Dict[str, Any]) -> "ApusRanker":
        """What a pipeline saved."""
        return default_from_dict(cls, data)

    @component.output_types(documents=List[Document])
    def run(self, query: str, documents: List[Document], top_k: Optional[int] = None) -> Dict[str, Any]:
        """The best documents with their scores, under ``documents``."""
        if not documents:
            return {"documents": []}
        ranking = self._opened().rerank(
            query, [each.content or "" for each in documents], top_k=self.top_k if top_k is None else top_k
        )
        return {"documents": [replace(documents[each["corpus_id"]], score=each["score"]) for each in ranking]}
