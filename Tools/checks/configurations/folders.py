"""The folders that changes are made in: those of Tests/Fixtures/transformers, some of them rewritten."""
import functools
import json
import os
import pathlib
import shutil

FIXTURES = pathlib.Path(__file__).resolve().parents[3] / "Tests/Fixtures/transformers"


def made(source, prepare, target):
    """A copy of a fixture that may be written to, prepared."""
    shutil.copytree(FIXTURES / source, target)
    for path in [target, *target.rglob("*")]:
        os.chmod(path, 0o755 if path.is_dir() else 0o644)
    (target / "expected.json").unlink(missing_ok=True)
    if prepare:
        prepare(target)


def edit(path, **keys):
    document = json.loads(path.read_text())
    document.update(keys)
    path.write_text(json.dumps(document, ensure_ascii=False))


def _taken(folder):
    """What tokenizer.json says, which is taken away."""
    path = folder / "tokenizer.json"
    tokenizer = json.loads(path.read_text())
    path.unlink()
    return tokenizer


def word_pieces(folder):
    """vocab.txt instead of tokenizer.json."""
    pieces = _taken(folder)["model"]["vocab"]
    (folder / "vocab.txt").write_text("".join(piece + "\n" for piece in sorted(pieces, key=pieces.get)))


def pairs(folder):
    """vocab.json and merges.txt instead of tokenizer.json."""
    model = _taken(folder)["model"]
    (folder / "vocab.json").write_text(json.dumps(model["vocab"], ensure_ascii=False))
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in model["merges"]]
    (folder / "merges.txt").write_text("#version: 0.2\n" + "".join(merge + "\n" for merge in merges))


def by_file(folder):
    """A class of tokenizer that goes by tokenizer.json, where the fixture's own reads spiece.model alone."""
    edit(folder / "tokenizer_config.json", tokenizer_class="PreTrainedTokenizerFast")


def sentence_pieces(folder):
    """spiece.model instead of tokenizer.json, with its pieces."""
    _write_pieces(folder / "spiece.model", [tuple(piece) for piece in _taken(folder)["model"]["vocab"]], "<unk>", "</s>")


def xlm_roberta_pieces(folder):
    """The tokenizer of XLM-RoBERTa as it is published: sentencepiece.bpe.model, whose ids the class moves."""
    _taken(folder)
    (folder / "tokenizer_config.json").write_text(json.dumps({
        "tokenizer_class": "XLMRobertaTokenizer", "model_max_length": 48}))
    words = json.loads((FIXTURES / "siglip/tokenizer.json").read_text())["model"]["vocab"][2:]
    pieces = [("<unk>", 0.0), ("<s>", 0.0), ("</s>", 0.0), *map(tuple, words), ("T", -9.0), ("F", -9.5), ("é", -9.0)]
    _write_pieces(folder / "sentencepiece.bpe.model", pieces, "<unk>", "<s>", "</s>")


def albert_pieces(folder):
    """spiece.model instead of tokenizer.json, with its pieces."""
    pieces = [tuple(piece) for piece in _taken(folder)["model"]["vocab"]]
    _write_pieces(folder / "spiece.model", pieces, "<unk>", "<pad>", "[CLS]", "[SEP]", "[MASK]")


def deberta_pieces(folder):
    """spm.model instead of tokenizer.json, with its pieces."""
    pieces = [tuple(piece) for piece in _taken(folder)["model"]["vocab"]]
    _write_pieces(folder / "spm.model", pieces, "[UNK]", "[PAD]", "[CLS]", "[SEP]")


def xlm_roberta_file(folder):
    """The same tokenizer as tokenizer.json, written by the library."""
    from .transformers_library import transformers
    xlm_roberta_pieces(folder)
    settings = (folder / "tokenizer_config.json").read_text()
    transformers().AutoTokenizer.from_pretrained(folder).save_pretrained(folder)
    (folder / "sentencepiece.bpe.model").unlink()
    (folder / "special_tokens_map.json").unlink(missing_ok=True)
    (folder / "tokenizer_config.json").write_text(settings)


