"""Writes the card of the model: its text is card.md, its figures are given."""
import math
import pathlib

import transformers
from safetensors import safe_open

from . import held_out
from .attributes import BACKGROUNDS, COLOUR_NAMES, KINDS, THING_COLOURS
from .code_blocks import WIDTH
from .code_training import SCENES
from .evaluation import FRAMED
from .model import IMAGE_LAYERS, TEXT_LAYERS
from .foreign import MAKERS
from .image_lesson import LAST_BOUND
from .patterned import PATTERNED_SHARE
from .pictures import PATCH, SIDE
from .rejection import FOREIGN_SHARE, KNOWN_PICTURES, MADE_OF_KIND
from .renderer import SIDE as DRAWN
from .samples import SAMPLES
from .tasks import HELD_OUT, SEEN
from .training import ADAMW, LAST, LAST_PEAK, MUON, PROCESSES
from .vocabulary import LENGTH, Vocabulary

TEMPLATE = pathlib.Path(__file__).with_name("card.md")


def write(folder, figures, settings, time):
    """- figures: what `evaluation` and `rejection` measured; time: a sentence of how long training took, or nothing."""
    reference, weights = figures["reference"], folder / "model.safetensors"
    with safe_open(weights, "pt") as file:
        parameters = sum(file.get_tensor(name).numel() for name in file.keys())
    text = TEMPLATE.read_text().format(
        parameters=parameters / 1e6, command="Training/scenes", kinds=len(KINDS), colours=len(THING_COLOURS),
        bytes=weights.stat().st_size / 1e6, side=SIDE, patch=PATCH, image_layers=IMAGE_LAYERS, width=WIDTH,
        length=LENGTH, text_layers=TEXT_LAYERS, pieces=len(Vocabulary(folder)), samples=len(SAMPLES),
        kind_names=", ".join(KINDS), colour_names=", ".join(THING_COLOURS),
        background_names=", ".join(COLOUR_NAMES[index] for index in BACKGROUNDS),
        pictures=settings.pictures, code_scenes=SCENES, steps=settings.steps, batch=PROCESSES * settings.image_batch,
        last_steps=settings.last_steps, last_batch=PROCESSES * (settings.image_batch // 2), last_peak=LAST_PEAK,
        patterned=PATTERNED_SHARE, last_bound=LAST_BOUND,
        text_steps=settings.text_steps, text_batch=PROCESSES * settings.text_batch, muon=MUON, adamw=ADAMW, last=LAST,
        seed=settings.seed, time=f" {time}" if time else "", note=settings.note,
        held_out=sum(len(pairs) for pairs in held_out.FAMILIES.values()), examples=examples(), drawn=DRAWN,
        tasks=task_table(figures), framed=figures["frames"][0]["pictures"],
        framed_tasks=", ".join(FRAMED), frames=frame_table(figures["frames"]), transformers=transformers.__version__,
        difference=reference["relative difference"], different=reference["different answers"],
        compared=reference["pictures"], rejection=(folder / "rejection.apus").stat().st_size / 1e3,
        known=KNOWN_PICTURES, made=MADE_OF_KIND * len(MAKERS), made_share=FOREIGN_SHARE,
        novelty=figures["fitted"]["novelty_threshold"], certain_known=certain_table(figures),
        certain_foreign=foreign_table(figures["foreign"]), lost=lost_points(figures))
    (folder / "README.md").write_text(text)


def write_quantized(folder, original):
    """The card of the int8 form: where to read on."""
    (folder / "README.md").write_text(
        f"# {folder.name}: {original.name} in int8\n\n"
        f"What `apus quantize Weights/{original.name} Weights/{folder.name} --to int8` wrote; run it with "
        f"`--precision int8`.\n[The card of {original.name}](../{original.name}/README.md) has the figures of both.\n")


def examples():
    (colour, kind), (count, other) = held_out.FAMILIES["colour and kind"][0], held_out.FAMILIES["count and kind"][1]
    return f"{COLOUR_NAMES[colour]} with {KINDS[kind]}, or the number {count} with {KINDS[other]}"


def task_table(figures):
    """A row for each task: held out, seen, and held out in int8."""
    def found(name, task, part):
        return next((row for row in figures[name] if row["task"] == task and row["part"] == part), None)

    rows = []
    for row in figures["f32"]:
        if row["part"] == HELD_OUT:
            seen, int8 = found("f32", row["task"], SEEN), found("int8", row["task"], HELD_OUT)
            rows.append((row["task"], row["labels"], f"{1 / row['labels']:.1%}", row["pictures"],
                         f"{row['accuracy']:.1%}", f"{seen['accuracy']:.1%}" if seen else "",
                         f"{int8['accuracy']:.1%}"))
    total = [sum(row["right"] for row in figures[name] if row["part"] == HELD_OUT) for name in ("f32", "int8")]
    count = sum(row[3] for row in rows)
    rows.append(("all", "", "", count, f"{total[0] / count:.1%}", "", f"{total[1] / count:.1%}"))
    return table(("task", "labels", "by chance", "pictures", "held out", "seen", "held out, int8"), rows)


def certain_table(figures):
    """Right answers before and after, of new pictures."""
    rows = []
    for name, form in (("f32", ""), ("int8", ", int8")):
        for part in (HELD_OUT, SEEN):
            parts = [row for row in figures[name] if row["part"] == part]
            count = sum(row["pictures"] for row in parts)
            rows.append((f"{part.replace('-', ' ')}{form}", count, share(sum(row["right"] for row in parts), count),
                         share(sum(row["certain right"] for row in parts), count)))
    return table(("drawn pictures", "pictures", "right before", "right and certain now"), rows)


def lost_points(figures):
    """How many points of right answers on held-out pictures are uncertain now."""
    parts = [row for row in figures["f32"] if row["part"] == HELD_OUT]
    lost = sum(row["right"] - row["certain right"] for row in parts)
    return f"{100 * lost / sum(row['pictures'] for row in parts):.2f}"


def foreign_table(sets):
    """The share of each judging set that is certain: before, by score, and now."""
    rows = [(row["name"], row["pictures"], "100%", f"{row['sure'] / row['pictures']:.1%}",
             *(share(count, row["pictures"]) for count in row["certain"])) for row in sets]
    return table(("foreign pictures", "pictures", "certain before", "with a score of 0.5 or more", "certain now",
                  "certain now, int8"), rows)


def share(part, whole):
    """With the 95 % interval of Wilson (1927)."""
    z, p = 1.959964, part / whole
    middle, reach = p + z * z / (2 * whole), z * math.sqrt(p * (1 - p) / whole + (z / whole / 2) ** 2)
    low, high = ((middle + sign * reach) / (1 + z * z / whole) for sign in (-1, 1))
    return f"{p:.1%} ({max(low, 0):.1%} to {min(high, 1):.1%})"


def frame_table(frames):
    return table(("frame", "accuracy"), [(f"`{row['frame']}`", f"{row['accuracy']:.1%}") for row in frames])


def table(head, rows):
    """A Markdown table: names to the left, figures to the right."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
