"""Classes of texts, and labels of one's own for pictures, beside transformers' pipelines: the same lines, the same numbers.

Usage: python beside_transformers.py TEXT-CLASSIFIER CLIP-OR-SIGLIP PICTURE
"""

# %% A classifier of texts.
import sys

from PIL import Image
from transformers import pipeline

from apus_inference import Model

classifier, both_towers, picture = sys.argv[1:]


def compare(expected, found, tolerance=1e-5):
    """Whether two lists of labels and scores are alike; those with equal scores may stand in either order."""
    assert {each["label"] for each in expected} == {each["label"] for each in found}
    scores = {each["label"]: each["score"] for each in found}
    most = max(abs(each["score"] - scores[each["label"]]) for each in expected)
    print(found, "differ by", most)
    assert most < tolerance and expected[0]["label"] == found[0]["label"]


texts = ["A joy from start to finish.", "It never finds its feet."]
theirs = pipeline("text-classification", classifier, device="cpu", dtype="float32")
for a, b in zip(theirs(texts, top_k=None), Model(classifier).classify(texts)):
    compare(a, b)

# %% Labels of one's own for a picture. The folder says how a label becomes a sentence; here both are told.
labels = ["three red circles", "two red circles", "three blue circles", "a red square"]
theirs = pipeline("zero-shot-image-classification", both_towers, device="cpu", dtype="float32")
# The pipeline pads to SigLIP's 64 tokens whatever the model's own length is, and lets no argument change that.
theirs._preprocess_params["tokenizer_kwargs"] = {"max_length": theirs.tokenizer.model_max_length}
# It also hides the padding from the model, which SiglipModel by itself does not.
found = Model(both_towers, mask_padding=True).zero_shot(picture, labels, templates="{}")
compare(theirs(Image.open(picture), candidate_labels=labels, hypothesis_template="{}"), found)
