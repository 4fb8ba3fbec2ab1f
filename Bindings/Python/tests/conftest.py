"""Where the models of these tests are."""

import os
import pathlib

import pytest

ROOT = pathlib.Path(os.environ.get("APUS_CHECKOUT", pathlib.Path(__file__).resolve().parents[3]))
WEIGHTS = ROOT / "Weights"


@pytest.fixture(scope="session")
def sentiment():
    return str(WEIGHTS / "sentiment")


@pytest.fixture(scope="session")
def scenes():
    return str(WEIGHTS / "scenes")


@pytest.fixture(scope="session")
def leaf():
    return str(WEIGHTS / "rice-leaf" / "rice_v1_float32.tflite")


@pytest.fixture(scope="session")
def circles():
    return WEIGHTS / "scenes" / "samples" / "three-red-circles.png"


@pytest.fixture(scope="session")
def minilm():
    """all-MiniLM-L6-v2, which Tools/fixtures/fetch-minilm or APUS_MINILM has."""
    place = os.environ.get("APUS_MINILM")
    if not place or not os.path.isdir(place):
        pytest.skip("APUS_MINILM names no folder with all-MiniLM-L6-v2")
    return place
