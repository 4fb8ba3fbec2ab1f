"""The folders that are changed, which keys, and who answers for them."""
import dataclasses
import typing

from . import folders, program, torch_libraries, transformers_library as library
from .changes import ABSENT, Change
from .network_keys import (
    ALBERT, BEIT, BERT, CLIP, CLIP_TEXT, COMMON, CONVNEXT, DEBERTA, DINOV2, DINOV2_REGISTERS, DISTILBERT, ELECTRA, GEMMA3, GTE,
    MOBILENET, MODERNBERT, MPNET, NOMIC, PACKED, QUANTIZATION, QWEN3, RESNET, SIGLIP, SIGLIP_TEXT, SWIN, VISION_TOWER,
    VIT)
from .open_clip_keys import OPEN_CLIP, TIMM, TIMM_EFFICIENTNET, TIMM_MOBILENETV3, TIMM_RESNET, TIMM_VIT
from .picture_keys import BEIT_PICTURE, DINOV2_PICTURE, PICTURE
from .sentence_keys import ANSWERING_MODULES, CROSS_ENCODER, CROSS_ENCODER_MODULES, DENSE, SENTENCE
from .tokenizer_keys import BESIDE_JSON, PAIRS, RAW_FILES, WORD_PIECES


@dataclasses.dataclass(frozen=True)
class Family:
    # The folder of Tests/Fixtures/transformers that it starts from.
    source: str
    reference: typing.Callable
    answer: typing.Callable
    # The values of each key of each file.
    files: dict
    prepare: typing.Callable | None = None

    def changes(self, file_names=None):
        """Each change by itself."""
        return [
            Change(file, key, value)
            for file, keys in self.files.items() if not file_names or file in file_names
            for key, values in keys.items() for value in values]


def _text_classes(source, configuration, tokenizer, prepare=None):
    files = {"config.json": configuration, **tokenizer} if configuration else tokenizer
    return Family(source, library.text_classes, program.text_classes, files, prepare)


def _pair_classes(files, prepare=None):
    return Family("bert-reranker", library.pairs, program.pair_classes, files, prepare)


def _picture_classes(source, configuration, pictures=PICTURE):
    return Family(source, library.picture_classes, program.picture_classes,
                  {"config.json": configuration, "preprocessor_config.json": pictures})


def _picture_tower(source, configuration={**COMMON, **VISION_TOWER}, pictures=PICTURE):
    return Family(source, library.picture_tower, program.pictures,
                  {"config.json": configuration, "preprocessor_config.json": pictures})


def _text_tower(source, configuration, tokenizer, prepare=None):
    return Family(source, library.text_tower, program.texts, {"config.json": {**COMMON, **configuration}, **tokenizer}, prepare)


def _dual(source, files, prepare=None):
    return Family(source, library.dual, program.two_towers, files, prepare)


def _open_clip(source, prepare):
    return Family(source, torch_libraries.open_clip, program.two_towers, {"open_clip_config.json": OPEN_CLIP}, prepare)


