"""The server that people write in an afternoon: FastAPI before ONNX Runtime, with a queue that runs what waits together.

    peer.py FOLDER PORT

FOLDER is a BERT of sentence-transformers with mean pooling; its ONNX form is exported beside this process. It answers
POST /v1/embeddings as apus-serve does.
"""

import asyncio
import base64
import contextlib
import sys
import tempfile
import warnings

import numpy as np
import onnxruntime
import orjson
import torch
import transformers
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import Response
from tokenizers import Tokenizer

folder, port = sys.argv[1], int(sys.argv[2])
tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
tokenizer.enable_truncation(256)


class Embedder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = transformers.AutoModel.from_pretrained(folder)

    def forward(self, input_ids, attention_mask):
        rows = self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(rows.dtype)
        mean = (rows * mask).sum(1) / mask.sum(1)
        return torch.nn.functional.normalize(mean)


def session():
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sample = torch.ones(2, 8, dtype=torch.int64)
        torch.onnx.export(
            Embedder().eval(), (sample, sample), file.name, input_names=["input_ids", "attention_mask"],
            output_names=["embedding"], dynamo=False,
            dynamic_axes={"input_ids": {0: "n", 1: "t"}, "attention_mask": {0: "n", 1: "t"}})
        return onnxruntime.InferenceSession(file.name)


model = session()


def run(texts):
    tokenizer.enable_padding()
    encodings = tokenizer.encode_batch(texts)
    ids = np.array([encoding.ids for encoding in encodings], dtype=np.int64)
    mask = np.array([encoding.attention_mask for encoding in encodings], dtype=np.int64)
    return model.run(None, {"input_ids": ids, "attention_mask": mask})[0], int(mask.sum())


queue = asyncio.Queue()


async def work():
    """Runs what waits together, at most 32 texts, as servers of embeddings do."""
    while True:
        requests = [await queue.get()]
        while len(requests) < 32 and not queue.empty():
            requests.append(queue.get_nowait())
        texts = [text for texts, _ in requests for text in texts]
        try:
            vectors, tokens = await asyncio.to_thread(run, texts)
        except Exception as error:
            for _, future in requests:
                future.set_exception(error)
            continue
        for texts, future in requests:
            future.set_result((vectors[: len(texts)], tokens))
            vectors = vectors[len(texts):]


@contextlib.asynccontextmanager
async def lifespan(_):
    task = asyncio.create_task(work())
    yield
    task.cancel()


app = FastAPI(lifespan=lifespan)


@app.get("/health")
async def health():
    return "ok"


@app.post("/v1/embeddings")
async def embeddings(request: Request):
    body = await request.json()
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    future = asyncio.get_running_loop().create_future()
    await queue.put((texts, future))
    vectors, tokens = await future
    data = [
        {"object": "embedding", "index": index, "embedding": base64.b64encode(vector.tobytes()).decode()}
        for index, vector in enumerate(vectors)]
    answer = {
        "object": "list", "data": data, "model": body["model"],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens}}
    return Response(orjson.dumps(answer), media_type="application/json")


uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")
