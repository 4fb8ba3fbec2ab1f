"""Makes the files that the engines read, each in a process of its own: what a library holds ends with it.

Usage: python -m models.build FOLDER [FILE…]   (all files by default)
"""

import shutil
import subprocess
import sys
from pathlib import Path

from models import exports
from models.classifiers import CLASSIFIERS
from models.exports import EXPORTS
from models.towers import TOWERS

PEERS = Path(__file__).resolve().parent.parent
MODELS = sorted({tower.model for tower in TOWERS.values()})
# MobileNetV2's files, and what each is made of.
MOBILENETS = {
    "mnv2_float32.tflite": [],
    "mnv2_float32.onnx": [],
    "mnv2_int8.onnx": ["mnv2_float32.onnx"],
    "mnv2_uint8.onnx": ["mnv2_float32.onnx"],
}
# A tower's files by what follows its name, and what each is made of.
FORMS = {
    ".expected.npy": [],
    ".onnx": [".expected.npy"],
    ".int8.onnx": [".onnx"],
    ".int8.xml": [".onnx"],
    ".tflite": [".expected.npy"],
    ".int8.tflite": [".expected.npy"],
}
# The same of a classifier.
CLASSIFIER_FORMS = {".keras": [], ".tflite": [".keras"], ".int8.tflite": [".keras"]}
FILES = [*MOBILENETS, *MODELS] + [
    name + form
    for name, tower in TOWERS.items()
    for form in FORMS
    if tower.has_tflite or not form.endswith(".tflite")
]
FILES += [name + form for name in CLASSIFIERS for form in CLASSIFIER_FORMS]
FILES += [name + form for name in EXPORTS for form in exports.FORMS]


def make(folder, name):
    """The path of a file in `folder`, made if it is missing."""
    folder = Path(folder)
    path = folder / name
    if path.exists():
        return path
    for needed in sources(name):
        make(folder, needed)
    print(f"making {path}", file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "models.build", "--only-this", str(folder), name]
    subprocess.run(command, check=True, cwd=PEERS)
    return path


def sources(name):
    """The files that a file is made of."""
    stem, form = split(name)
    if form in exports.FORMS and stem in EXPORTS:
        return [stem + needed for needed in exports.FORMS[form][1]]
    if stem in TOWERS:
        return [TOWERS[stem].model] + [stem + needed for needed in FORMS[form]]
    if stem in CLASSIFIERS:
        return [stem + needed for needed in CLASSIFIER_FORMS[form]]
    return MOBILENETS.get(name, [])


def split(name):
    """The name of a tower or classifier, and the form of its file."""
    stem, _, form = name.partition(".")
    return stem, "." + form


def write(folder, name):
    """Writes one file into a folder apart, and moves it and what stands beside it in when all is done."""
    unfinished = folder / (name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    try:
        recipe(folder, name, unfinished / name)
        for path in unfinished.iterdir():
            path.rename(folder / path.name)
    finally:
        shutil.rmtree(unfinished)


def recipe(folder, name, path):
    stem, form = split(name)
    if form in exports.FORMS and stem in EXPORTS:
        from models import export_files

        export_files.write(EXPORTS[stem], form, folder, path)
    elif name in MOBILENETS:
        from models import mobilenet

        mobilenet.write(folder, path)
    elif name in MODELS:
        from models import torch_models

        torch_models.write_folder(name, path, "float16" if name.startswith("siglip") else "float32")
    elif stem in CLASSIFIERS:
        write_classifier(CLASSIFIERS[stem], form, folder, path)
    else:
        write_form(TOWERS[stem], form, folder, path)


def write_classifier(classifier, form, folder, path):
    from models import classifier_files

    if form == ".keras":
        classifier_files.write_keras(classifier, path)
    else:
        source = folder / (classifier.name + ".keras")
        classifier_files.write_tflite(classifier, source, path, int8=form != ".tflite")


def write_form(tower, form, folder, path):
    expected = folder / (tower.name + ".expected.npy")
    if form == ".expected.npy":
        from models import torch_models

        torch_models.write_expected(tower, folder / tower.model, path)
    elif form.endswith(".tflite"):
        from models import tensorflow_files

        tensorflow_files.write(tower, folder / tower.model, path, expected, int8=form != ".tflite")
    else:
        from models import onnx_files

        if form == ".onnx":
            onnx_files.export(tower, folder / tower.model, path, expected)
        elif form == ".int8.onnx":
            onnx_files.quantize_dynamic(tower, folder / (tower.name + ".onnx"), path, expected)
        else:
            onnx_files.quantize_static(tower, folder / (tower.name + ".onnx"), path, expected)


def main(arguments):
    if arguments[:1] == ["--only-this"]:
        write(Path(arguments[1]), arguments[2])
    elif arguments:
        for name in arguments[1:] or FILES:
            make(arguments[0], name)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
