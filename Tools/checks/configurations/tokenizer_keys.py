"""Keys of a tokenizer's files, each with the values that it is given.

`MASK`, `TAKE6` and `NEXT` stand for what depends on the folder's vocabulary: see `changes.resolved`.
"""
from .changes import ABSENT, Replaced

TOKENIZER_CONFIG = {
    "": [ABSENT, {}],
    "tokenizer_class": [
        "BertTokenizer", "BertTokenizerFast", "DistilBertTokenizer", "RobertaTokenizer", "CLIPTokenizer",
        "XLMRobertaTokenizer", "PreTrainedTokenizerFast", "TokenizersBackend", "SiglipTokenizer", "T5Tokenizer",
        "MPNetTokenizer", "AlbertTokenizer", "ElectraTokenizer", "DebertaV2Tokenizer", "Nonsense", None, 3],
    "do_lower_case": [True, False, None, "x"], "strip_accents": [True, False, None],
    "keep_accents": [True, False, None], "remove_space": [True, False],
    "split_by_punct": [True, False, None], "vocab_type": ["spm"],
    "tokenize_chinese_chars": [True, False, None], "add_prefix_space": [True, False, None],
    "do_basic_tokenize": [False], "never_split": [["cat"]], "cls_token": ["a", "[SEP]", None],
    "sep_token": ["a", "[CLS]", None], "bos_token": ["a", "<s>", None], "eos_token": ["a", "</s>", None],
    "unk_token": ["a", None], "pad_token": ["a", None],
    "mask_token": ["a", "left", None, {
        "__type": "AddedToken", "content": "<mask>", "lstrip": True, "rstrip": False, "normalized": False,
        "single_word": False}],
    "additional_special_tokens": [["cat"], ["two", "dog"], [], None],
    "extra_special_tokens": [["cat"], {"x_token": "cat"}, [], {}, None],
    "some_token": ["cat", None], "split_special_tokens": [True, False, None], "add_bos_token": [True, False],
    "add_eos_token": [True, False], "model_max_length": [6, 512, 1e30, None, "x"],
    "truncation_side": ["left", "right", None], "padding_side": ["left", "right"], "max_length": [4], "stride": [1],
    "truncation_strategy": ["longest_first", "only_first"], "pad_to_multiple_of": [8], "pad_token_type_id": [1],
    "model_input_names": [["input_ids"], ["input_ids", "attention_mask"]],
    "clean_up_tokenization_spaces": [True, False], "trim_offsets": [False], "errors": ["ignore"],
    "legacy": [False, True], "chat_template": ["x"], "name_or_path": ["x"], "special_tokens_map_file": ["x"],
    "tokenizer_file": [None, "x"], "processor_class": ["CLIPProcessor"], "auto_map": [{"AutoTokenizer": ["a.B", None]}],
    "sp_model_kwargs": [{}, {"enable_sampling": False}], "backend": ["tokenizers"], "unk_id": [0, 5, None],
    "added_tokens_decoder": [
        {}, {"6": {"content": "TAKE6", "lstrip": False, "normalized": False, "rstrip": False, "single_word": False,
                   "special": True}},
        {"MASK": {"lstrip": True}}, {"MASK": {"normalized": True}}, {"MASK": {"single_word": True}}, {"MASK": {}}],
    "something_new": [1, None, False, "", [], {}], "wordpieces_prefix": ["@@"], "init_inputs": [[], ["x"]], "lowercase": [True],
    "max_len": [6, 512], "num_labels": [2], "id2label": [{"0": "a"}], "problem_type": ["regression"], "torch_dtype": ["auto"],
    "return_tensors": ["pt"], "finetuning_task": ["sst2"], "device_map": ["auto"], "trust_remote_code": [True, False],
    "use_auth_token": [True, False], "foo_token": [{"content": "cat"}, 3], "return_attention_mask": [False],
    "output_hidden_states": [True], "task": ["x"], "config": [{}], "revision": ["main"], "token": ["x"],
    "weights_only": [True], "tp_plan": ["auto"], "use_flash_attention_2": [True], "key_mapping": [{"a": "b"}],
    "generation_config": [{"a": 1}], "tokenizer_type": ["bert"], "adapter_name": ["default"], "offload_buffers": [True],
}

TOKENIZER_JSON = {
    "version": ["2.0"], "normalizer": [None, {"type": "Lowercase"}], "pre_tokenizer": [None, {"type": "Whitespace"}],
    "normalizer.lowercase": [False, True], "normalizer.strip_accents": [False, True, None],
    "normalizer.normalizers.0.content": ["x"], "normalizer.clean_text": [False],
    "normalizer.handle_chinese_chars": [False],
    "pre_tokenizer.add_prefix_space": [True], "pre_tokenizer.use_regex": [False],
    "pre_tokenizer.trim_offsets": [False], "post_processor": [None],
    "post_processor.single.1.Sequence.type_id": [1], "post_processor.single.0.SpecialToken.type_id": [1],
    "post_processor.single.0.SpecialToken.id": ["[SEP]"], "post_processor.pair": [[]],
    "post_processor.add_prefix_space": [True], "post_processor.trim_offsets": [False],
    "post_processor.cls": [["</s>", 2]], "decoder": [None], "model.unk_token": ["a", None],
    "model.max_input_chars_per_word": [3], "model.continuing_subword_prefix": ["@@", "##", None],
    "model.end_of_word_suffix": ["", "</w>"], "model.dropout": [0.1, 0.0, None], "model.fuse_unk": [True],
    "model.byte_fallback": [True], "model.ignore_merges": [True], "model.unk_id": [0, 5, None],
    "model.something": [1], "something": [1], "normalizer.something": [1], "pre_tokenizer.something": [1],
    "post_processor.something": [1], "added_tokens.4.lstrip": [True], "added_tokens.4.normalized": [True],
    "added_tokens.4.single_word": [True], "added_tokens.4.special": [False], "added_tokens.0.something": [1],
    "truncation": [{"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}],
    "padding": [{"strategy": {"Fixed": 20}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0,
                 "pad_type_id": 0, "pad_token": "[PAD]"}],
}

LEFT = {"content": "left", "lstrip": True, "rstrip": False, "normalized": False, "single_word": False}
OLDER = {
    "special_tokens_map.json": {"": [
        {"cls_token": "a"}, {"mask_token": "left"}, {"additional_special_tokens": ["cat"]}, {"mask_token": LEFT},
        {"unk_token": "a"}, {"bos_token": "a"}, {"eos_token": "a"}, {"pad_token": "a"}, {"some_token": "cat"},
        {"mask_token": None}, {"extra_special_tokens": ["cat"]}, {}]},
    "added_tokens.json": {"": [{"cat": 4}, {"zebra": 100000}, {}, "NEXT"]},
}

BESIDE_JSON = {"tokenizer_config.json": TOKENIZER_CONFIG, "tokenizer.json": TOKENIZER_JSON, **OLDER}
RAW_FILES = {"tokenizer_config.json": TOKENIZER_CONFIG, **OLDER}
WORD_PIECES = {**RAW_FILES, "vocab.txt": {"": [
    ABSENT, Replaced("\n", "\r\n"), Replaced("[MASK]\n", "[MASK]\n\n"), Replaced("[MASK]", "[GAP]"), Replaced("cat\n", " cat \n")]}}
PAIRS = {**RAW_FILES, "merges.txt": {"": [
    ABSENT, Replaced("\n", "\r\n"), Replaced("#version: 0.2\n", ""), Replaced("#version: 0.2\n", "#version: 0.2\n\n")]}}
