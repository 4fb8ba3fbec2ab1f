"""Keys that the libraries' own classes have and that no case changes."""
import dataclasses
import inspect

from .families import FAMILIES
from .transformers_library import transformers

# What a class takes that no file of a folder says.
_NOT_IN_FILES = {"self", "kwargs", "args", "vocab", "merges", "vocab_file", "merges_file", "_spm_precompiled_charsmap"}


def _configuration(model_type):
    return set(transformers().AutoConfig.for_model(model_type).to_dict()) | set(
        transformers().PretrainedConfig().to_dict())


def _image_processor(name):
    kinds = getattr(transformers(), name).valid_kwargs
    return set().union(*(getattr(kind, "__annotations__", {}) for kind in [kinds, *getattr(kinds, "__orig_bases__", [])]))


def _tokenizer(name):
    base = set(transformers().PreTrainedTokenizerBase.SPECIAL_TOKENS_ATTRIBUTES)
    return base | set(inspect.signature(getattr(transformers(), name).__init__).parameters)


def _fields(kind):
    return {field.name for field in dataclasses.fields(kind)}


def _classes():
    """Family, file, the path of the object, and the keys that a library's class has for it."""
    import open_clip
    import timm
    from open_clip.transform import PreprocessCfg
    for family, model_type in {
        "bert-classifier": "bert", "distilbert-classifier": "distilbert", "roberta-classifier": "roberta",
        "xlm-roberta-classifier": "xlm-roberta", "mpnet-classifier": "mpnet", "vit": "vit", "deit": "deit", "mobilenetv2": "mobilenet_v2",
        "convnext": "convnext", "clip": "clip", "siglip": "siglip", "clip-vision": "clip_vision_model",
        "siglip-vision": "siglip_vision_model", "clip-text": "clip_text_model", "siglip-text": "siglip_text_model",
        "dinov2": "dinov2", "dinov2-registers": "dinov2_with_registers", "electra-classifier": "electra",
        "albert-classifier": "albert", "modernbert-classifier": "modernbert", "deberta-classifier": "deberta-v2", "resnet": "resnet", "beit": "beit",
        "swin": "swin", "qwen3-embedding": "qwen3", "gemma3-embedding": "gemma3_text", "nomic": "nomic_bert", "gte-arctic": "gte",
    }.items():
        yield family, "config.json", "", _configuration(model_type)
    for family, name in {
        "vit": "ViTImageProcessor", "deit": "DeiTImageProcessor", "mobilenetv2": "MobileNetV2ImageProcessor",
        "convnext": "ConvNextImageProcessor", "clip": "CLIPImageProcessor", "siglip": "SiglipImageProcessor",
        "dinov2": "BitImageProcessor", "resnet": "ConvNextImageProcessor", "beit": "BeitImageProcessor",
        "swin": "ViTImageProcessor",
    }.items():
        yield family, "preprocessor_config.json", "", _image_processor(name)
    for family, name in {
        "bert-classifier": "BertTokenizer", "roberta-classifier": "RobertaTokenizer", "clip": "CLIPTokenizer",
        "mpnet-classifier": "MPNetTokenizer", "albert-classifier": "AlbertTokenizer", "deberta-classifier": "DebertaV2Tokenizer",
        "xlm-roberta-unigram": "XLMRobertaTokenizer", "siglip-spiece.model": "SiglipTokenizer",
    }.items():
        yield family, "tokenizer_config.json", "", _tokenizer(name)
    towers = {"model_cfg.vision_cfg.": open_clip.CLIPVisionCfg, "model_cfg.text_cfg.": open_clip.CLIPTextCfg,
              "preprocess_cfg.": PreprocessCfg}
    for prefix, kind in towers.items():
        yield "open-clip", "open_clip_config.json", prefix, _fields(kind)
    yield "timm", "config.json", "pretrained_cfg.", _fields(timm.models.PretrainedCfg)


def missing():
    """Lines that name such keys."""
    for family, file, prefix, keys in _classes():
        tried = FAMILIES[family].files[file]
        left = sorted(key for key in keys - _NOT_IN_FILES if prefix + key not in tried)
        if left:
            yield f"{family}: {file}: {', '.join(prefix + key for key in left)}"
