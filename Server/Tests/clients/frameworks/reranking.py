"""The frameworks that bring clients of Cohere and Jina, against the order that the server's own numbers give."""

import os

import httpx
from haystack import Document as HaystackDocument
from haystack.utils import Secret
from haystack_integrations.components.rankers.cohere import CohereRanker
from haystack_integrations.components.rankers.jina import JinaRanker
from langchain_cohere import CohereRerank
from langchain_core.documents import Document
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.postprocessor.cohere_rerank import CohereRerank as CohereNodes
from llama_index.postprocessor.jinaai_rerank import JinaRerank
from served import PAIRS, URL, same

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm  # noqa: E402

QUERY = PAIRS[0][0]
DOCUMENTS = [text for query, text in PAIRS if query == QUERY] + ["a dog on the grass", "x"]
key = Secret.from_token("none")

ranks = httpx.post(f"{URL}/v2/rerank", json={"model": "ranker", "query": QUERY, "documents": DOCUMENTS}).json()["results"]
ORDER = [result["index"] for result in ranks]
SCORES = [result["relevance_score"] for result in ranks]
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
