"""Sessions: tensors of every kind in, arrays out."""

import array
import pathlib
import threading

import pytest

import apus_inference as apus

np = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def session(leaf):
    return apus.Session(leaf)


@pytest.fixture(scope="module")
def feed(session):
    told = session.get_inputs()[0]
    numbers = np.random.default_rng(7).random(told.shape, np.float32)
    return told.name, numbers, session.run(None, {told.name: numbers})[0]


def test_inputs_and_outputs_are_described_as_by_onnx_runtime(session):
    (told,) = session.get_inputs()
    assert told.shape == [1, 128, 128, 3] and told.type == "tensor(float)" and told.dtype == "float32"
    (given,) = session.get_outputs()
    assert given.shape == [1, 3] and given.name in repr(session)


def test_memory_of_every_kind(session, feed):
    name, numbers, expected = feed
    read_only = numbers.copy()
    read_only.flags.writeable = False
    wide = np.zeros((1, 128, 128, 6), np.float32)
    wide[..., ::2] = numbers
    forms = [
        read_only,
        wide[..., ::2],
        np.asfortranarray(numbers),
        memoryview(numbers),
        memoryview(numbers.tobytes()).cast("f", list(numbers.shape)),
        numbers.tolist(),
    ]
    for form in forms:
        assert np.array_equal(session.run(None, {name: form})[0], expected)
    assert np.array_equal(session(numbers)[0], expected)
    assert np.array_equal(session.run([session.get_outputs()[0].name], {name: numbers})[0], expected)


class Lent:
    """What lends its memory by DLPack alone."""

    def __init__(self, numbers):
        self.numbers = numbers

    def __dlpack__(self, **options):
        return self.numbers.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.numbers.__dlpack_device__()


def test_dlpack(session, feed):
    name, numbers, expected = feed
    for form in (numbers, np.asfortranarray(numbers), numbers[:, ::-1]):
        wanted = session.run(None, {name: np.ascontiguousarray(form)})[0]
        for _ in range(3):
            assert np.array_equal(session.run(None, {name: Lent(form)})[0], wanted)
    assert np.from_dlpack(session.run(None, {name: numbers})[0]).shape == expected.shape


@pytest.mark.parametrize(
    "bad, kind",
    [
        (lambda x: x.astype(np.float64), "argument"),
        (lambda x: x.astype(">f4"), "argument"),
        (lambda x: x[0], "argument"),
        (lambda x: x[..., :2], "argument"),
        (lambda x: None, "argument"),
        (lambda x: "text", "argument"),
        (lambda x: np.array(["a"]), "argument"),
        (lambda x: np.array([None]), "argument"),
        (lambda x: x.astype(np.complex64), "argument"),
        (lambda x: [[1.0], [1.0, 2.0]], "argument"),
        (lambda x: [["a"]], "argument"),
        (lambda x: np.zeros((1,) * 20, np.float32), "argument"),
    ],
)
def test_what_is_no_such_tensor_is_refused(session, feed, bad, kind):
    name, numbers, _ = feed
    with pytest.raises(apus.ApusError) as raised:
        session.run(None, {name: bad(numbers)})
    assert raised.value.kind == kind and isinstance(raised.value, (ValueError, TypeError))


def test_names_that_nobody_knows_are_refused(session, feed):
    name, numbers, _ = feed
    for outputs, inputs in (
        (None, {"nobody": numbers}),
        (None, {}),
        (None, {name: numbers, "more": numbers}),
        (["nobody"], {name: numbers}),
        (None, {3: numbers}),
        (None, {"": numbers}),
        (None, {"a\0b": numbers}),
    ):
        with pytest.raises(apus.ArgumentError):
            session.run(outputs, inputs)


def test_nan_goes_through(session, feed):
    name, numbers, _ = feed
    assert session.run(None, {name: np.full_like(numbers, np.nan)})[0].shape == (1, 3)


def test_threads_share_a_session(session, feed):
    name, numbers, expected = feed
    wrong = []

    def work():
        for _ in range(20):
            if not np.array_equal(session.run(None, {name: numbers})[0], expected):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong


def test_a_model_may_come_as_bytes(leaf, feed):
    name, numbers, expected = feed
    session = apus.Session(pathlib.Path(leaf).read_bytes())
    assert np.array_equal(session.run(None, {name: numbers})[0], expected)


def test_names_of_onnx_runtime(leaf, feed):
    from apus_inference import onnxruntime

    name, numbers, expected = feed
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = onnxruntime.InferenceSession(leaf, options, providers=["CPUExecutionProvider"])
    assert np.array_equal(session.run([], {name: numbers})[0], expected)
    assert session.get_providers() == onnxruntime.get_available_providers()
    with pytest.raises(apus.ArgumentError):
        onnxruntime.InferenceSession(leaf, providers=["CUDAExecutionProvider"])


def test_integers_of_other_libraries(session, feed):
    name, numbers, expected = feed
    flat = array.array("f", numbers.reshape(-1).tolist())
    with pytest.raises(apus.ArgumentError):
        session.run(None, {name: flat})  # One axis, where four are expected.
    assert np.array_equal(session.run(None, {name: memoryview(flat).cast("B").cast("f", [1, 128, 128, 3])})[0], expected)
