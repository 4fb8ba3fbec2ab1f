"""Chroma: an embedding function for its collections.

from apus_inference.chroma import ApusEmbeddingFunction
client.create_collection("notes", embedding_function=ApusEmbeddingFunction("sentence-transformers/all-MiniLM-L6-v2"))
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from chromadb.api.types import Documents, EmbeddingFunction, Embeddings, Space
from chromadb.utils.embedding_functions import register_embedding_function

from ._adapters import document_prompt, query_prompt
from .model import Model

__all__ = ["ApusEmbeddingFunction"]


@register_embedding_function
class ApusEmbeddingFunction(EmbeddingFunction[Documents]):
    """Embeds documents and queries on the processor of this machine."""

    def __init__(self, model: str, normalize_embeddings: bool = False, model_kwargs: Optional[Dict[str, Any]] = None) -> None:
        self.model = model
        self.normalize_embeddings = normalize_embeddings
        self.model_kwargs = model_kwargs or {}
        self._model = Model(model, **self.model_kwargs)

    def _vectors(self, input: Documents, prompt_name: Optional[str]) -> Embeddings:
        vectors = self._model.encode(list(input), prompt_name=prompt_name, normalize_embeddings=self.normalize_embeddings)
        return list(vectors)

    def __call__(self, input: Documents) -> Embeddings:
        """The vectors of documents."""
        return self._vectors(input, document_prompt(self._model))

    def embed_query(self, input: Documents) -> Embeddings:
        """The vectors of texts to search with."""
        return self._vectors(input, query_prompt(self._model))

    @staticmethod
    def name() -> str:
        """What Chroma calls this function in what it saves."""
        return "apus_inference"

    def default_space(self) -> Space:
        """Cosines, which do not depend on the length of vectors."""
        return "cosine"

    def supported_spaces(self) -> List[Space]:
        """All that Chroma has."""
        return ["cosine", "l2", "ip"]

    @staticmethod
    def build_from_config(config: Dict[str, Any]) -> "ApusEmbeddingFunction":
        """The function that Chroma saved."""
        return ApusEmbeddingFunction(config["model"], config.get("normalize_embeddings", False), config.get("model_kwargs"))

    def get_config(self) -> Dict[str, Any]:
        """What Chroma saves."""
        return {
            "model": self.model,
            "normalize_embeddings": self.normalize_embeddings,
            "model_kwargs": self.model_kwargs,
        }

    def validate_config_update(self, old_config: Dict[str, Any], new_config: Dict[str, Any]) -> None:
        """Refuses another model for vectors that are there."""
        if "model" in new_config and new_config["model"] != old_config.get("model"):
            raise ValueError("The model of a collection cannot be changed: its vectors are of the other one.")
