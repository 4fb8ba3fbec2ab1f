"""Adapters, against the packages that they are for."""

import asyncio
import pickle

import pytest

import apus_inference as apus

CAT, DOG = "a cat asleep", "three red circles"


def test_langchain(scenes):
    documents = pytest.importorskip("langchain_core.documents")
    stores = pytest.importorskip("langchain_core.vectorstores")
    from apus_inference.langchain import ApusEmbeddings, ApusReranker

    embeddings = ApusEmbeddings(model=scenes, normalize_embeddings=True, model_kwargs={"threads": 1})
    store = stores.InMemoryVectorStore(embeddings)
    store.add_documents([documents.Document(CAT), documents.Document(DOG)])
    assert [each.page_content for each in store.similarity_search(DOG, k=1)] == [DOG]
    assert asyncio.run(embeddings.aembed_query(DOG)) == embeddings.embed_query(DOG)
    ranked = ApusReranker(model=scenes, top_n=1).compress_documents([documents.Document(CAT), documents.Document(DOG)], DOG)
    assert ranked[0].page_content == DOG and ranked[0].metadata["relevance_score"] > 0.99


def test_llamaindex(scenes):
    core = pytest.importorskip("llama_index.core")
    from apus_inference.llamaindex import ApusEmbedding, ApusRerank

    embedding = ApusEmbedding(model_name=scenes)
    index = core.VectorStoreIndex.from_documents([core.Document(text=CAT), core.Document(text=DOG)], embed_model=embedding)
    nodes = index.as_retriever(similarity_top_k=2).retrieve(DOG)
    assert [each.text for each in nodes] == [DOG, CAT]
    assert len(ApusRerank(model=scenes, top_n=1).postprocess_nodes(nodes, query_str=CAT)) == 1


def test_haystack(scenes):
    haystack = pytest.importorskip("haystack")
    from haystack.components.retrievers.in_memory import InMemoryEmbeddingRetriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    from apus_inference.haystack import ApusDocumentEmbedder, ApusRanker, ApusTextEmbedder

    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    embedder = ApusDocumentEmbedder(scenes)
    store.write_documents(embedder.run([haystack.Document(content=CAT), haystack.Document(content=DOG)])["documents"])
    pipeline = haystack.Pipeline()
    pipeline.add_component("embedder", ApusTextEmbedder(scenes))
    pipeline.add_component("retriever", InMemoryEmbeddingRetriever(store))
    pipeline.add_component("ranker", ApusRanker(scenes, top_k=1))
    pipeline.connect("embedder.embedding", "retriever.query_embedding")
    pipeline.connect("retriever.documents", "ranker.documents")
    found = pipeline.run({"embedder": {"text": DOG}, "ranker": {"query": DOG}})["ranker"]["documents"]
    assert [each.content for each in found] == [DOG]
    again = ApusDocumentEmbedder.from_dict(embedder.to_dict())
    assert again.run([haystack.Document(content=CAT)])["documents"][0].embedding


def test_chroma(scenes):
    chromadb = pytest.importorskip("chromadb")
    from apus_inference.chroma import ApusEmbeddingFunction

    client = chromadb.EphemeralClient()
    collection = client.create_collection("notes", embedding_function=ApusEmbeddingFunction(scenes))
    collection.add(ids=["1", "2"], documents=[CAT, DOG])
    assert collection.query(query_texts=[DOG], n_results=1)["documents"] == [[DOG]]
    # Chroma makes the function anew from what it saved.
    again = client.get_collection("notes")
    assert again.query(query_texts=[CAT], n_results=1)["documents"] == [[CAT]]


def test_scikit_learn(scenes):
    base = pytest.importorskip("sklearn.base")
    np = pytest.importorskip("numpy")
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline

    from apus_inference.sklearn import ApusVectorizer

    texts = ["a red circle", "two red squares", "a red heart", "a blue circle", "two blue squares", "a blue heart"] * 3
    colours = [1, 1, 1, 0, 0, 0] * 3
    pipeline = make_pipeline(ApusVectorizer(scenes, threads=1), LogisticRegression())
    assert list(pipeline.fit(texts, colours).predict(["three red stars", "three blue stars"])) == [1, 0]
    assert base.clone(pipeline[0]).get_params() == pipeline[0].get_params()
    assert cross_val_score(pipeline, texts, colours, cv=3, n_jobs=2).mean() > 0.9
    assert list(pickle.loads(pickle.dumps(pipeline)).predict(["three red stars"])) == [1]
    vectorizer = ApusVectorizer(scenes).fit(texts)
    assert len(vectorizer.get_feature_names_out()) == vectorizer.transform(np.array(["a"])).shape[1]
    assert vectorizer.transform(np.array([["a"], ["b"]])).shape[0] == 2
    with pytest.raises(ValueError):
        vectorizer.transform("a")


def test_packages_for_onnx_runtime(leaf):
    """A run by ONNX Runtime's names, where ONNX Runtime itself is beside."""
    onnxruntime = pytest.importorskip("onnxruntime")
    np = pytest.importorskip("numpy")
    import os

    from apus_inference import onnxruntime as twin

    path = os.environ.get("APUS_ONNX_MODEL")
    if not path:
        pytest.skip("APUS_ONNX_MODEL names no file")
    expected, found = onnxruntime.InferenceSession(path), twin.InferenceSession(path)
    assert [each.name for each in found.get_inputs()] == [each.name for each in expected.get_inputs()]
    assert [each.type for each in found.get_inputs()] == [each.type for each in expected.get_inputs()]
    feed = {}
    for each in expected.get_inputs():
        shape = [size if isinstance(size, int) else 1 for size in each.shape]
        feed[each.name] = np.random.default_rng(3).random(shape).astype(np.float32)
    for a, b in zip(found.run(None, feed), expected.run(None, feed)):
        assert a.shape == b.shape and np.abs(a - b).max() <= 1e-4 * max(1, np.abs(b).max())


def test_errors_reach_the_caller(tmp_path):
    pytest.importorskip("langchain_core")
    from apus_inference.langchain import ApusEmbeddings

    with pytest.raises(apus.MissingFileError):
        ApusEmbeddings(model=str(tmp_path / "nothing"))
