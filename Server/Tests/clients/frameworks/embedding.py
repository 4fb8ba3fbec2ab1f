"""The frameworks that embed texts with OpenAI's client, against PyTorch's numbers."""

import os

import chromadb
import openai
import tiktoken
from chromadb.utils.embedding_functions import OpenAIEmbeddingFunction
from haystack.components.embedders import OpenAITextEmbedder
from haystack.utils import Secret
from langchain_openai import OpenAIEmbeddings
from llama_index.embeddings.openai import OpenAIEmbedding
from served import TEXTS, URL, VECTORS, refused, same

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm  # noqa: E402

API = f"{URL}/v1"

langchain = OpenAIEmbeddings(model="sentence", base_url=API, api_key="none", check_embedding_ctx_length=False)
same(langchain.embed_documents(TEXTS), VECTORS)
same(langchain.embed_query(TEXTS[0]), VECTORS[0])


def other_tokens(_):
    """A tokenizer of another model, as LangChain sends its ids by default; OpenAI's own would be fetched."""
    ranks = {bytes([byte]): byte + 90_000 for byte in range(256)}
    return tiktoken.Encoding("other", pat_str=r".", mergeable_ranks=ranks, special_tokens={})


tiktoken.encoding_for_model = tiktoken.get_encoding = other_tokens
usual = OpenAIEmbeddings(model="sentence", base_url=API, api_key="none")
error = refused(openai.BadRequestError, lambda: usual.embed_query(TEXTS[0]))
assert "check_embedding_ctx_length=False" in error.message, error.message

llama = OpenAIEmbedding(model_name="sentence", api_base=API, api_key="none")
same(llama.get_text_embedding(TEXTS[0]), VECTORS[0])
same(llama.get_query_embedding(TEXTS[1]), VECTORS[1])

answer = litellm.embedding(
    model="openai/sentence:latest", input=TEXTS, api_base=API, api_key="none", input_type="query", user="somebody")
same([item["embedding"] for item in answer.data], VECTORS)

haystack = OpenAITextEmbedder(model="sentence", api_key=Secret.from_token("none"), api_base_url=API)
same(haystack.run(TEXTS[0])["embedding"], VECTORS[0])

embed = OpenAIEmbeddingFunction(api_key="none", api_base=API, model_name="sentence")
collection = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False)).create_collection(
    "texts", embedding_function=embed)
collection.add(ids=[str(index) for index in range(len(TEXTS))], documents=TEXTS)
assert collection.query(query_texts=[TEXTS[0]], n_results=1)["documents"] == [[TEXTS[0]]]
