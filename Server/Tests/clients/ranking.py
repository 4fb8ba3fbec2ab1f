"""Clients of Cohere and Jina, and the frameworks that bring their own, against PyTorch's numbers."""

import os

import cohere
import numpy as np
from haystack import Document as HaystackDocument
from haystack.utils import Secret
from haystack_integrations.components.rankers.cohere import CohereRanker
from haystack_integrations.components.rankers.jina import JinaRanker
from langchain_cohere import CohereRerank
from langchain_core.documents import Document
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.postprocessor.cohere_rerank import CohereRerank as CohereNodes
from llama_index.postprocessor.jinaai_rerank import JinaRerank
from served import LOGITS, PAIRS, URL, refused, same

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm  # noqa: E402

QUERY = PAIRS[0][0]
DOCUMENTS = [text for query, text in PAIRS if query == QUERY] + ["a dog on the grass", "x"]
key = Secret.from_token("none")

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

BEST = [DOCUMENTS[index] for index in ORDER[:2]]
chain = CohereRerank(cohere_api_key="none", base_url=URL, model="ranker", top_n=2)
found = chain.compress_documents([Document(text) for text in DOCUMENTS], QUERY)
assert [document.page_content for document in found] == BEST, found

nodes = [NodeWithScore(node=TextNode(text=text)) for text in DOCUMENTS]
for rerank in (
    CohereNodes(base_url=URL, model="ranker", api_key="none", top_n=2),
    JinaRerank(base_url=f"{URL}/v1", model="ranker", api_key="none", top_n=2),
):
    found = rerank.postprocess_nodes(nodes, query_str=QUERY)
    assert [node.text for node in found] == BEST, found
    same([node.score for node in found], SCORES[:2], 1e-7)

for provider, version in (("cohere", 1), ("cohere", 2), ("jina_ai", 1)):
    found = litellm.rerank(
        model=f"{provider}/ranker", query=QUERY, documents=DOCUMENTS, top_n=2, api_key="none",
        api_base=f"{URL}/v{version}/rerank")
    assert [result["index"] for result in found.results] == ORDER[:2], found

documents = [HaystackDocument(content=text) for text in DOCUMENTS]
for ranker in (
    CohereRanker(model="ranker", api_key=key, top_k=2, api_base_url=URL),
    JinaRanker(model="ranker", api_key=key, top_k=2, base_url=f"{URL}/v1/rerank"),
):
    found = ranker.run(QUERY, documents)["documents"]
    assert [document.content for document in found] == BEST, found
