"""tritonclient[grpc], unchanged, and messages that it would not send. Needs apus-serve-grpc; of apus-serve nothing is asked."""

import os
import queue
import struct
import sys

import grpc
import numpy as np
import tritonclient.grpc as triton
from tritonclient.grpc import service_pb2, service_pb2_grpc
from tritonclient.utils import InferenceServerException

from served import SAMPLES

if "APUS_GRPC" not in os.environ:
    print("triton_grpc: the server has no gRPC, nothing is checked")
    sys.exit()
address = os.environ["APUS_GRPC"]
files = [path.read_bytes() for path, _ in SAMPLES]
names = [label for _, label in SAMPLES]
client = triton.InferenceServerClient(address)
stub = service_pb2_grpc.GRPCInferenceServiceStub(grpc.insecure_channel(address))


def tensor(name, array, datatype):
    result = triton.InferInput(name, list(array.shape), datatype)
    result.set_data_from_numpy(array)
    return result


def fails(status, call):
    try:
        call()
    except InferenceServerException as error:
        assert error.status() == "StatusCode." + status, (error.status(), error.message())
        assert error.message(), "an error without words"
        return error.message()
    raise AssertionError("no error")


def server():
    assert client.is_server_live() and client.is_server_ready()
    for name in ["leaf", "folder/sentiment", "scenes"]:
        assert client.is_model_ready(name) and client.is_model_ready(name, "1")
    assert not client.is_model_ready("nobody") and not client.is_model_ready("leaf", "2")
    assert "statistics" in client.get_server_metadata().extensions
    described = client.get_model_metadata("folder/sentiment", "1")
    assert described.name == "folder/sentiment" and [one.name for one in described.inputs] == ["text"], described
    config = client.get_model_config("scenes").config
    assert config.input[0].data_type == 13 and config.input[1].optional, config
    fails("NOT_FOUND", lambda: client.get_model_metadata("leaf", "2"))


def texts():
    words = np.array([b"A joy from start to finish.", b"Dull, and far too long."], dtype=np.object_)
    results = [
        client.infer("folder/sentiment", [tensor("text", words, "BYTES")], request_id="7", compression_algorithm=packing)
        for packing in [None, "gzip", "deflate"]]
    scores, labels = results[0].as_numpy("scores"), results[0].as_numpy("labels")
    assert results[0].get_response().id == "7" and scores.shape == labels.shape and scores.shape[0] == 2
    assert np.allclose(scores.sum(axis=1), 1) and labels[0, 0] != labels[1, 0], (scores, labels)
    assert all(np.array_equal(result.as_numpy("scores"), scores) for result in results)
    outputs = [triton.InferRequestedOutput("scores", class_count=1)]
    best = client.infer("folder/sentiment", [tensor("text", words, "BYTES")], outputs=outputs).as_numpy("scores")
    assert [text.split(b":")[2] for text in best[:, 0]] == list(labels[:, 0]), best


def pictures():
    images = np.array(files, dtype=np.object_)
    labels = np.array([name.encode() for name in names], dtype=np.object_)
    result = client.infer(
        "scenes", [tensor("image", images, "BYTES"), tensor("labels", labels, "BYTES")], parameters={"top_k": 1})
    assert [label.decode() for label in result.as_numpy("labels")[:, 0]] == names
    outputs = [triton.InferRequestedOutput("embedding")]
    assert client.infer("scenes", [tensor("image", images, "BYTES")], outputs=outputs).as_numpy("embedding").shape[0] == len(files)


def streams():
    answers = queue.Queue()
    client.start_stream(callback=lambda result, error: answers.put((result, error)))
    for index, file in enumerate(files):
        image = tensor("image", np.array([file if index else b"no picture"], dtype=np.object_), "BYTES")
        client.async_stream_infer("scenes", [image], request_id=str(index))
    received = [answers.get(timeout=30) for _ in files]
    client.stop_stream()
    assert received[0][1] is not None and "tream" not in received[0][1].message(), received[0]
    assert [result.get_response().id for result, _ in received[1:]] == [str(n) for n in range(1, len(files))]


def networks():
    stats = client.get_inference_statistics("leaf").model_stats[0].inference_count
    picture = np.array(files[:1], dtype=np.object_)
    waiting = queue.Queue()
    for _ in range(16):
        client.async_infer("leaf", [tensor("image", picture, "BYTES")], lambda result, error: waiting.put(result))
    scores = [waiting.get(timeout=30).as_numpy("scores") for _ in range(16)]
    assert all(np.array_equal(score, scores[0]) for score in scores)
    assert client.get_inference_statistics("leaf").model_stats[0].inference_count == stats + 16
    # Tensors in typed contents, and under the model's own names.
    ids, mask = list(range(2, 22)), [1] * 20
    typed = [service_pb2.ModelInferRequest.InferInputTensor(
        name=name, datatype="INT64", shape=[1, 20], contents=service_pb2.InferTensorContents(int64_contents=numbers))
        for name, numbers in [("input_ids", ids), ("attention_mask", mask)]]
    answer = stub.ModelInfer(service_pb2.ModelInferRequest(model_name="scenes", inputs=typed))
    raw = client.infer("scenes", [
        tensor("input_ids", np.array([ids], np.int64), "INT64"), tensor("attention_mask", np.array([mask], np.int64), "INT64")])
    assert answer.raw_output_contents[0] == raw.as_numpy(answer.outputs[0].name).tobytes() and answer.outputs[0].shape[1] > 1


