"""What calls give: lists and dictionaries in the shapes that transformers' pipelines have, which know a little more."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

__all__ = ["Classification", "Ranking"]


class Classification(List[Dict[str, Any]]):
    """Labels with their scores, the best first: ``[{"label": "cat", "score": 0.98}, ...]``.

    A list as ``transformers.pipeline`` gives it; what the model says besides is in attributes.

    Attributes:
        uncertain: whether the answer should not be relied on.
        reason: why: ``low_score`` or ``foreign``; None where it is certain.
        details: everything that the library says of the answer.
    """

    def __init__(
        self, entries: List[Dict[str, Any]], uncertain: bool = False, reason: Optional[str] = None,
        details: Optional[Dict[str, Any]] = None,
    ) -> None:  # fmt: skip
        super().__init__(entries)
        self.uncertain = uncertain
        self.reason = reason
        self.details: Dict[str, Any] = details if details is not None else {}

    @property
    def label(self) -> Optional[str]:
        """The best label; None where there is none."""
        return self[0]["label"] if self else None

    @property
    def score(self) -> Optional[float]:
        """The score of the best label; None where there is none."""
        return self[0]["score"] if self else None

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><td>{escape(str(each['label']))}</td><td style='text-align:right'>{each['score']:.4f}</td></tr>"
            for each in self
        )
        note = f"<caption>uncertain: {escape(self.reason or '')}</caption>" if self.uncertain else ""
        return f"<table>{note}<tr><th>label</th><th>score</th></tr>{rows}</table>"


class Ranking(List[Dict[str, Any]]):
    """Documents with their scores, the best first: ``[{"corpus_id": 2, "score": 8.6}, ...]``.

    A list as ``CrossEncoder.rank`` of sentence-transformers gives it.
    """

    @property
    def order(self) -> List[int]:
        """The places of the documents, the best first."""
        return [each["corpus_id"] for each in self]