def _write_pieces(path, pieces, unknown, *control):
    from sentencepiece import sentencepiece_model_pb2
    kinds = sentencepiece_model_pb2.ModelProto.SentencePiece
    model = sentencepiece_model_pb2.ModelProto()
    for text, score in pieces:
        kind = kinds.UNKNOWN if text == unknown else kinds.CONTROL if text in control else kinds.NORMAL
        model.pieces.add(piece=text, score=score, type=kind)
    names = [text for text, _ in pieces]
    model.trainer_spec.model_type = 1
    model.trainer_spec.unk_id = names.index(unknown)
    model.trainer_spec.bos_id = names.index("<s>") if "<s>" in names else -1
    model.trainer_spec.eos_id = names.index("</s>") if "</s>" in names else -1
    model.trainer_spec.pad_id = -1
    model.normalizer_spec.name = "identity"
    path.write_bytes(model.SerializeToString())


def modules_in_folders(folder):
    """A sentence-transformers folder of its first versions: the transformer has a folder of its own."""
    inner = folder / "0_Transformer"
    inner.mkdir()
    for path in folder.iterdir():
        if path.is_file() and path.name != "modules.json":
            path.rename(inner / path.name)
    modules = json.loads((folder / "modules.json").read_text())
    modules[0]["path"] = "0_Transformer"
    (folder / "modules.json").write_text(json.dumps(modules))


def library_keys(folder):
    """NomicBERT's sizes under transformers' names: of those of the model's own code it takes no notice."""
    path = folder / "config.json"
    said = json.loads(path.read_text())
    path.write_text(json.dumps({
        "architectures": said["architectures"], "model_type": said["model_type"], "vocab_size": said["vocab_size"],
        "hidden_size": said["n_embd"], "num_hidden_layers": said["n_layer"], "num_attention_heads": said["n_head"],
        "intermediate_size": said["n_inner"], "max_position_embeddings": said["n_positions"],
        "rope_parameters": {"rope_type": "default", "rope_theta": float(said["rotary_emb_base"])}}))


def own_tokenizer(folder):
    """An OpenCLIP folder that names a tokenizer: open_clip then takes the one in the folder."""
    path = folder / "open_clip_config.json"
    document = json.loads(path.read_text())
    document["model_cfg"]["text_cfg"].update(hf_tokenizer_name="tokenizer", tokenizer_kwargs={"strip_sep_token": False})
    path.write_text(json.dumps(document))


def published_open_clip(folder):
    """CLIP's own vocabulary, which open_clip has inside: of folders that name no tokenizer it reads no file."""
    import torch
    from open_clip import SimpleTokenizer
    from safetensors.torch import load_file, save_file
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "CLIPTokenizer"}))
    tokenizer = SimpleTokenizer()
    # Folders have the names that the first library gave the two.
    names = {"<start_of_text>": "<|startoftext|>", "<end_of_text>": "<|endoftext|>"}
    vocabulary = {names.get(piece, piece): number for piece, number in tokenizer.encoder.items()}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False))
    (folder / "merges.txt").write_text("#version: 0.2\n" + "".join(" ".join(pair) + "\n" for pair in tokenizer.bpe_ranks))
    path = folder / "open_clip_config.json"
    document = json.loads(path.read_text())
    document["model_cfg"]["text_cfg"].update(vocab_size=len(tokenizer.encoder))
    path.write_text(json.dumps(document))
    weights = load_file(folder / "open_clip_model.safetensors")
    width = weights["token_embedding.weight"].shape[1]
    torch.manual_seed(1)
    weights["token_embedding.weight"] = 0.7 * torch.randn(len(tokenizer.encoder), width)
    save_file(weights, folder / "open_clip_model.safetensors", metadata={"format": "pt"})


