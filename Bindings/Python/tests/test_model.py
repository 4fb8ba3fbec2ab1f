"""Models: what they give, and in which shapes."""

import asyncio
import pathlib

import pytest

import apus_inference as apus

np = pytest.importorskip("numpy")

JOY, SAD = "A joy from start to finish.", "It never finds its feet."
LABELS = ["three red circles", "two red circles", "three blue circles", "a red square"]


def test_classes_of_texts_have_the_shape_of_a_pipeline(sentiment):
    model = apus.Model(sentiment)
    one = model.classify(JOY)
    assert [each["label"] for each in one] == ["positive", "negative"]
    # The first page of README has the same numbers, by `apus classify-text`.
    assert one[0]["score"] == pytest.approx(0.858, abs=5e-4)
    many = model.classify([JOY, SAD], top_k=1)
    assert [[each["label"] for each in answer] for answer in many] == [["positive"], ["negative"]]
    assert many[1][0]["score"] == pytest.approx(0.817, abs=5e-4)
    assert many[0].label == "positive" and not many[0].uncertain
    assert model.classify([]) == []


def test_zero_shot(scenes, circles):
    model = apus.Model(scenes)
    answer = model.zero_shot(str(circles), LABELS)
    assert [each["label"] for each in answer] == LABELS
    assert answer[0]["score"] == pytest.approx(0.985, abs=5e-4)
    assert len(model.zero_shot([circles, circles], LABELS, top_k=2)[1]) == 2
    softmax = model.zero_shot(circles, LABELS, scoring="softmax")
    assert sum(each["score"] for each in softmax) == pytest.approx(1, abs=1e-5)
    other = model.zero_shot(circles, LABELS, templates=["a picture of {}"])
    assert other[0]["score"] != answer[0]["score"]


def test_pictures_in_every_form_give_the_same_vector(scenes, circles):
    image = pytest.importorskip("PIL.Image").open(circles)
    model = apus.Model(scenes)
    expected = model.encode(circles)
    assert expected.shape == (model.dimension,) and expected.dtype == np.float32
    array = np.asarray(image.convert("RGB"))
    forms = [circles.read_bytes(), bytearray(circles.read_bytes()), memoryview(circles.read_bytes()), image, array]
    forms += [np.asfortranarray(array), array[::-1][::-1], np.dstack([array, np.full(array.shape[:2], 9, np.uint8)])]
    for form in forms:
        assert np.array_equal(model.encode(form), expected)
    assert np.array_equal(model.encode(np.stack([array, array])), np.stack([expected, expected]))
    assert np.array_equal(model.encode([circles, "a red square"])[0], expected)


def test_vectors_and_cosines(scenes):
    model = apus.Model(scenes)
    vectors = model.encode(LABELS, normalize_embeddings=True)
    assert vectors.shape == (4, model.dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    assert np.abs(model.similarity(vectors, vectors) - vectors @ vectors.T).max() < 1e-6
    assert np.array_equal(apus.similarity(vectors.tolist(), vectors), model.similarity(vectors, vectors))
    assert model.similarity(vectors[0], vectors).shape == (1, 4)
    assert model.encode([]).shape == (0, model.dimension)
    assert isinstance(model.encode(LABELS, convert_to_numpy=False)[0][0], float)
    # The order and the company of texts change nothing but roundings.
    assert np.abs(model.encode(LABELS[::-1])[::-1] - model.encode(LABELS)).max() < 1e-5


def test_a_failed_input_leaves_the_others_alone(scenes, circles, tmp_path):
    model = apus.Model(scenes)
    (tmp_path / "broken.png").write_bytes(circles.read_bytes()[:200])
    inputs = [circles, tmp_path / "none.png", tmp_path / "broken.png", circles]
    vectors, errors = model.encode_with_errors(inputs)
    assert [error is None for error in errors] == [True, False, False, True]
    assert isinstance(errors[1], FileNotFoundError) and isinstance(errors[2], apus.ImageError)
    assert np.isnan(vectors[1]).all() and np.array_equal(vectors[0], vectors[3])
    assert np.array_equal(model.encode(inputs, on_error="null"), vectors, equal_nan=True)
    assert [each is None for each in model.zero_shot(inputs, LABELS, on_error="null")] == [False, True, True, False]
    with pytest.raises(FileNotFoundError) as raised:
        model.encode(inputs)
    assert "picture 1" in raised.value.where
    texts = model.encode(["a", None, 3.5, "b"], on_error="null")
    assert np.isnan(texts[1:3]).all() and not np.isnan(texts[[0, 3]]).any()


def test_order_of_documents_by_cosines(scenes):
    model = apus.Model(scenes, task="text-embedding")
    ranking = model.rerank("three red circles", ["a yellow sun", "three red circles"], return_documents=True)
    assert ranking.order == [1, 0] and ranking[0]["text"] == "three red circles"
    assert ranking[0]["score"] == pytest.approx(1, abs=1e-5)
    assert len(model.rerank("a", ["b", "c"], top_k=1)) == 1 and model.rerank("a", []) == []


def test_twins_for_asyncio(sentiment, scenes):
    async def both():
        return await asyncio.gather(apus.Model(scenes).aencode(LABELS), apus.Model(sentiment).aclassify(JOY))

    vectors, answer = asyncio.run(both())
    assert vectors.shape[0] == 4 and answer[0]["label"] == "positive"


def test_a_cancelled_task_stops_the_call(scenes):
    model = apus.Model(scenes)
    token = apus.CancelToken()

    async def stopped():
        task = asyncio.ensure_future(model.aencode(["a long text of many words " * 4] * 20000, cancel=token))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)

    asyncio.run(stopped())
    assert token.is_cancelled
    with pytest.raises(apus.CancelledError):
        model.encode("a", cancel=token)


def test_progress_is_shown_on_standard_error_alone(scenes, capfd):
    apus.Model(scenes).encode(["a"] * 50, show_progress_bar=True)
    shown = capfd.readouterr()
    assert shown.out == "" and "50" in shown.err


def test_settings(scenes, sentiment):
    model = apus.Model(sentiment, threshold=0.99)
    assert model.classify(JOY).uncertain and model.classify(JOY).reason == "low_score"
    assert "threshold" in model.settings()
    # A setting counts for those tasks of the model that have it.
    several = apus.Model(scenes, scoring=None, threshold=0.5)
    assert several.encode("a").shape == (several.dimension,)
    assert apus.Model(scenes, precision="int8").encode("a").shape == (several.dimension,)


def test_what_a_notebook_shows(sentiment, scenes):
    assert "2 classes" in repr(apus.Model(sentiment))
    assert "positive" in apus.Model(sentiment).classify(JOY)._repr_html_()
    model = apus.Model(pathlib.Path(scenes))
    model.encode("a")
    assert "vector" in repr(model)


def test_vectors_are_those_of_sentence_transformers(minilm):
    sentence_transformers = pytest.importorskip("sentence_transformers")
    texts = [JOY, SAD, "", "naïve café 😀", "word " * 600]
    expected = sentence_transformers.SentenceTransformer(minilm, device="cpu").encode(texts)
    assert np.abs(apus.Model(minilm).encode(texts) - expected).max() < 1e-5