def repository():
    index = {model.name: model for model in client.get_model_repository_index().models}
    assert index["leaf"].state == "READY", index
    client.unload_model("leaf")
    assert not client.is_model_ready("leaf")
    picture = np.array(files[:1], dtype=np.object_)
    fails("UNAVAILABLE", lambda: client.infer("leaf", [tensor("image", picture, "BYTES")]))
    client.load_model("leaf")
    assert client.is_model_ready("leaf")
    fails("UNIMPLEMENTED", lambda: client.load_model("leaf", config="{}"))
    fails("NOT_FOUND", lambda: client.unload_model("nobody"))


def refused(code, request, call=stub.ModelInfer):
    try:
        answer = call(request, timeout=30)
    except grpc.RpcError as error:
        assert error.code().name == code and error.details(), (error.code(), error.details())
        return
    raise AssertionError(f"no error: {answer}")


def refusals():
    Input, Contents = service_pb2.ModelInferRequest.InferInputTensor, service_pb2.InferTensorContents
    text = Input(name="text", datatype="BYTES", shape=[1])

    def request(*inputs, **members):
        return service_pb2.ModelInferRequest(model_name="folder/sentiment", inputs=inputs, **members)

    def typed(datatype, shape, **contents):
        return request(Input(name="text", datatype=datatype, shape=shape, contents=Contents(**contents)))

    element = struct.pack("<I", 1) + b"a"
    stub.ModelInfer(request(text, raw_input_contents=[element]))
    for bad in [
        request(), request(text), request(text, text, raw_input_contents=[element, element]),
        request(text, raw_input_contents=[element, element]), request(text, raw_input_contents=[element[:-1]]),
        request(text, raw_input_contents=[struct.pack("<I", 2**32 - 1) + b"a"]),
        request(Input(name="text", datatype="BYTES", shape=[1], contents=Contents(bytes_contents=[b"a"])), raw_input_contents=[element]),
        typed("BYTES", [2**62, 2**62], bytes_contents=[b"a"]), typed("BYTES", [-1], bytes_contents=[b"a"]),
        typed("INT8", [1], int_contents=[200]), typed("UINT8", [1], uint_contents=[256]), typed("FP16", [1], fp32_contents=[1]),
        typed("FP32", [2], fp32_contents=[1]), typed("BF8", [1], fp32_contents=[1]), typed("BYTES", [1], bytes_contents=[b"\xff"]),
        typed("INT64", [1], int64_contents=[1]), typed("BYTES", [1], bytes_contents=[b"a"], fp32_contents=[1]),
        typed("BYTES", [0], int_contents=[1]), typed("FP16", [0]),
        # A name as long as a body leaves room for the error's words in a header.
        request(Input(name="n" * 100_000, datatype="INT8", shape=[1], contents=Contents(int_contents=[200]))),
        request(Input(name="n" * 100_000, datatype="BYTES", shape=[1], contents=Contents(bytes_contents=[b"a"])), raw_input_contents=[element]),
    ]:
        refused("INVALID_ARGUMENT", bad)
    refused("NOT_FOUND", service_pb2.ModelInferRequest(model_name="nobody", inputs=[text], raw_input_contents=[element]))
    refused("RESOURCE_EXHAUSTED", request(text, raw_input_contents=[bytes(32 << 20)]))
    # The transport ends the stream of a message of 64 KiB more than the limit.
    refused("CANCELLED", request(text, raw_input_contents=[bytes(40 << 20)]))
    refused("UNIMPLEMENTED", service_pb2.SystemSharedMemoryStatusRequest(), stub.SystemSharedMemoryStatus)
    channel = grpc.insecure_channel(address)
    damaged = channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")
    for body in [b"\xff" * 100, b"\x0a\xff\xff\xff\xff\x0f", b"\x2a" * 1000]:
        try:
            damaged(body, timeout=30)
        except grpc.RpcError as error:
            assert error.code().name in ("INVALID_ARGUMENT", "INTERNAL"), error
        else:
            raise AssertionError("no error")
    assert client.is_server_ready()


for part in [server, texts, pictures, streams, networks, repository, refusals]:
    part()
