"""LlamaIndex: embeddings for its indices, and a reranker of nodes.

from apus_inference.llamaindex import ApusEmbedding
Settings.embed_model = ApusEmbedding(model_name="sentence-transformers/all-MiniLM-L6-v2")
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle

from ._adapters import document_prompt, query_prompt
from .model import Model

__all__ = ["ApusEmbedding", "ApusRerank"]


class ApusEmbedding(BaseEmbedding):
    """Embeds texts on the processor of this machine.

    Queries and texts get the prompts that the model has for them, if it has such.
    """

    normalize: bool = Field(default=True, description="Whether vectors are brought to length 1.")
    model_kwargs: Dict[str, Any] = Field(default_factory=dict, description="Settings of apus_inference.Model.")

    _model: Model = PrivateAttr()

    def __init__(
        self, model_name: str, *, normalize: bool = True, embed_batch_size: int = 256,
        model_kwargs: Optional[Dict[str, Any]] = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        fields: Dict[str, Any] = {"normalize": normalize, "model_kwargs": model_kwargs or {}, **kwargs}
        super().__init__(model_name=model_name, embed_batch_size=embed_batch_size, **fields)
        self._model = Model(model_name, **(model_kwargs or {}))

    @classmethod
    def class_name(cls) -> str:
        """What LlamaIndex calls this class in what it saves."""
        return "ApusEmbedding"

    def _vectors(self, texts: List[str], prompt_name: Optional[str]) -> List[List[float]]:
        vectors: List[List[float]] = self._model.encode(
            texts, prompt_name=prompt_name, normalize_embeddings=self.normalize
        ).tolist()
        return vectors

    async def _avectors(self, texts: List[str], prompt_name: Optional[str]) -> List[List[float]]:
        vectors = await self._model.aencode(texts, prompt_name=prompt_name, normalize_embeddings=self.normalize)
        found: List[List[float]] = vectors.tolist()
        return found

    def _get_query_embedding(self, query: str) -> List[float]:
        return self._vectors([query], query_prompt(self._model))[0]

    async def _aget_query_embedding(self, query: str) -> List[float]:
        return (await self._avectors([query], query_prompt(self._model)))[0]

    def _get_text_embedding(self, text: str) -> List[float]:
        return self._vectors([text], document_prompt(self._model))[0]

    async def _aget_text_embedding(self, text: str) -> List[float]:
        return (await self._avectors([text], document_prompt(self._model)))[0]

    def _get_text_embeddings(self, texts: List[str]) -> List[List[float]]:
        return self._vectors(list(texts), document_prompt(self._model))

    async def _aget_text_embeddings(self, texts: List[str]) -> List[List[float]]:
        return await self._avectors(list(texts), document_prompt(self._model))


class ApusRerank(BaseNodePostprocessor):
    """Keeps the nodes that answer a query best, the best first."""

    model: str = Field(description="A folder or repository of a cross-encoder.")
    top_n: int = Field(default=5, description="How many nodes are kept.")
    model_kwargs: Dict[str, Any] = Field(default_factory=dict, description="Settings of apus_inference.Model.")

    _model: Model = PrivateAttr()

    def __init__(self, model: str, top_n: int = 5, model_kwargs: Optional[Dict[str, Any]] = None, **kwargs: Any) -> None:
        fields: Dict[str, Any] = {"model": model, "top_n": top_n, "model_kwargs": model_kwargs or {}, **kwargs}
        super().__init__(**fields)
        self._model = Model(model, **(model_kwargs or {}))

    @classmethod
    def class_name(cls) -> str:
        """What LlamaIndex calls this class in what it saves."""
        return "ApusRerank"

    def _postprocess_nodes(self, nodes: List[NodeWithScore], query_bundle: Optional[QueryBundle] = None) -> List[NodeWithScore]:
        if query_bundle is None:
            raise ValueError("ApusRerank needs a query.")
        if not nodes:
            return []
        texts = [each.node.get_content(metadata_mode=MetadataMode.EMBED) for each in nodes]
        ranking = self._model.rerank(query_bundle.query_str, texts, top_k=self.top_n)
        return [NodeWithScore(node=nodes[each["corpus_id"]].node, score=each["score"]) for each in ranking]
