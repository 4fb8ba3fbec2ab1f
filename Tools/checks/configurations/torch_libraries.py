"""What open_clip and timm answer."""
from .references import TEXTS, Answer, logits, opened, unit
from .transformers_library import transformers


def open_clip(folder, pictures):
    transformers()
    import open_clip
    model, transform = open_clip.create_model_from_pretrained(f"local-dir:{folder}", precision="fp32")
    model.eval()
    tokens = open_clip.get_tokenizer(f"local-dir:{folder}")(TEXTS)
    texts = unit(_pooled(model.encode_text(row[None])) for row in tokens)
    images = unit(_pooled(model.encode_image(transform(image)[None])) for image in opened(pictures))
    bias = getattr(model, "logit_bias", None)
    return Answer(texts + images + logits(images, texts, model.logit_scale.exp(), 0 if bias is None else bias))


def _pooled(output):
    """The features of the one item; towers that put out tokens too give a pair."""
    return (output[0] if isinstance(output, tuple) else output)[0]


def timm_classes(folder, pictures):
    transformers()
    import timm
    import torch
    model = timm.create_model(f"local-dir:{folder}", pretrained=True).eval()
    transform = timm.data.create_transform(**timm.data.resolve_model_data_config(model), is_training=False)
    return Answer([torch.softmax(model(transform(image)[None])[0], 0).tolist() for image in opened(pictures)])