FAMILIES = {
    "bert-classifier": _text_classes("bert-classifier", BERT, BESIDE_JSON),
    "distilbert-classifier": _text_classes("distilbert-classifier", DISTILBERT, BESIDE_JSON),
    "roberta-classifier": _text_classes("roberta-classifier", BERT, BESIDE_JSON),
    "xlm-roberta-classifier": _text_classes("xlm-roberta-classifier", BERT, BESIDE_JSON),
    "mpnet-classifier": _text_classes("mpnet-classifier", MPNET, BESIDE_JSON),
    "mpnet": Family("mpnet", library.sentences, program.texts, {"config.json": MPNET}),
    "electra-classifier": _text_classes("electra-classifier", ELECTRA, BESIDE_JSON),
    "electra": Family("electra", library.sentences, program.texts, {"config.json": ELECTRA}),
    "albert-classifier": _text_classes("albert-classifier", ALBERT, BESIDE_JSON),
    "albert": Family("albert", library.sentences, program.texts, {"config.json": ALBERT}),
    "deberta-classifier": _text_classes("deberta-classifier", DEBERTA, BESIDE_JSON),
    "deberta-convolution": _text_classes("deberta-convolution", DEBERTA, {}),
    "deberta": Family("deberta", library.sentences, program.texts, {"config.json": DEBERTA}),
    "deberta-c2p": Family("deberta-c2p", library.sentences, program.texts, {"config.json": DEBERTA}),
    "modernbert": Family("modernbert", library.sentences, program.texts, {"config.json": MODERNBERT}),
    "modernbert-cls": Family("modernbert-cls", library.sentences, program.texts, {"config.json": MODERNBERT}),
    "modernbert-classifier": _text_classes("modernbert-classifier", MODERNBERT, BESIDE_JSON),
    "modernbert-reranker": _text_classes("modernbert-reranker", MODERNBERT, {}),
    "qwen3-embedding": Family("qwen3-embedding", library.sentences, program.texts, {"config.json": QWEN3}),
    "qwen3": Family("qwen3", library.sentences, program.texts, {"config.json": QWEN3}),
    "qwen3-classifier": _text_classes("qwen3-classifier", QWEN3, {}),
    "qwen3-reranker": Family(
        "qwen3-reranker", library.answers, program.pair_classes, {"config.json": QWEN3, **ANSWERING_MODULES}),
    "gemma3-embedding": Family(
        "gemma3-embedding", library.sentences, program.texts, {"config.json": GEMMA3, "2_Dense/config.json": DENSE}),
    "nomic": Family("nomic", library.sentences, program.texts, {"config.json": NOMIC}, folders.library_keys),
    "gte-arctic": Family("gte-arctic", library.sentences, program.texts, {"config.json": GTE}),
    "bert-sentence": Family("bert-sentence", library.sentences, program.texts, {"config.json": BERT, **SENTENCE}),
    "bert-sentence-cls": Family("bert-sentence-cls", library.sentences, program.texts, SENTENCE),
    "bert-sentence-0": Family("bert-sentence", library.sentences, program.texts, {}, folders.modules_in_folders),
    "cross-encoder": _pair_classes({"config.json": {**BERT, **CROSS_ENCODER}, **BESIDE_JSON}),
    "cross-encoder-modules": _pair_classes(CROSS_ENCODER_MODULES, folders.cross_encoder_modules),
    "vit": _picture_classes("vit", VIT),
    "deit": _picture_classes("deit", VIT),
    "mobilenetv2": _picture_classes("mobilenetv2", MOBILENET),
    "convnext": _picture_classes("convnext", CONVNEXT),
    "resnet": _picture_classes("resnet", RESNET),
    "resnet-bottleneck": _picture_classes("resnet-bottleneck", RESNET, {}),
    "beit": _picture_classes("beit", BEIT, BEIT_PICTURE),
    "beit-shared": _picture_classes("beit-shared", BEIT, {}),
    "swin": _picture_classes("swin", SWIN),
    "swin-window7": _picture_classes("swin-window7", SWIN, {}),
    "dinov2": _picture_tower("dinov2", DINOV2, DINOV2_PICTURE),
    "dinov2-swiglu": _picture_tower("dinov2-swiglu", DINOV2, {}),
    "dinov2-classifier": _picture_classes("dinov2-classifier", DINOV2, {}),
    "dinov2-registers": _picture_tower("dinov2-registers", DINOV2_REGISTERS, {}),
    "dinov2-registers-classifier": _picture_classes("dinov2-registers-classifier", DINOV2_REGISTERS, {}),
    "clip": _dual("clip", {"config.json": CLIP, "preprocessor_config.json": PICTURE, **BESIDE_JSON}),
    "siglip": _dual("siglip", {"config.json": SIGLIP, "preprocessor_config.json": PICTURE}, folders.by_file),
    "clip-vision": _picture_tower("clip-vision"),
    "clip-vision-projection": _picture_tower("clip-vision-projection"),
    "siglip-vision": _picture_tower("siglip-vision"),
    "clip-text": _text_tower("clip-text", CLIP_TEXT, BESIDE_JSON),
    "clip-text-projection": _text_tower("clip-text-projection", CLIP_TEXT, {}),
    "siglip-text": _text_tower("siglip-text", SIGLIP_TEXT, BESIDE_JSON, folders.by_file),
    "bert-vocab.txt": _text_classes("bert-classifier", None, WORD_PIECES, folders.word_pieces),
    "distilbert-vocab.txt": _text_classes("distilbert-classifier", None, WORD_PIECES, folders.word_pieces),
    "mpnet-vocab.txt": _text_classes("mpnet-classifier", None, WORD_PIECES, folders.word_pieces),
    "roberta-vocab.json": _text_classes("roberta-classifier", None, PAIRS, folders.pairs),
    "clip-vocab.json": _text_tower("clip-text", {}, PAIRS, folders.pairs),
    "siglip-spiece.model": _text_tower("siglip-text", {}, RAW_FILES, folders.sentence_pieces),
    "xlm-roberta-sentencepiece.bpe.model": _text_classes(
        "xlm-roberta-classifier", None, RAW_FILES, folders.xlm_roberta_pieces),
    "albert-spiece.model": _text_classes("albert-classifier", None, RAW_FILES, folders.albert_pieces),
    "deberta-spm.model": _text_classes("deberta-classifier", None, RAW_FILES, folders.deberta_pieces),
    "xlm-roberta-unigram": _text_classes("xlm-roberta-classifier", None, BESIDE_JSON, folders.xlm_roberta_file),
    "compressed-tensors": _text_classes("distilbert-int8", QUANTIZATION, {}, folders.compressed),
    "compressed-tensors-asymmetric": _text_classes("distilbert-int8", None, {}, folders.asymmetric),
    "compressed-tensors-packed": _text_classes("bert-int4", PACKED, {}, folders.raw_scores),
    "open-clip": _open_clip("open-clip", folders.own_tokenizer),
    "open-clip-custom-text": _open_clip("open-clip-custom-text", folders.own_tokenizer),
    "open-clip-vocab.json": Family(
        "open-clip", torch_libraries.open_clip, program.two_towers,
        {"open_clip_config.json": {}, "tokenizer_config.json": {"": [{}, ABSENT]}}, folders.published_open_clip),
    "timm": Family("mobilenetv2-timm", torch_libraries.timm_classes, program.picture_classes, {"config.json": TIMM},
                   folders.timm_network),
    "timm-resnet": Family("resnet-timm-deep", torch_libraries.timm_classes, program.picture_classes,
                          {"config.json": TIMM_RESNET}, folders.timm_resnet),
    "timm-mobilenetv3": Family("mobilenetv3-timm", torch_libraries.timm_classes, program.picture_classes,
                               {"config.json": TIMM_MOBILENETV3}, folders.timm_mobilenetv3),
    "timm-efficientnet": Family("efficientnet-timm-same", torch_libraries.timm_classes, program.picture_classes,
                                {"config.json": TIMM_EFFICIENTNET}, folders.timm_efficientnet),
    **{name: Family(name, torch_libraries.timm_classes, program.picture_classes, {"config.json": TIMM_VIT}, folders.in_floats)
       for name in ("vit-timm", "vit-timm-mean", "vit-timm-registers", "vit-timm-dynamic", "deit-timm-distilled")},
}
