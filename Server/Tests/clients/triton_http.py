"""tritonclient[http], unchanged: binary tensors both ways, the repository; and by hand what no client sends."""

import http.client
import io
import json
import struct
import urllib.parse

import numpy as np
import tritonclient.http as triton
from PIL import Image
from tritonclient.utils import InferenceServerException

from served import SAMPLES, URL

url = urllib.parse.urlparse(URL)
files = [path.read_bytes() for path, _ in SAMPLES]
names = [label for _, label in SAMPLES]
client = triton.InferenceServerClient(url.netloc, concurrency=4)


def tensor(name, array, datatype, binary=True):
    result = triton.InferInput(name, list(array.shape), datatype)
    result.set_data_from_numpy(array, binary_data=binary)
    return result


def fails(status, call):
    try:
        call()
    except InferenceServerException as error:
        assert error.status() == str(status), (error.status(), error.message())
        assert error.message(), "an error without words"
        return error.message()
    raise AssertionError("no error")


def server():
    assert client.is_server_live() and client.is_server_ready()
    for name in ["leaf", "folder/sentiment", "scenes"]:
        assert client.is_model_ready(name) and client.is_model_ready(name, "1")
    assert not client.is_model_ready("nobody") and not client.is_model_ready("leaf", "2")
    assert "binary_tensor_data" in client.get_server_metadata()["extensions"]
    described = client.get_model_metadata("folder/sentiment", "1")
    assert described["name"] == "folder/sentiment" and described["versions"] == ["1"], described
    assert [tensor["name"] for tensor in described["inputs"]] == ["text"], described
    configuration = client.get_model_config("scenes")
    assert configuration["input"][0]["data_type"] == "TYPE_STRING", configuration
    fails(404, lambda: client.get_model_metadata("nobody"))


def texts():
    words = np.array([b"A joy from start to finish.", "Dull, and far too long.".encode()], dtype=np.object_)
    results = []
    for binary in [True, False]:
        for packing in [None, "gzip", "deflate"]:
            result = client.infer(
                "folder/sentiment", [tensor("text", words, "BYTES", binary)], request_id="7",
                request_compression_algorithm=packing, response_compression_algorithm=packing)
            assert result.get_response()["id"] == "7"
            results.append((result.as_numpy("scores"), result.as_numpy("labels")))
    scores, labels = results[0]
    assert scores.shape == labels.shape and scores.shape[0] == 2, (scores.shape, labels.shape)
    assert np.allclose(scores.sum(axis=1), 1) and labels[0, 0] != labels[1, 0], (scores, labels)
    assert all(np.array_equal(one, scores) and np.array_equal(two, labels) for one, two in results)
    # In JSON where it is asked for, one output of two, and classes in the place of numbers.
    outputs = [triton.InferRequestedOutput("labels", binary_data=False)]
    result = client.infer("folder/sentiment", [tensor("text", words.reshape(2, 1), "BYTES")], outputs=outputs)
    assert np.array_equal(result.as_numpy("labels"), labels.astype(str)) and result.as_numpy("scores") is None
    outputs = [triton.InferRequestedOutput("scores", class_count=1)]
    best = client.infer("folder/sentiment", [tensor("text", words, "BYTES")], outputs=outputs).as_numpy("scores")
    assert [text.split(b":")[2] for text in best[:, 0]] == list(labels[:, 0]), best


def pictures():
    images = np.array(files, dtype=np.object_)
    labels = np.array([name.encode() for name in names], dtype=np.object_)
    result = client.infer(
        "scenes", [tensor("image", images, "BYTES"), tensor("labels", labels, "BYTES")], parameters={"top_k": 1})
    found = [label.decode() for label in result.as_numpy("labels")[:, 0]]
    assert found == names, found
    vectors = client.infer("scenes", [tensor("image", images, "BYTES")]).as_numpy("embedding")
    assert vectors.shape[0] == len(files) and vectors.dtype == np.float32
    words = client.infer("scenes", [tensor("text", labels, "BYTES")]).as_numpy("embedding")
    cosines = vectors @ words.T / np.linalg.norm(vectors, axis=1)[:, None] / np.linalg.norm(words, axis=1)
    assert np.array_equal(cosines.argmax(axis=1), np.arange(len(files)))
    pixels = np.stack([np.asarray(Image.open(io.BytesIO(file)).convert("RGB")) for file in files])
    again = client.infer("scenes", [tensor("image", pixels, "UINT8")]).as_numpy("embedding")
    assert np.array_equal(again, vectors)


