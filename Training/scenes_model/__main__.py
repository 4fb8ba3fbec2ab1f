"""Draws, trains, exports, measures and writes the card: all of Weights/scenes from one seed, and its int8 form."""
import argparse
import functools
import pathlib
import shutil
import subprocess
import time

import torch
from safetensors.torch import load_file

from . import card, vocabulary
from .code_training import learn_meanings
from .evaluation import measure, measure_frames, measure_reference
from .export import export
from .image_lesson import ImageLesson, LastImageLesson
from .logits import PICTURES as FITTED, fit_logits
from .model import new_model
from .patterned import patterned_scene
from .pictures import TrainingSet, draw_training_set
from .rejection import fit, measure_foreign
from .samples import draw_samples
from .scene import training_scene
from .tasks import all_tasks, draw_tasks
from .text_lesson import TextLesson, without_made_up
from .training import LAST_PEAK, PROCESSES, train

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(prog="Training/scenes", description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "Weights" / "scenes", help="the model's folder")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / ".build" / "train" / "scenes",
                        help="drawn pictures (28 KB each) and checkpoints; a run that was stopped goes on from there")
    parser.add_argument("--apus", type=pathlib.Path, default=ROOT / "Tools" / "apus", help="the program that measures")
    parser.add_argument("--pictures", type=int, default=300_000, help="training pictures")
    parser.add_argument("--steps", type=int, default=17_000, help="training steps of the picture's tower")
    parser.add_argument("--last-steps", type=int, default=3_000,
                        help="steps after them with half of the pictures each, some of objects with patterns")
    parser.add_argument("--text-steps", type=int, default=12_000, help="training steps of the text's tower")
    parser.add_argument("--image-batch", type=int, default=48, help="pictures of a step, for each of two processes")
    parser.add_argument("--text-batch", type=int, default=96, help="sentences of a step, for each of two processes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--note", default="", help="what else the card shall say of this run")
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument("--keep-weights", action="store_true",
                      help="take the weights and the vocabulary that lie in the model's folder, and make all else anew")
    kept.add_argument("--last-steps-only", action="store_true",
                      help="the same, but teach the picture's tower that lies there the last steps")
    parser.add_argument("--judges", type=pathlib.Path, required=True,
                        help="a folder with imagenet150, rice_images, small_sets, photo_search and images_odd: the foreign"
                             " pictures that the card counts; nothing is learned from them")
    return parser.parse_args()


def main():
    options = arguments()
    work, out = options.work, options.out
    taken = "" if options.keep_weights else make_weights(options)
    fitted = fit(options.apus, out, work, options.seed)
    quantized = out.with_name(out.name + "-int8")
    # They are drawn anew below, and the int8 form has none.
    shutil.rmtree(out / "samples", ignore_errors=True)
    subprocess.run([options.apus, "quantize", out, quantized, "--to", "int8", "--force"], check=True)
    draw_samples(out / "samples", options.seed)
    draw_tasks(work / "tasks", options.seed)
    figures = {
        "f32": measure(options.apus, out, work / "tasks"),
        "int8": measure(options.apus, quantized, work / "tasks", "int8"),
        "frames": measure_frames(options.apus, out, work / "tasks"),
        "reference": measure_reference(options.apus, out, work / "tasks"), "fitted": fitted,
        "foreign": measure_foreign(options.apus, [(out, "f32"), (quantized, "int8")], options.judges, work,
                                   all_tasks()[0].sentences())}
    card.write(out, figures, options, taken)
    card.write_quantized(quantized, out)


def make_weights(options):
    """Draws, trains and exports; returns a sentence of how long all of it took."""
    work, begun = options.work, time.time()
    if options.last_steps_only:
        words = vocabulary.Vocabulary(options.out)
        model = new_model(len(words), options.seed).eval()
        weights = load_file(options.out / "model.safetensors")
        model.load_state_dict({name: value.float() for name, value in weights.items()})
    else:
        vocabulary.train(work / "vocabulary", options.seed)
        words = vocabulary.Vocabulary(work / "vocabulary")
        model = trained_model(options, words)
        for path in (work / "vocabulary").iterdir():
            shutil.copy(path, options.out)
    learn_last(model, options, words)
    export(model, options.out)
    return "" if options.last_steps_only else f"It took {(time.time() - begun) / 60:.0f} minutes."


def trained_model(options, words):
    """Both towers, each trained by itself."""
    work, seed = options.work, options.seed
    draw_training_set(work / "pictures", options.pictures, seed, training_scene, processes=2)
    lesson = functools.partial(ImageLesson, (work / "pictures", options.pictures), len(words), options.image_batch, seed)
    image = train(lesson, work / "run" / "pictures.pt", options.steps)
    text = train(functools.partial(TextLesson, meaning_code(work / "run" / "meanings.pt", seed), work / "vocabulary",
                                   options.text_batch, seed), work / "run" / "sentences.pt", options.text_steps)
    model = new_model(len(words), seed).eval()
    model.vision_model.load_state_dict(of_tower(image))
    model.text_model.load_state_dict(without_made_up(of_tower(text), len(words)))
    return model


def learn_last(model, options, words):
    """Teaches the picture's tower the last steps, no picture twice, and fits the logits to both towers."""
    work, seed, batch = options.work, options.seed, options.image_batch // 2
    pictures = work / "patterned", PROCESSES * batch * options.last_steps
    draw_training_set(*pictures, seed, patterned_scene, processes=2)
    lesson = functools.partial(LastImageLesson, model.vision_model.state_dict(), pictures, len(words), batch, seed)
    last = train(lesson, work / "run" / "last.pt", options.last_steps, LAST_PEAK)
    model.vision_model.load_state_dict(of_tower(last))
    # The first ones of the training: what is asked for later has no patterned objects.
    plain = work / "pictures", FITTED
    draw_training_set(*plain, seed, training_scene, processes=2)
    fit_logits(model, TrainingSet(*plain), words, seed)


def of_tower(values):
    return {name.removeprefix("tower."): value for name, value in values.items() if name.startswith("tower.")}


def meaning_code(path, seed):
    """What the vectors of meanings are made of, learned once."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        torch.save(learn_meanings(seed).state_dict(), path)
    return torch.load(path)


if __name__ == "__main__":
    main()