def timm_network(folder):
    """The fixture's configuration for a network that timm knows: the fixture's own is narrower than any."""
    from safetensors.torch import save_file
    save_file(_timm_weights("mobilenetv2_035"), folder / "model.safetensors", metadata={"format": "pt"})
    edit(folder / "config.json", architecture="mobilenetv2_035")


def timm_resnet(folder):
    """The same of a ResNet, with three layers in its stem and means in its shortcuts."""
    from safetensors.torch import save_file
    save_file(_timm_weights("resnet18d"), folder / "model.safetensors", metadata={"format": "pt"})
    edit(folder / "config.json", num_features=512)


def timm_mobilenetv3(folder):
    """The same of a MobileNetV3."""
    from safetensors.torch import save_file
    save_file(_timm_weights("mobilenetv3_small_050"), folder / "model.safetensors", metadata={"format": "pt"})
    edit(folder / "config.json", num_features=288)


def timm_efficientnet(folder):
    """The same of an EfficientNet with TensorFlow's padding."""
    from safetensors.torch import save_file
    # As large that what gates leave of a picture counts.
    save_file(_timm_weights("tf_efficientnet_b0", 1.42), folder / "model.safetensors", metadata={"format": "pt"})
    edit(folder / "config.json", num_features=1280)


def in_floats(folder):
    """Weights in float32: timm rounds interpolated positions to the type that they are stored in."""
    from safetensors.torch import load_file, save_file
    path = folder / "model.safetensors"
    save_file({name: value.float() for name, value in load_file(path).items()}, path, metadata={"format": "pt"})


@functools.cache
def _timm_weights(name, gain=1.2):
    from .transformers_library import transformers
    transformers()
    import timm
    import torch
    torch.manual_seed(1)
    model = timm.create_model(name, num_classes=5)
    weights = {}
    for name, value in model.state_dict().items():
        if name.endswith("running_mean"):
            value = 0.25 * torch.randn(value.shape)
        elif name.endswith("running_var"):
            value = 0.5 + torch.rand(value.shape)
        elif value.ndim >= 2:
            value = gain * torch.randn(value.shape) / value[0].numel() ** 0.5
        weights[name] = value.contiguous()
    return weights


def compressed(folder):
    """The configuration that compressed-tensors writes beside int8 weights; logits are compared as they are."""
    edit(folder / "config.json", problem_type="regression", quantization_config={
        "quant_method": "compressed-tensors", "format": "int-quantized", "quantization_status": "compressed",
        "ignore": [], "kv_cache_scheme": None, "global_compression_ratio": None,
        "config_groups": {"group_0": {
            "format": "int-quantized", "targets": ["Linear"], "input_activations": None, "output_activations": None,
            "weights": {
                "num_bits": 8, "type": "int", "symmetric": True, "strategy": "channel", "dynamic": False,
                "group_size": None, "block_structure": None, "actorder": None, "observer": "minmax",
                "observer_kwargs": {}}}}})


def raw_scores(folder):
    """Logits are compared as they are."""
    edit(folder / "config.json", problem_type="regression")


def asymmetric(folder):
    """The same with zero points other than 0."""
    import torch
    from safetensors.torch import load_file, save_file
    compressed(folder)
    document = json.loads((folder / "config.json").read_text())
    document["quantization_config"]["config_groups"]["group_0"]["weights"]["symmetric"] = False
    (folder / "config.json").write_text(json.dumps(document))
    weights = load_file(folder / "model.safetensors")
    for name in [name for name in weights if name.endswith("_scale")]:
        points = torch.arange(weights[name].shape[0]) % 7 - 3
        weights[name.removesuffix("_scale") + "_zero_point"] = points.to(torch.int8).reshape(-1, 1)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def cross_encoder_modules(folder):
    """A cross-encoder as sentence-transformers writes it from version 6 on: with a list of modules."""
    from .transformers_library import transformers
    transformers()
    import sentence_transformers
    sentence_transformers.CrossEncoder(str(folder), device="cpu", local_files_only=True).save_pretrained(str(folder))
    edit(folder / "config.json", sentence_transformers=None)
