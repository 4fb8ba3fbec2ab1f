"""What all references share: the texts, the pictures, and what a library answers."""
import dataclasses

TEXTS = [
    "a photo of a cat", "The Film was a joy!", "Café 中国 dog", "leaf [MASK] <mask> </s> left zebra", " two  spaces",
    "healthy rice leaf with brown spot and the lazy dog and a chest x-ray with pneumonia on the left side",
]

# Each text with the next but one.
PAIRS = [(text, TEXTS[(index + 2) % len(TEXTS)]) for index, text in enumerate(TEXTS)]


@dataclasses.dataclass
class Answer:
    # A row of numbers for each text, then for each picture, then of logits for each picture where both are compared.
    rows: list
    # The ids of each text, where they are what Apus prints too.
    ids: list | None = None


def pictures(folder):
    """Writes pictures of both orientations; their paths."""
    import random
    from PIL import Image
    numbers = random.Random(1)
    paths = []
    for index, size in enumerate([(61, 47), (30, 55)]):
        image = Image.new("RGB", size)
        image.putdata([tuple(numbers.randrange(256) for _ in range(3)) for _ in range(size[0] * size[1])])
        path = folder / f"picture{index}.png"
        image.resize((2 * size[0], 2 * size[1]), Image.BICUBIC).save(path)
        paths.append(path)
    return paths


def opened(paths):
    from PIL import Image
    return [Image.open(path).convert("RGB") for path in paths]


def unit(rows):
    import torch
    return [torch.nn.functional.normalize(torch.as_tensor(row).float(), dim=0).tolist() for row in rows]


def logits(images, texts, scale, bias):
    """A row for each picture: its cosine with each text, scaled and moved."""
    import torch
    return (torch.tensor(images) @ torch.tensor(texts).T * scale + bias).tolist()
