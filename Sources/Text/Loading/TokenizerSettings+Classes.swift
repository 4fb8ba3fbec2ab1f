import Formats
import TensorCore

extension TokenizerSettings {
  /// Keys of `tokenizer_config.json` that change no ids, whatever their value.
  static let keysWithoutEffect = [
    KeysWithoutEffect(
      "names of files, of classes and of the program that wrote the file",
      [
        "_commit_hash", "added_tokens_file", "auto_map", "backend", "from_slow", "full_tokenizer_file",
        "is_local", "local_files_only", "merges_file", "model_type", "name_or_path", "processor_class",
        "special_tokens_map_file", "tokenizer_file", "transformers_version", "use_fast", "vocab_file",
        "vocab_type",
      ]),
    KeysWithoutEffect(
      "writing text, and talks",
      [
        "chat_control_tokens", "chat_template", "decode_with_prefix_space", "errors", "response_schema",
        "response_template", "spaces_between_special_tokens", "use_default_system_prompt",
      ]),
    KeysWithoutEffect(
      "what a caller may ask for: cutting and filling up, and what is returned",
      [
        "max_length", "pad_to_multiple_of", "pad_token_type_id", "padding",
        "return_attention_mask", "return_length", "return_offsets_mapping", "return_overflowing_tokens",
        "return_special_tokens_mask", "return_tensors", "return_token_type_ids", "stride", "truncation",
        "truncation_strategy",
      ]),
    KeysWithoutEffect("the places of tokens in the text", ["trim_offsets"]),
    KeysWithoutEffect("the unknown token, which the class or tokenizer.json knows", ["unk_id"]),
    KeysWithoutEffect(
      "keywords that were given to from_pretrained, of models and of downloads, which tokenizers do not read",
      [
        "_attn_implementation", "_fast_init", "_from_auto", "_from_pipeline", "adapter_kwargs",
        "adapter_name", "allow_all_kernels", "attn_implementation", "cache_dir", "code_revision", "config",
        "device", "device_map", "device_mesh", "disable_mmap", "distributed_config", "dtype",
        "experts_implementation", "finetuning_task", "force_download", "from_flax", "from_tf",
        "fusion_config", "generation_config", "id2label", "ignore_mismatched_sizes", "kernel_config",
        "key_mapping", "label2id", "load_in_4bit", "load_in_8bit", "low_cpu_mem_usage", "max_memory",
        "mirror", "num_labels", "offload_buffers", "offload_folder", "offload_state_dict",
        "output_attentions", "output_hidden_states", "output_loading_info", "problem_type", "proxies",
        "quantization_config", "resume_download", "return_dict", "return_unused_kwargs", "revision",
        "state_dict", "subfolder", "task", "token", "tokenizer_type", "torch_dtype", "tp_plan", "tp_size",
        "tqdm_class", "trust_remote_code", "use_flash_attention_2", "use_kernels", "use_safetensors",
        "variant", "verbose", "weights_only",
      ]),
    KeysWithoutEffect(
      "settings of tokenizers in Python, which the library no longer has",
      [
        "do_basic_tokenize", "legacy", "lowercase", "never_split", "remove_space", "tokenize_chinese",
        "wordpieces_prefix",
      ]),
  ]

  /// What ALBERT's class makes quotation marks of.
  static let albertQuotes = ["``", "''"]

  /// What ALBERT's class does with a text before the character map of its pieces.
  func albertSteps() throws(ApusError) -> [any TextNormalizer] {
    var steps: [any TextNormalizer] = []
    for quotes in Self.albertQuotes {
      steps.append(PatternReplacer(pattern: .literal(Array(quotes.utf8)), replacement: [UInt8(ascii: "\"")]))
    }
    if try !bool("keep_accents", default: false) {
      steps += [UnicodeNormalizer(form: .nfkd), AccentStripper()]
    }
    if try bool("do_lower_case", default: true) { steps.append(LowercaseNormalizer()) }
    return steps
  }

  /// Which words the classes with unigram models put a mark before.
  func prepending() throws(ApusError) -> Metaspace.Prepending {
    try bool("add_prefix_space", default: true) ? .always : .never
  }

