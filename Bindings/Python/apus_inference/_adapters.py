"""What adapters to other packages share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

if TYPE_CHECKING:
    from .model import Model

__all__ = ["document_prompt", "query_prompt"]


def query_prompt(model: "Model") -> Optional[str]:
    """The name of the model's prompt for texts to search with; None where it has none of its own."""
    return _first(model.prompt_names, ("query", "search_query"))


def document_prompt(model: "Model") -> Optional[str]:
    """The name of the model's prompt for texts to be found; None where it has none of its own."""
    return _first(model.prompt_names, ("document", "passage", "search_document"))


def _first(names: Sequence[str], wanted: Sequence[str]) -> Optional[str]:
    return next((name for name in wanted if name in names), None)
