"""The tokenizers that Apus is compared with: each a folder or file for Apus, and the library's ids."""

import dataclasses
import json
import pathlib
import shutil
import typing

import sentencepiece
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from tokenizers.implementations import BertWordPieceTokenizer

# Of CLIPTokenizer in transformers.
CLIP_WORDS = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"


@dataclasses.dataclass
class Case:
    name: str
    # What `apus tokenize --model` is given.
    path: pathlib.Path
    # The ids of a list of texts, special tokens included.
    encode: typing.Callable[[list[str]], list[list[int]]]
    # The ids and the types of a list of pairs; none for a library that knows no pairs.
    encode_pairs: typing.Callable[[list[list[str]]], list[tuple[list[int], list[int]]]] | None = None
    # What `apus tokenize` is told besides.
    options: tuple[str, ...] = ()


def of_tokenizer(name, path, tokenizer, limit=None, side="right"):
    """With a limit texts and pairs are cut to it, the longer of a pair first, and filled up."""
    tokenizer.no_truncation()
    tokenizer.no_padding()
    if limit:
        tokenizer.enable_truncation(limit, strategy="longest_first", direction=side)
        tokenizer.enable_padding(length=limit, pad_id=0)

    def pairs(texts):
        encodings = [tokenizer.encode(*pair) for pair in texts]
        return [(encoding.ids, encoding.type_ids) for encoding in encodings]

    return Case(
        name, path, lambda texts: [tokenizer.encode(text).ids for text in texts], pairs, ("--pad",) if limit else ())


def of_file(name, path):
    return of_tokenizer(name, path, Tokenizer.from_file(str(path)))


def of_sentencepiece(name, path, folder):
    """The model file alone: beside tokenizer_config.json it would be that class's."""
    folder = folder / name
    folder.mkdir()
    shutil.copy(path, folder / "spiece.model")
    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return Case(name, folder / "spiece.model", processor.encode)


def bert(shared, folder, name="bert", limit=None, side="right"):
    folder = folder / name
    folder.mkdir()
    shutil.copy(shared / "wordpiece/vocab.txt", folder / "vocab.txt")
    if limit:
        (folder / "tokenizer_config.json").write_text(json.dumps({
            "tokenizer_class": "BertTokenizer", "model_max_length": limit, "truncation_side": side}))
    tokenizer = BertWordPieceTokenizer(str(folder / "vocab.txt"), lowercase=True)
    return of_tokenizer(name, folder, tokenizer._tokenizer, limit, side)


def clip(shared, folder):
    folder = folder / "clip"
    folder.mkdir()
    for file in ("vocab.json", "merges.txt"):
        shutil.copy(shared / "clip" / file, folder / file)
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "CLIPTokenizer"}))
    tokenizer = Tokenizer(models.BPE.from_file(
        str(folder / "vocab.json"), str(folder / "merges.txt"), unk_token="<|endoftext|>",
        continuing_subword_prefix="", end_of_word_suffix="</w>", fuse_unk=False))
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(CLIP_WORDS), behavior="removed", invert=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False)])
    start, end = (tokenizer.token_to_id(token) for token in ("<|startoftext|>", "<|endoftext|>"))
    tokenizer.post_processor = processors.RobertaProcessing(
        ("<|endoftext|>", end), ("<|startoftext|>", start), add_prefix_space=False, trim_offsets=False)
    tokenizer.add_special_tokens([
        AddedToken(token, normalized=False) for token in ("<|startoftext|>", "<|endoftext|>")])
    return of_tokenizer("clip", folder, tokenizer)


def byte_level(texts, folder):
    """Byte-level BPE as RoBERTa has it, trained on some of the texts; as one file, and as raw files."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=8000, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"]))
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    return saved("byte-level", tokenizer, folder)


def gemma(texts, folder):
    """BPE over characters with byte fallback, as Gemma has it."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    tokenizer.decoder = decoders.Sequence([
        decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    bytes_ = [f"<0x{byte:02X}>" for byte in range(256)]
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=8000, limit_alphabet=500, max_token_length=16, show_progress=False,
        special_tokens=["<pad>", "<eos>", "<bos>", "<unk>"] + bytes_))
    # The bytes are pieces, not special tokens that text could name.
    written = json.loads(tokenizer.to_str())
    written["added_tokens"] = [token for token in written["added_tokens"] if token["id"] < 4]
    tokenizer = Tokenizer.from_str(json.dumps(written))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<bos> $A", pair="<bos> $A <bos> $B", special_tokens=[("<bos>", 2)])
    return saved("gemma", tokenizer, folder)


def unigram(texts, folder):
    """A unigram model word by word, with the rules of NFKC in the way of `tokenizers`."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.train_from_iterator(texts, trainers.UnigramTrainer(
        vocab_size=2000, unk_token="<unk>", show_progress=False, special_tokens=["<unk>", "<pad>", "</s>"]))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 2)])
    return saved("unigram", tokenizer, folder)


def saved(name, tokenizer, folder):
    path = folder / f"{name}.json"
    tokenizer.save(str(path))
    return of_file(name, path)


def sentencepiece_bpe(texts, folder):
    """A BPE model of sentencepiece with byte fallback, as Llama has it."""
    path = folder / "trained.model"
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([text.replace("\n", " ").replace("\0", " ") for text in texts]),
        model_prefix=str(path.with_suffix("")), model_type="bpe", vocab_size=3000, byte_fallback=True,
        hard_vocab_limit=False, character_coverage=0.98, normalization_rule_name="identity",
        remove_extra_whitespaces=False, split_digits=True, allow_whitespace_only_pieces=True,
        user_defined_symbols=["<image>", "▁▁▁▁"], num_threads=1, minloglevel=2)
    return of_sentencepiece("sentencepiece-bpe", path, folder)


def all_cases(shared, minilm, training, folder):
    """The cases as (name, function that makes one), those of shared data only where it is."""
    cases = []
    if shared.is_dir():
        cases += [
            ("bert", lambda: bert(shared, folder)),
            ("bert-48", lambda: bert(shared, folder, "bert-48", 48)),
            ("bert-48-left", lambda: bert(shared, folder, "bert-48-left", 48, "left")),
            ("clip", lambda: clip(shared, folder)),
            ("siglip", lambda: of_file("siglip", shared / "siglip/tokenizer.json")),
            ("siglip-spiece", lambda: of_sentencepiece("siglip-spiece", shared / "siglip/spiece.model", folder)),
            ("english-spiece", lambda: of_sentencepiece(
                "english-spiece", shared / "sentencepiece/test_model.model", folder)),
            ("japanese-spiece", lambda: of_sentencepiece(
                "japanese-spiece", shared / "sentencepiece/test_ja_model.model", folder)),
        ]
    if minilm:
        cases.append(("minilm", lambda: of_file("minilm", minilm / "tokenizer.json")))
    return cases + [
        ("byte-level", lambda: byte_level(training, folder)),
        ("gemma", lambda: gemma(training, folder)),
        ("unigram", lambda: unigram(training, folder)),
        ("sentencepiece-bpe", lambda: sentencepiece_bpe(training, folder)),
    ]