  /// The text of a special token that stands around every text.
  /// - Throws: ``ApusError`` when the files say that there is none.
  func content(_ name: ExactText, among tokens: [ExactText: AddedToken]) throws(ApusError) -> ExactText {
    guard let token = tokens[name] else {
      throw ApusError(
        .configuration, "is null", expected: "a token, which stands around every text", at: name.text,
        file: files[name])
    }
    return token.content
  }

  /// The id of a special token.
  /// - Throws: ``ApusError`` when neither the vocabulary nor the tokens added to it have it, which names the file that
  ///   states it.
  func id(
    _ name: ExactText, among tokens: [ExactText: AddedToken], _ added: [AddedToken], in model: any TokenModel
  ) throws(ApusError) -> Int32 {
    let content = try content(name, among: tokens)
    guard let id = added.first(where: { $0.content == content })?.id ?? model.id(of: content.text) else {
      let advice =
        configurationFile == nil
        ? "Give tokenizer_config.json, which names the special tokens."
        : "Name it there: \(content.clipped) is what the class takes where nothing is said."
      throw ApusError(
        .configuration, "the vocabulary lacks the piece '\(content.clipped)'", at: name.text,
        file: files[name] ?? configurationFile, advice: files[name] == nil ? advice : nil)
    }
    return id
  }

  /// The classes of transformers that have raw files of a kind.
  enum RawFiles {
    case words, pairs, sentencePieces

    var classes: [String] {
      switch self {
      case .words: ["BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer", "MPNetTokenizer"]
      case .pairs: ["CLIPTokenizer", "GPT2Tokenizer", "Qwen2Tokenizer", "RobertaTokenizer"]
      case .sentencePieces:
        ["AlbertTokenizer", "DebertaV2Tokenizer", "SiglipTokenizer", "T5Tokenizer", "XLMRobertaTokenizer"]
      }
    }
  }

  /// The class that the settings name for a raw file; nil where they name none.
  /// - Throws: ``ApusError`` when that has no such file.
  func row(for files: RawFiles, _ path: String) throws(ApusError) -> TokenizerClass? {
    guard let pythonClass else { return nil }
    guard files.classes.contains(pythonClass) else {
      throw ApusError(
        .unsupportedModel, "the tokenizer '\(pythonClass.clipped)' from raw files",
        expected: files.classes.joined(separator: ", "), at: "tokenizer_class", file: path,
        advice: "Give tokenizer.json, which has its rules.")
    }
    return TokenizerClass.rows[pythonClass]
  }

  /// The class of a vocabulary of byte-pair encoding: the one that the settings name, else the one that alone has some of
  /// its pieces.
  func row(ofPairs vocabulary: Vocabulary, _ path: String) throws(ApusError) -> TokenizerClass {
    if let row = try row(for: .pairs, path) { return row }
    if vocabulary.id(of: "a</w>") != nil { return .clip }
    if vocabulary.id(of: "<s>") != nil, vocabulary.id(of: "</s>") != nil { return .roberta }
    if vocabulary.id(of: "<|endoftext|>") != nil { return .gpt2 }
    throw ApusError(
      .unsupportedModel, "a vocabulary of an unknown tokenizer", expected: "one of CLIP, GPT-2 or RoBERTa",
      file: path, advice: "Give tokenizer.json, or tokenizer_config.json with tokenizer_class.")
  }

  /// The special tokens and the further ones, with their ids: as a class of transformers adds them to a vocabulary.
  /// - Parameters:
  ///   - own: further tokens of the class.
  ///   - file: those of a `tokenizer.json`.
  ///   - list: of the tokens that are there already.
  ///   - needsClass: whether, where no file names a class, the special tokens are text like any other, as they are for
  ///     the classes that the `tokenizers` library has for `vocab.json`.
  func addedTokens(
    _ special: [ExactText: AddedToken], own: [AddedToken] = [], beside file: [NumberedToken] = [],
    to list: AddedTokenList, needsClass: Bool = false
  ) throws(ApusError) -> [AddedToken] {
    var list = list
    for number in numbered(beside: file) { try list.append(number) }
    list.appendNew(inOrder(special), extra(besides: own))
    var tokens = list.tokens
    for index in tokens.indices {
      if splitsSpecialTokens, tokens[index].isSpecial { tokens[index].isMatched = false }
      if needsClass, !namesClass { tokens[index].isMatched = false }
    }
    return tokens.sorted { $0.id < $1.id }
  }
}