def networks():
    described = [s for s in client.get_model_metadata("leaf")["signatures"] if s.get("network")][0]
    one = described["inputs"][0]
    shape = [1 if extent < 0 else extent for extent in one["shape"]]
    numbers = np.random.default_rng(1).random(shape, dtype=np.float32)
    results = [
        client.infer("leaf", [tensor(one["name"], numbers, one["datatype"], binary)], parameters=parameters)
        .as_numpy(described["outputs"][0]["name"])
        for binary in [True, False] for parameters in [None, {"network": described["network"]}]]
    assert all(np.array_equal(result, results[0]) for result in results), "JSON and binary differ"
    waiting = [client.async_infer("leaf", [tensor(one["name"], numbers, one["datatype"])]) for _ in range(16)]
    for request in waiting:
        assert np.array_equal(request.get_result().as_numpy(described["outputs"][0]["name"]), results[0])
    half = tensor(one["name"], numbers.astype(np.float16), "FP16")
    fails(400, lambda: client.infer("leaf", [half]))


def repository():
    index = {model["name"]: model for model in client.get_model_repository_index()}
    assert index["leaf"]["state"] == "READY" and len(index) >= 3, index
    client.unload_model("leaf")
    assert not client.is_model_ready("leaf")
    picture = np.array(files[:1], dtype=np.object_)
    fails(503, lambda: client.infer("leaf", [tensor("image", picture, "BYTES")]))
    client.load_model("leaf")
    assert client.is_model_ready("leaf")
    before = client.get_inference_statistics("leaf")["model_stats"][0]["inference_count"]
    client.infer("leaf", [tensor("image", picture, "BYTES")])
    after = client.get_inference_statistics("leaf")["model_stats"][0]
    assert after["inference_count"] == before + 1 and after["inference_stats"]["success"]["ns"] > 0, after
    assert len(client.get_inference_statistics()["model_stats"]) >= 3
    fails(400, lambda: client.load_model("leaf", config="{}"))
    fails(404, lambda: client.unload_model("nobody"))


def post(path, body, headers={}):
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
    connection.request("POST", path, body, headers)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    return response.status, text


def refusals():
    message = fails(400, lambda: client.infer("leaf", [tensor("picture", np.zeros([1, 2], np.float32), "FP32")]))
    assert "(image)" in message, message
    images = np.array([files[0], b"no picture"], dtype=np.object_)
    message = fails(400, lambda: client.infer("scenes", [tensor("image", images, "BYTES")]))
    assert message.startswith("Item 1 of 2: "), message
    header = json.dumps({"inputs": [{
        "name": "text", "shape": [1], "datatype": "BYTES", "parameters": {"binary_data_size": 5}}]}).encode()
    element = struct.pack("<I", 1) + b"a"
    path, size = "/v2/models/folder/sentiment/infer", "Inference-Header-Content-Length"
    good, _ = post(path, header + element, {size: str(len(header))})
    assert good == 200
    deep = b"[" * 1_000_000
    for body, length in [
        (header + element, len(header) - 1), (header + element, len(header) + 1), (header + element, -1),
        (header + element, 10**30), (header + element, "x"), (header + element, 0), (header, len(header)),
        (header + element + b"b", len(header)), (header + struct.pack("<I", 2) + b"a", len(header)),
        (header.replace(b": 5}", b": -5}") + element, len(header) + 1),
        (header.replace(b"[1]", b"[4294967296, 4294967296]") + element, len(header) + 21),
        (header.replace(b"[1]", b"[-1]") + element, len(header) + 1),
        (header.replace(b"BYTES", b"FP128") + element, len(header)),
        (b'{"inputs":' + deep, None), (b'{"x":' + deep, None), (b"", None), (b"{}", None), (b"\xff", None),
    ]:
        status, text = post(path, body, {} if length is None else {size: str(length)})
        assert status == 400 and json.loads(text)["error"], (status, text, body[:80], length)
    for path, body in [
        ("/v2/models/nobody/infer", header), ("/v2/models/leaf/ready", b""), ("/v2/models/", b""), ("/v2/nothing", b""),
        ("/v2/models/leaf/versions/2/infer", b'{"inputs":[]}'), ("/v2/repository/models/nobody/load", b""),
    ]:
        status, text = post(path, body)
        assert status in (400, 404, 405) and json.loads(text)["error"], (path, status, text)
    status, text = post("/v2/models/%ff/infer", b'{"inputs":[]}')
    assert status == 400, (status, text)
    status, text = post("/v2/models/scenes/infer", b'{"inputs":[{"name":"image","shape":[0],"datatype":"BYTES","data":[]}]}')
    assert status < 500, (status, text)


for part in [server, texts, pictures, networks, repository, refusals]:
    part()
