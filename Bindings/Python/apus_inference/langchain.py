"""LangChain: embeddings, and a reranker for ``ContextualCompressionRetriever``.

from apus_inference.langchain import ApusEmbeddings
store = InMemoryVectorStore(ApusEmbeddings(model="sentence-transformers/all-MiniLM-L6-v2"))
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.embeddings import Embeddings
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from ._adapters import document_prompt, query_prompt
from .model import Model

__all__ = ["ApusEmbeddings", "ApusReranker"]


class ApusEmbeddings(BaseModel, Embeddings):
    """Embeds texts on the processor of this machine.

    Queries and documents get the prompts that the model has for them, if it has such.
    """

    model_config = ConfigDict(extra="forbid", protected_namespaces=())

    model: str
    """A folder, or the name of a repository in the local Hugging Face cache."""
    normalize_embeddings: bool = False
    """Whether vectors are brought to length 1; the model may do so by itself."""
    batch_size: int = 32
    model_kwargs: Dict[str, Any] = Field(default_factory=dict)
    """Settings of :class:`apus_inference.Model`, such as ``precision``."""

    _model: Model = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Opens the model."""
        self._model = Model(self.model, **self.model_kwargs)

    def _encode(self, texts: List[str], prompt_name: Optional[str]) -> Any:
        return self._model.encode(
            texts,
            batch_size=self.batch_size,
            prompt_name=prompt_name,
            normalize_embeddings=self.normalize_embeddings,
        )

    def embed_documents(self, texts: List[str]) -> List[List[float]]:
        """The vectors of texts to be found."""
        vectors: List[List[float]] = self._encode(list(texts), document_prompt(self._model)).tolist()
        return vectors

    def embed_query(self, text: str) -> List[float]:
        """The vector of a text to search with."""
        vector: List[float] = self._encode([text], query_prompt(self._model)).tolist()[0]
        return vector

    async def aembed_documents(self, texts: List[str]) -> List[List[float]]:
        """The same without blocking the event loop."""
        vectors = await self._model.aencode(
            list(texts),
            batch_size=self.batch_size,
            prompt_name=document_prompt(self._model),
            normalize_embeddings=self.normalize_embeddings,
        )
        found: List[List[float]] = vectors.tolist()
        return found

    async def aembed_query(self, text: str) -> List[float]:
        """The same without blocking the event loop."""
        vectors = await self._model.aencode(
            [text], prompt_name=query_prompt(self._model), normalize_embeddings=self.normalize_embeddings
        )
        found: List[float] = vectors.tolist()[0]
        return found


class ApusReranker(BaseDocumentCompressor):
    """Puts documents in the order in which they answer a query; each has its ``relevance_score`` in its metadata."""

    model_config = ConfigDict(extra="forbid", protected_namespaces=())

    model: str
    """A folder or repository of a cross-encoder."""
    top_n: Optional[int] = 3
    """How many documents are kept; None for all."""
    model_kwargs: Dict[str, Any] = Field(default_factory=dict)
    """Settings of :class:`apus_inference.Model`."""

    _model: Model = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Opens the model."""
        self._model = Model(self.model, **self.model_kwargs)

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Optional[Callbacks] = None
    ) -> Sequence[Document]:
        """The best documents, the best first."""
        if not documents:
            return []
        ranking = self._model.rerank(query, [each.page_content for each in documents], top_k=self.top_n)
        return [
            documents[each["corpus_id"]].model_copy(
                update={"metadata": {**documents[each["corpus_id"]].metadata, "relevance_score": each["score"]}}
            )
            for each in ranking
        ]
