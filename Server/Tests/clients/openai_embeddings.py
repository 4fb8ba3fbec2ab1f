"""OpenAI's client, against vectors that PyTorch computed."""

import asyncio
import base64

import numpy as np
import openai
from served import IDS, LABELS, SAMPLES, TEXTS, URL, VECTORS, refused, same

client = openai.OpenAI(base_url=f"{URL}/v1", api_key="none", max_retries=0)

models = {model.id for model in client.models.list()}
assert {"sentence", "scenes"} <= models, models
assert client.models.retrieve("sentence").owned_by == "apus"

# The client asks for base64 by itself, and gives floats back.
answer = client.embeddings.create(model="sentence", input=TEXTS)
same([item.embedding for item in answer.data], VECTORS)
assert [item.index for item in answer.data] == list(range(len(TEXTS)))
assert answer.model == "sentence" and answer.object == "list"
assert answer.usage.prompt_tokens == answer.usage.total_tokens == sum(map(len, IDS))

floats = client.embeddings.create(model="sentence", input=TEXTS[0], encoding_format="float", user="somebody")
same(floats.data[0].embedding, VECTORS[0])

tokens = client.embeddings.create(model="sentence", input=IDS)
same([item.embedding for item in tokens.data], VECTORS)
same(client.embeddings.create(model="sentence", input=IDS[1]).data[0].embedding, VECTORS[1])

short = np.array(VECTORS)[:, :8]
cut = client.embeddings.create(model="sentence", input=TEXTS, dimensions=8)
same([item.embedding for item in cut.data], short / np.linalg.norm(short, axis=1, keepdims=True))

given = client.embeddings.with_raw_response.create(model="sentence", input=IDS)
assert given.headers["x-token-ids"] == "as-given", given.headers
raw = client.embeddings.with_raw_response.create(model="sentence", input="a", extra_headers={"X-Request-ID": "mine"})
assert raw.headers["x-request-id"] == "mine" and "x-token-ids" not in raw.headers
error = refused(openai.NotFoundError, lambda: client.completions.create(model="sentence", prompt="a"))
assert error.code == "unknown_url", error.body

error = refused(openai.NotFoundError, lambda: client.embeddings.create(model="nothing", input="a"))
assert error.code == "model_not_found" and error.type == "invalid_request_error", error.body
error = refused(openai.BadRequestError, lambda: client.embeddings.create(model="sentence", input=[]))
assert error.param == "input", error.body
error = refused(openai.BadRequestError, lambda: client.embeddings.create(model="sentence", input="a", dimensions=999))
assert "24" in error.message, error.message
refused(openai.NotFoundError, lambda: client.models.retrieve("nothing"))
# Longer than the model takes, which this protocol does not cut.
refused(openai.APIStatusError, lambda: client.embeddings.create(model="sentence", input="a photo " * 100))
# A token that the model does not have, and a text beside it that is sound.
refused(openai.BadRequestError, lambda: client.embeddings.create(model="sentence", input=[[2, 1_000_000, 3]]))
refused(openai.BadRequestError, lambda: client.embeddings.create(model="leaf", input="a"))

# Texts and pictures, as servers of models that embed both take them.
image = {"image": base64.b64encode(SAMPLES[0][0].read_bytes()).decode()}
both = client.embeddings.create(model="scenes", input=[image, *LABELS])
vectors = np.array([item.embedding for item in both.data])
assert LABELS[int(np.argmax(vectors[1:] @ vectors[0]))] == SAMPLES[0][1]
refused(openai.BadRequestError, lambda: client.embeddings.create(model="sentence", input=[image]))


async def together():
    many = openai.AsyncOpenAI(base_url=f"{URL}/v1", api_key="none", max_retries=0)
    async with many:
        one = lambda index: many.embeddings.create(model="sentence", input=TEXTS[index % len(TEXTS)])
        return await asyncio.gather(*map(one, range(64)))


for index, answer in enumerate(asyncio.run(together())):
    same(answer.data[0].embedding, VECTORS[index % len(TEXTS)])
