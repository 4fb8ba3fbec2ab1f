"""Ray, Spark and Dask: the same bytes as one process gives, with one load for each worker, and after a worker is killed."""

import os
import signal
import threading
import time

import pytest

import apus_inference as apus

np = pytest.importorskip("numpy")

TEXTS = [f"{number} {colour} {shape}" for number in range(25) for colour in ("red", "blue") for shape in ("stars", "hearts")]
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(apus.__file__)))


@pytest.fixture(scope="module")
def expected(scenes):
    # As a worker computes it: batches and threads change nothing.
    return apus.Model(scenes, threads=1).encode(TEXTS).tobytes()


def environment():
    names = ("APUS_LIBRARY", "PYTHONPYCACHEPREFIX")
    paths = os.pathsep.join(filter(None, [PACKAGE, os.path.dirname(__file__), os.environ.get("PYTHONPATH")]))
    return {**{name: os.environ[name] for name in names if name in os.environ}, "PYTHONPATH": paths}


@pytest.fixture(scope="module")
def cluster():
    # Ray gives its own processes half a minute to start, which a busy machine does not always grant them.
    os.environ.setdefault("RAY_DASHBOARD_STARTUP_TIMEOUT_S", "300")
    os.environ.setdefault("RAY_gcs_server_request_timeout_seconds", "300")
    os.environ.setdefault("RAY_worker_register_timeout_seconds", "600")
    ray = pytest.importorskip("ray")
    # Ray's processes have the environment of this one.
    os.environ.update(environment())
    for attempt in range(3):
        try:
            ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
            break
        except Exception:
            ray.shutdown()
            if attempt == 2:
                raise
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()


def rows(dataset):
    found = {row["place"]: row for row in dataset.take_all()}
    return [found[place] for place in range(len(TEXTS))]


def vectors(found, column="embedding"):
    return np.array([row[column] for row in found], np.float32).tobytes()


def test_ray(cluster, scenes, expected):
    from apus_inference.ray import embed

    data = cluster.data.from_items([{"place": place, "text": text} for place, text in enumerate(TEXTS)])
    found = embed(data.repartition(4), scenes, actors=2, batch_size=16, error_column="why")
    assert vectors(rows(found)) == expected
    import pyarrow

    kind = found.schema().base_schema.field("embedding").type
    assert pyarrow.types.is_fixed_size_list(kind) and kind.value_type == pyarrow.float32()


def test_ray_classifies_paths(cluster, scenes, circles):
    from apus_inference.ray import classify

    paths = [{"file": str(circles)}, {"file": str(circles) + ".none"}]
    data = cluster.data.from_items(paths)
    found = classify(data, scenes, input_column="file", paths=True, labels=["three red circles", "a sun"], actors=1)
    answers = {row["file"]: row["label"] for row in found.take_all()}
    assert answers == {paths[0]["file"]: "three red circles", paths[1]["file"]: None}


def _slow_embedder():
    from apus_inference.ray import Embedder

    class Slow(Embedder):
        """Tells where it runs, and takes its time, so that it can be killed in the middle."""

        def __init__(self, model, folder, **options):
            super().__init__(model, **options)
            self._place = os.path.join(folder, str(os.getpid()))

        def __call__(self, table):
            with open(self._place, "a") as file:
                file.write(f"{table['place'][0].as_py()}\n")
            time.sleep(0.3)
            return super().__call__(table)

    return Slow


def test_ray_after_a_worker_is_killed(cluster, scenes, expected, tmp_path):
    data = cluster.data.from_items([{"place": place, "text": text} for place, text in enumerate(TEXTS)])
    work = data.repartition(10).map_batches(
        _slow_embedder(), fn_constructor_args=(scenes, str(tmp_path)), fn_constructor_kwargs={"threads": 1},
        compute=cluster.data.ActorPoolStrategy(size=2), num_cpus=1, batch_size=10, batch_format="pyarrow",
        max_restarts=-1, max_task_retries=-1,
    )  # fmt: skip
    killed = []

    def kill():
        for _ in range(600):
            workers = [each for each in os.listdir(tmp_path) if len((tmp_path / each).read_text().split()) > 1]
            if workers:
                killed.append(int(workers[0]))
                os.kill(killed[0], signal.SIGKILL)
                return
            time.sleep(0.1)

    killer = threading.Thread(target=kill)
    killer.start()
    found = rows(work)
    killer.join()
    assert killed and vectors(found) == expected
    begun = [line for each in os.listdir(tmp_path) for line in (tmp_path / each).read_text().split()]
    # What the killed actor was about is done anew, and nothing that was finished.
    assert len(begun) - len(set(begun)) <= 3


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql")
    os.environ.setdefault("PYSPARK_PYTHON", os.sys.executable)
    builder = sql.SparkSession.builder.master(os.environ.get("APUS_SPARK_MASTER", "local[2]"))
    for name, value in environment().items():
        builder = builder.config(f"spark.executorEnv.{name}", value)
    session = builder.config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def test_spark(spark, scenes, expected):
    from apus_inference.spark import classify, embed, embed_udf

    frame = spark.createDataFrame(list(enumerate(TEXTS)), "place int, text string").repartition(4)
    found = embed(frame, scenes, threads=1, error_column="why").orderBy("place").collect()
    assert vectors(found) == expected and found[0]["why"] is None
    by_function = frame.withColumn("embedding", embed_udf(scenes, threads=1)("text")).orderBy("place").collect()
    assert vectors(by_function) == expected
    missing = spark.createDataFrame([(None,), ("a",)], "text string")
    assert [row["embedding"] is None for row in embed(missing, scenes).collect()] == [True, False]
    sentiment = os.path.join(os.path.dirname(scenes), "sentiment")
    labels = classify(spark.createDataFrame([("A joy from start to finish.",)], "text string"), sentiment).collect()
    assert labels[0]["label"] == "positive" and labels[0]["label_score"] > 0.8


def test_dask(scenes, expected):
    bags = pytest.importorskip("dask.bag")
    from apus_inference.dask import embed, embed_bag

    model = apus.Model(scenes, threads=1)
    found = embed_bag(bags.from_sequence(TEXTS, npartitions=3), model).compute(scheduler="processes", num_workers=2)
    assert np.array(found).tobytes() == expected
    frames = pytest.importorskip("dask.dataframe")
    import pandas

    frame = frames.from_pandas(pandas.DataFrame({"text": [*TEXTS, None]}), npartitions=2)
    table = embed(frame, model, error_column="why").compute(scheduler="synchronous")
    assert np.array(table["embedding"].tolist()[:-1], np.float32).tobytes() == expected
    assert "expected a text" in table["why"].iloc[-1]
