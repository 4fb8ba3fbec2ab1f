"""Ollama's client, against vectors that PyTorch computed."""

import ollama
from served import IDS, TEXTS, URL, VECTORS, refused, same

client = ollama.Client(host=URL)

answer = client.embed(model="sentence", input=TEXTS)
same(answer.embeddings, VECTORS)
assert answer.prompt_eval_count == sum(map(len, IDS)) and answer.total_duration > 0
same(client.embed(model="sentence:latest", input=TEXTS[0], keep_alive="5m", options={"num_ctx": 16}).embeddings, VECTORS[:1])
assert client.embed(model="sentence", input=[]).embeddings == []
assert len(client.embed(model="sentence", input="a", dimensions=8).embeddings[0]) == 8
same(client.embeddings(model="sentence", prompt=TEXTS[0]).embedding, VECTORS[0])

# Longer than the model takes: cut, unless it shall not be.
assert len(client.embed(model="sentence", input="a photo " * 100).embeddings) == 1
refused(ollama.ResponseError, lambda: client.embed(model="sentence", input="a photo " * 100, truncate=False))

assert {"sentence", "scenes"} <= {model.model for model in client.list().models}
assert "sentence" in {model.model for model in client.ps().models}
shown = client.show("sentence")
assert shown.capabilities == ["embedding"] and shown.modelinfo["apus.embedding_length"] == 24, shown

error = refused(ollama.ResponseError, lambda: client.embed(model="nothing", input="a"))
assert error.status_code == 404 and "nothing" in error.error, error
