"""What is refused, and how: one family, with a kind, a place and advice."""

import os

import pytest

import apus_inference as apus


def test_members_are_what_people_catch(tmp_path, sentiment, scenes):
    empty = tmp_path / "empty.tflite"
    empty.write_bytes(b"")
    noise = tmp_path / "noise.onnx"
    noise.write_bytes(os.urandom(1000))
    for make, expected in (
        (lambda: apus.Model(tmp_path / "nothing"), FileNotFoundError),
        (lambda: apus.Model("nobody/nothing"), FileNotFoundError),
        (lambda: apus.Session(empty), ValueError),
        (lambda: apus.Session(noise), ValueError),
        (lambda: apus.Session(b"no model"), ValueError),
        (lambda: apus.Model(sentiment, precision="f7"), ValueError),
        (lambda: apus.Model(sentiment, nonsense=1), ValueError),
        (lambda: apus.Model(sentiment, threads=0), ValueError),
        (lambda: apus.Model(sentiment, threads="many"), ValueError),
        (lambda: apus.Model(sentiment, threshold=object()), TypeError),
        (lambda: apus.Model(sentiment, task="poetry"), ValueError),
        (lambda: apus.Model(None), TypeError),
        (lambda: apus.Model("a\0b"), ValueError),
        (lambda: apus.Model(sentiment).encode("a"), NotImplementedError),
        (lambda: apus.Model(sentiment).zero_shot("a.png", ["a"]), NotImplementedError),
        (lambda: apus.Model(sentiment).classify(None), TypeError),
        (lambda: apus.Model(sentiment).classify(3), TypeError),
        (lambda: apus.Model(sentiment).classify(["a", 3]), TypeError),
        (lambda: apus.Model(sentiment).classify("a", top_k=0), ValueError),
        (lambda: apus.Model(sentiment).classify("a", top_k="all"), TypeError),
        (lambda: apus.Model(sentiment).classify({"text": "a"}), ValueError),
        (lambda: apus.Model(scenes).encode("a", on_error="ignore"), ValueError),
        (lambda: apus.Model(scenes).encode("a", prompt_name="nobody"), ValueError),
        (lambda: apus.Model(scenes).encode(["a", None]), TypeError),
        (lambda: apus.Model(scenes).encode([[1, 2]]), TypeError),
        (lambda: apus.Model(scenes).zero_shot("a.png", "a cat"), TypeError),
        (lambda: apus.Model(scenes).zero_shot("a.png", []), ValueError),
        (lambda: apus.Model(scenes).zero_shot("none.png", ["a"]), FileNotFoundError),
        (lambda: apus.Model(scenes).zero_shot(b"no picture", ["a"]), ValueError),
        (lambda: apus.Model(scenes).rerank(3, ["a"]), TypeError),
        (lambda: apus.Model(scenes).rerank("a", "b"), TypeError),
        (lambda: apus.Tokenizer(tmp_path), (ValueError, OSError)),
        (lambda: apus.Tokenizer(sentiment).encode(3), TypeError),
        (lambda: apus.Tokenizer(sentiment).decode(["a"]), TypeError),
        (lambda: apus.similarity([[1.0, 2.0]], [[1.0, 2.0, 3.0]]), ValueError),
        (lambda: apus.similarity([], [[1.0]]), ValueError),
        (lambda: apus.seal("forever"), ValueError),
    ):
        with pytest.raises(apus.ApusError) as raised:
            make()
        assert isinstance(raised.value, expected), repr(raised.value)
        assert raised.value.kind and str(raised.value)


def test_a_key_that_nobody_knows_is_named(sentiment):
    with pytest.raises(apus.ArgumentError, match="nonsense"):
        apus.Model(sentiment, nonsense=1)


def test_arrays_of_other_kinds_are_no_pictures(scenes):
    np = pytest.importorskip("numpy")
    model = apus.Model(scenes)
    for bad in (
        np.zeros((8, 8, 3), np.float32),
        np.zeros((3, 8, 8), np.uint8),
        np.zeros((8, 8, 2), np.uint8),
        np.zeros((0, 8, 3), np.uint8),
        np.zeros((1, 1, 1, 8, 8, 3), np.uint8),
    ):
        with pytest.raises(apus.ArgumentError):
            model.encode([bad])


def test_what_a_progress_function_raises_ends_the_call(scenes):
    from apus_inference import _engine
    from apus_inference._calls import CancelToken
    from apus_inference._tensors import new_array

    model = apus.Model(scenes)
    model.encode("a")
    handle = model._open[("text-embedding", "")]
    _, address = new_array("float32", (500, model.dimension))

    def fail(_fraction):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        _engine.embed_texts(handle.pointer, ["a"] * 500, None, address, model.dimension, CancelToken(), fail, False)


def test_a_library_that_is_none(monkeypatch, tmp_path):
    from apus_inference import _native

    monkeypatch.setattr(_native, "_library", None)
    monkeypatch.setenv("APUS_LIBRARY", str(tmp_path / "nothing.so"))
    with pytest.raises(apus.LibraryError) as raised:
        apus.native_version()
    assert isinstance(raised.value, ImportError) and raised.value.kind == "library" and raised.value.advice


def test_odd_texts(scenes, sentiment):
    model = apus.Model(scenes)
    assert model.encode(["", "\0", "a\0b", "\ud800", "😀" * 1000]).shape == (5, model.dimension)
    assert model.encode(["a\0b"])[0].tolist() != model.encode(["a"])[0].tolist()
    # A classifier refuses a text without words, as transformers do not.
    with pytest.raises(apus.ArgumentError, match="text 0"):
        apus.Model(sentiment).classify(["", "a"])
    assert apus.Model(sentiment).classify(["", "a"], on_error="null")[0] is None
