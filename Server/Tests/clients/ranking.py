"""Clients of Cohere and Jina, against PyTorch's numbers."""

import cohere
import numpy as np
from served import LOGITS, PAIRS, URL, refused, same

QUERY = PAIRS[0][0]
DOCUMENTS = [text for query, text in PAIRS if query == QUERY] + ["a dog on the grass", "x"]

first = cohere.Client("none", base_url=URL)
second = cohere.ClientV2("none", base_url=URL)
for (query, text), logit in zip(PAIRS, LOGITS):
    for client in (first, second):
        answer = client.rerank(model="ranker", query=query, documents=[text])
        same([answer.results[0].relevance_score], [1 / (1 + np.exp(-logit))])

ranks = first.rerank(model="ranker", query=QUERY, documents=DOCUMENTS)
ORDER = [result.index for result in ranks.results]
SCORES = [result.relevance_score for result in ranks.results]
assert sorted(ORDER) == list(range(len(DOCUMENTS))) and SCORES == sorted(SCORES, reverse=True), ranks
assert ranks.results[0].document is None and ranks.meta.api_version.version == "1", ranks
best = first.rerank(query=QUERY, documents=[{"text": text} for text in DOCUMENTS], top_n=2, return_documents=True)
assert [result.document.text for result in best.results] == [DOCUMENTS[index] for index in ORDER[:2]], best
short = second.rerank(model="ranker", query=QUERY, documents=DOCUMENTS, top_n=2, max_tokens_per_doc=4096)
assert [result.index for result in short.results] == ORDER[:2], short
error = refused(cohere.NotFoundError, lambda: second.rerank(model="nothing", query="a", documents=["b"]))
assert "nothing" in error.body["message"], error.body
refused(cohere.BadRequestError, lambda: first.rerank(model="stars", query="a", documents=["b"]))
