"""What transformers and sentence-transformers answer."""
import functools
import json

from .references import PAIRS, TEXTS, Answer, logits, opened, unit


@functools.cache
def transformers():
    import torch
    # The torchvision of PyPI beside a CPU build of torch lacks its compiled operators; only their names are needed.
    for name in ("nms", "qnms") if "+cpu" in torch.__version__ else ():
        try:
            torch.library.define(f"torchvision::{name}", "(Tensor boxes, Tensor scores, float limit) -> Tensor")
        except RuntimeError:
            pass
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    import transformers
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return transformers


def _model(automatic, folder):
    """The model; refused where weights are missing, of other shapes, or int8 without their scales, which the library only
    warns of."""
    import torch
    model, report = automatic.from_pretrained(folder, output_loading_info=True, dtype=torch.float32)
    if report["missing_keys"] or report["mismatched_keys"]:
        raise ValueError(f"missing weights {sorted(report['missing_keys'])[:2]}")
    if any(key.endswith("_scale") and key != "logit_scale" for key in report["unexpected_keys"]):
        raise ValueError("int8 weights without their scales")
    return model.eval()


def _processor(folder):
    """Pillow's numbers, but for classes whose name says otherwise: as Apus reads the file."""
    kind = json.loads((folder / "preprocessor_config.json").read_text()).get("image_processor_type") or ""
    backend = "torchvision" if str(kind).endswith("Fast") else "pil"
    return transformers().AutoImageProcessor.from_pretrained(folder, backend=backend)


def _tokens(folder, limit, **options):
    tokenizer = transformers().AutoTokenizer.from_pretrained(folder)
    limit = min(tokenizer.model_max_length, limit)
    return [tokenizer(text, return_tensors="pt", truncation=True, max_length=limit, **options) for text in TEXTS]


def _scores(rows, configuration):
    import torch
    if configuration.problem_type == "regression":
        return [row.tolist() for row in rows]
    if configuration.problem_type == "multi_label_classification" or configuration.num_labels == 1:
        return [torch.sigmoid(row).tolist() for row in rows]
    return [torch.softmax(row, 0).tolist() for row in rows]


def _positions(configuration):
    limit = configuration.max_position_embeddings
    if configuration.model_type == "mpnet":
        return limit - 2
    if configuration.model_type == "deberta-v2" and not configuration.position_biased_input:
        return 1 << 16
    return limit - configuration.pad_token_id - 1 if "roberta" in configuration.model_type else limit


def text_classes(folder, pictures):
    model = _model(transformers().AutoModelForSequenceClassification, folder)
    inputs = _tokens(folder, _positions(model.config))
    rows = [model(**text).logits[0] for text in inputs]
    return Answer(_scores(rows, model.config), [text["input_ids"][0].tolist() for text in inputs])


def picture_classes(folder, pictures):
    processor = _processor(folder)
    model = _model(transformers().AutoModelForImageClassification, folder)
    rows = [model(processor(image, return_tensors="pt")["pixel_values"]).logits[0] for image in opened(pictures)]
    return Answer(_scores(rows, model.config))


def _features(output):
    for name in ("image_embeds", "text_embeds", "pooler_output"):
        if getattr(output, name, None) is not None:
            return getattr(output, name)[0]
    return output[0]


def _tower(folder):
    """A tower by itself, and what Apus makes of its features: directions, but for CLIP's without a projection and
    DINOv2's."""
    name = json.loads((folder / "config.json").read_text())["architectures"][0]
    directions = list if name in ("CLIPVisionModel", "CLIPTextModel") or name.startswith("Dinov2") else unit
    return _model(getattr(transformers(), name), folder), directions


def picture_tower(folder, pictures):
    processor, (model, directions) = _processor(folder), _tower(folder)
    rows = [_features(model(processor(image, return_tensors="pt")["pixel_values"])) for image in opened(pictures)]
    return Answer([list(map(float, row)) for row in directions(rows)])


def text_tower(folder, pictures):
    model, directions = _tower(folder)
    fill = {"padding": "max_length"} if model.config.model_type.startswith("siglip") else {}
    inputs = _tokens(folder, model.config.max_position_embeddings, **fill)
    rows = [_features(model(input_ids=text["input_ids"])) for text in inputs]
    rows = [list(map(float, row)) for row in directions(rows)]
    return Answer(rows, None if fill else [text["input_ids"][0].tolist() for text in inputs])


def dual(folder, pictures):
    processor = _processor(folder)
    model = _model(transformers().AutoModel, folder)
    fill = {"padding": "max_length"} if model.config.model_type.startswith("siglip") else {}
    inputs = _tokens(folder, model.config.text_config.max_position_embeddings, **fill)
    texts = unit(_features(model.get_text_features(input_ids=text["input_ids"])) for text in inputs)
    images = unit(
        _features(model.get_image_features(**processor(image, return_tensors="pt"))) for image in opened(pictures))
    rows = texts + images + logits(images, texts, model.logit_scale.exp(), getattr(model, "logit_bias", 0))
    return Answer(rows, None if fill else [text["input_ids"][0].tolist() for text in inputs])


def sentences(folder, pictures):
    import torch
    transformers()
    import sentence_transformers
    model = sentence_transformers.SentenceTransformer(
        str(folder), model_kwargs={"dtype": torch.float32}, device="cpu", local_files_only=True)
    return Answer(model.encode(TEXTS, batch_size=1, show_progress_bar=False).tolist())


def answers(folder, pictures):
    """The scores of a re-ranker that is a decoder."""
    return pairs(folder, pictures, transformers().AutoModelForCausalLM)


def pairs(folder, pictures, automatic=None):
    import torch
    _model(automatic or transformers().AutoModelForSequenceClassification, folder)
    import sentence_transformers
    model = sentence_transformers.CrossEncoder(
        str(folder), model_kwargs={"dtype": torch.float32}, device="cpu", local_files_only=True)
    scores = model.predict(PAIRS, batch_size=1, show_progress_bar=False)
    return Answer(scores.reshape(len(PAIRS), -1).tolist())
