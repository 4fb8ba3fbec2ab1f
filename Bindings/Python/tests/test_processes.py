"""Other processes and threads, pickles, interrupts, and life without NumPy."""

import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest

import apus_inference as apus

TEXT = "three red circles"


def _vector(model):
    return bytes(memoryview(model.encode(TEXT)).cast("B"))


def _digest(path):
    return _vector(apus.Model(path))


def test_a_pickle_opens_the_model_again(scenes, leaf):
    model = apus.Model(scenes, precision="int8")
    copy = pickle.loads(pickle.dumps(model))
    assert "first use" in repr(copy)
    assert _vector(copy) == _vector(model)
    session = apus.Session(leaf)
    assert repr(pickle.loads(pickle.dumps(session)).get_inputs()) == repr(session.get_inputs())
    tokenizer = apus.Tokenizer(scenes)
    assert pickle.loads(pickle.dumps(tokenizer)).encode(TEXT) == tokenizer.encode(TEXT)


def test_a_pickle_of_other_files_is_refused(sentiment, tmp_path):
    place = tmp_path / "model"
    shutil.copytree(sentiment, place)
    pickled = pickle.dumps(apus.Model(place))
    with open(place / "vocab.txt", "a") as file:
        file.write("more\n")
    with pytest.raises(apus.ConfigurationError):
        pickle.loads(pickled).classify("a")


def test_errors_are_pickled(tmp_path):
    with pytest.raises(apus.ApusError) as raised:
        apus.Model(tmp_path / "nothing")
    copy = pickle.loads(pickle.dumps(raised.value))
    assert type(copy) is type(raised.value) and str(copy) == str(raised.value) and copy.kind == "file"


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(scenes, method):
    model = apus.Model(scenes)
    expected = _vector(model)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(_vector, [model] * 4, chunksize=1) == [expected] * 4
        assert pool.map(_digest, [scenes] * 2) == [expected] * 2


def test_fork_while_other_threads_compute(scenes):
    model = apus.Model(scenes)
    expected, stop = _vector(model), threading.Event()

    def work():
        while not stop.is_set():
            model.encode([TEXT] * 20)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for each in threads:
        each.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                os._exit(0 if _vector(model) == expected else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for each in threads:
            each.join()


def test_an_interrupt_ends_a_long_call(scenes):
    program = f"""
import os, signal, threading, time, apus_inference as apus
model = apus.Model({scenes!r})
texts = ["a long text of many words " * 4] * 200000
model.encode("a")
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    model.encode(texts)
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - start < 20)
model.encode("a")
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert ran.stdout == "interrupted True\n", ran.stderr


def test_without_numpy(scenes, leaf):
    program = f"""
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "PIL", "tqdm"):
            raise ImportError(name)
sys.meta_path.insert(0, Absent())
import apus_inference as apus
model = apus.Model({scenes!r})
vectors = model.encode(["a", "b"])
assert isinstance(vectors, memoryview) and vectors.shape == (2, model.dimension)
assert len(model.encode("a").tolist()) == model.dimension
assert abs(apus.similarity(vectors, vectors)[0, 0] - 1) < 1e-6
assert model.encode(["a", None], on_error="null")[1, 0] != 0
session = apus.Session({leaf!r})
name = session.get_inputs()[0].name
memory = memoryview(bytearray(4 * 128 * 128 * 3)).cast("f", [1, 128, 128, 3])
assert session.run(None, {{name: memory}})[0].shape == (1, 3)
assert "numpy" not in sys.modules
print("done")
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert ran.stdout == "done\n", ran.stderr


def test_importing_imports_nothing_heavy():
    program = (
        "import apus_inference, sys; apus_inference.Model; print([n for n in ('numpy','PIL','asyncio') if n in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ran.stdout == "[]\n", ran.stderr


def test_a_handle_that_is_closed(scenes, leaf):
    model, session, tokenizer = apus.Model(scenes), apus.Session(leaf), apus.Tokenizer(scenes)
    for each in (model, session, tokenizer):
        each.close()
        each.close()
        assert "closed" in repr(each)
    for use in (lambda: model.encode("a"), lambda: session.run(None, {}), lambda: tokenizer.encode("a")):
        with pytest.raises(apus.ClosedError) as raised:
            use()
        assert isinstance(raised.value, ValueError) and raised.value.kind == "closed"


def test_closing_while_others_use_it(scenes):
    expected = _vector(apus.Model(scenes))
    for _ in range(5):
        model, found = apus.Model(scenes), []

        def work(model=model, found=found):
            try:
                while True:
                    found.append(_vector(model) == expected)
            except apus.ClosedError:
                found.append(True)

        threads = [threading.Thread(target=work) for _ in range(3)]
        for each in threads:
            each.start()
        time.sleep(0.02)
        model.close()
        for each in threads:
            each.join(30)
        assert all(found) and len(found) >= 3


def test_one_model_is_open_once(scenes):
    first, second = apus.Model(scenes), apus.Model(scenes)
    first.encode("a"), second.encode("a")
    assert first._open[("text-embedding", "")] is second._open[("text-embedding", "")]


def test_a_sub_interpreter(scenes):
    interpreters = pytest.importorskip("_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters")
    expected = _vector(apus.Model(scenes)).hex()
    identity = interpreters.create()
    paths = [each for each in sys.path if each]
    program = f"""
import sys; sys.path[:] = {paths!r}
sys.modules["numpy"] = None  # NumPy refuses to be in two interpreters.
import apus_inference as apus
vector = apus.Model({scenes!r}).encode({TEXT!r})
assert bytes(vector.cast("B")).hex() == {expected!r}
"""
    try:
        failed = interpreters.run_string(identity, program)
        assert not failed
    finally:
        interpreters.destroy(identity)
