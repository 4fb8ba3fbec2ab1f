import TensorCore

extension TokenizerClass {
  /// The classes by their names in Python, without the mark of their faster twins.
  static let rows: [String: TokenizerClass] = [
    "BertTokenizer": bert, "DistilBertTokenizer": bert, "ElectraTokenizer": bert, "MPNetTokenizer": mpnet,
    "RobertaTokenizer": roberta, "GPT2Tokenizer": gpt2, "CLIPTokenizer": clip, "GemmaTokenizer": gemma,
    "Siglip2Tokenizer": siglip2, "XLMRobertaTokenizer": xlmRoberta, "AlbertTokenizer": albert,
    "DebertaV2Tokenizer": deBERTa, "Qwen2Tokenizer": qwen2, "CamembertTokenizer": camembert,
  ]

  static let bert = TokenizerClass(
    model: .wordPiece, tokens: bertTokens, ends: Ends(form: .bert, start: "cls_token", end: "sep_token"),
    keys: bertKeys, decoder: { (_) throws(ApusError) in bertDecoder },
    steps: { (settings, _) throws(ApusError) in [try settings.bertNormalizer()] },
    cuts: { (_) throws(ApusError) in [BertPreTokenizer()] })

  static let mpnet = TokenizerClass(
    model: .wordPiece, tokens: robertaTokens.merging(["unk_token": "[UNK]"]) { $1 },
    ends: Ends(form: .roberta, start: "cls_token", end: "sep_token"), keys: bertKeys, decoder: bert.decoder,
    stripsBeforeMask: true,
    steps: bert.steps, cuts: bert.cuts)

  static let roberta = TokenizerClass(
    model: .pairs(.init(), namesUnknown: false), tokens: robertaTokens,
    ends: Ends(form: .roberta, start: "cls_token", end: "sep_token"), keys: ["add_prefix_space"],
    decoder: { (_) throws(ApusError) in ByteLevelDecoder() }, trimsOffsets: true,
    cuts: { (settings) throws(ApusError) in [try settings.byteLevel()] })

  static let gpt2 = TokenizerClass(
    model: roberta.model,
    tokens: ["unk_token": "<|endoftext|>", "bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>"],
    keys: roberta.keys, decoder: roberta.decoder, cuts: roberta.cuts)

  static let qwen2 = TokenizerClass(
    model: roberta.model,
    tokens: ["unk_token": "<|endoftext|>", "eos_token": "<|endoftext|>", "pad_token": "<|endoftext|>"],
    keys: roberta.keys, decoder: roberta.decoder,
    steps: { (_, _) throws(ApusError) in [UnicodeNormalizer(form: .nfc)] },
    cuts: { (settings) throws(ApusError) in
      [
        PatternSplitter(
          pattern: try TextPattern(expression: TextPattern.qwen2Expression), behavior: .isolated,
          isInverted: false),
        ByteLevelPreTokenizer(
          addsPrefixSpace: try settings.bool("add_prefix_space", default: false), cuts: false,
          writesCharacters: true),
      ]
    })

  static let clip = TokenizerClass(
    model: .pairs(.init(wordEnd: clipWordEnd), namesUnknown: true),
    tokens: [
      "unk_token": "<|endoftext|>", "bos_token": "<|startoftext|>", "eos_token": "<|endoftext|>",
      "pad_token": "<|endoftext|>",
    ],
    ends: Ends(form: .roberta, start: "bos_token", end: "eos_token"), keys: [],
    decoder: { (_) throws(ApusError) in
      DecoderSequence(steps: [ByteLevelDecoder(), SpacedWordEnds(suffix: Array(clipWordEnd.utf8))])
    },
    steps: { (_, _) throws(ApusError) in
      let space = PatternReplacer(
        pattern: .run(CharacterClass(properties: .whitespace), minimum: 1, maximum: nil), replacement: [0x20])
      return [UnicodeNormalizer(form: .nfc), space, LowercaseNormalizer()]
    },
    cuts: { (settings) throws(ApusError) in
      [
        PatternSplitter(pattern: .clipWithNames, behavior: .removed, isInverted: true),
        // Where the names of special tokens are text, each stays one word.
        ByteLevelPreTokenizer(addsPrefixSpace: false, cuts: settings.namesClass, writesCharacters: true),
      ]
    })

  static let gemma = TokenizerClass(
    model: .pairs(.init(joinsUnknown: true, fallsBackToBytes: true), namesUnknown: true),
    tokens: [
      "unk_token": "<unk>", "bos_token": "<bos>", "eos_token": "<eos>", "pad_token": "<pad>",
      "mask_token": "<mask>",
    ],
    keys: [],
    decoder: { (_) throws(ApusError) in
      DecoderSequence(steps: [
        MetaspaceDecoder(mark: UTF8Bytes.spaceMark, keepsFirst: true), ByteFallbackDecoder(), FusedPieces(),
      ])
    },
    steps: { (_, _) throws(ApusError) in
      [PatternReplacer(pattern: .literal([0x20]), replacement: UTF8Bytes.spaceMark)]
    },
    cuts: { (_) throws(ApusError) in
      [PatternSplitter(pattern: .literal([0x20]), behavior: .mergedWithPrevious, isInverted: false)]
    })

  static let siglip2 = TokenizerClass(
    model: gemma.model, tokens: gemma.tokens, keys: [], decoder: gemma.decoder,
    steps: { (settings, map) throws(ApusError) in [LowercaseNormalizer()] + (try gemma.steps(settings, map))
    },
    cuts: gemma.cuts)

  static let xlmRoberta = TokenizerClass(
    model: .unigram(unknownID: 3), tokens: robertaTokens,
    ends: Ends(form: .roberta, start: "bos_token", end: "eos_token"), keys: ["add_prefix_space"],
    decoder: { (settings) throws(ApusError) in
      MetaspaceDecoder(mark: UTF8Bytes.spaceMark, keepsFirst: try settings.prepending() == .never)
    },
    steps: { (_, map) throws(ApusError) in [map].compactMap(\.self) },
    cuts: { (settings) throws(ApusError) in
      [
        PropertySplitter(property: .whitespace, behavior: .removed),
        Metaspace(mark: UTF8Bytes.spaceMark, prepending: try settings.prepending(), splits: true),
      ]
    })

  static let camembert = TokenizerClass(
    model: .unigram(unknownID: nil), tokens: robertaTokens,
    further: ["<s>NOTUSED", "</s>NOTUSED", "<unk>NOTUSED"], ends: xlmRoberta.ends, keys: xlmRoberta.keys,
    decoder: xlmRoberta.decoder, stripsBeforeMask: true, steps: xlmRoberta.steps, cuts: xlmRoberta.cuts)

  static let albert = TokenizerClass(
    model: .unigram(unknownID: 1),
    tokens: [
      "bos_token": "[CLS]", "eos_token": "[SEP]", "unk_token": "<unk>", "sep_token": "[SEP]",
      "pad_token": "<pad>", "cls_token": "[CLS]", "mask_token": "[MASK]",
    ],
    ends: Ends(form: .bert, start: "cls_token", end: "sep_token", areThoseOfTheFile: true),
    keys: ["add_prefix_space", "do_lower_case", "keep_accents"], decoder: xlmRoberta.decoder,
    steps: { (settings, map) throws(ApusError) in try settings.albertSteps() + [map].compactMap(\.self) },
    cuts: xlmRoberta.cuts)

  /// Knows no character map: what a sentencepiece model or a file of an older version says of one is passed over.
  static let deBERTa = TokenizerClass(
    model: .unigram(unknownID: nil),
    tokens: bertTokens.merging(["bos_token": "[CLS]", "eos_token": "[SEP]"]) { $1 },
    ends: bert.ends, keys: ["add_prefix_space", "do_lower_case", "split_by_punct"],
    decoder: { (_) throws(ApusError) in MetaspaceDecoder(mark: UTF8Bytes.spaceMark, keepsFirst: false) },
    steps: { (settings, _) throws(ApusError) in try settings.deBERTaSteps() },
    cuts: { (settings) throws(ApusError) in try settings.deBERTaWords() })

  /// Beside a sentencepiece model only, which the class has sentinels behind.
  static let t5 = TokenizerClass(
    model: .unigram(unknownID: 2), tokens: ["eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"],
    ends: Ends(form: .behind, start: "eos_token", end: "eos_token"), keys: [],
    decoder: { (_) throws(ApusError) in MetaspaceDecoder(mark: UTF8Bytes.spaceMark, keepsFirst: false) },
    steps: xlmRoberta.steps,
    cuts: { (_) throws(ApusError) in
      [
        PropertySplitter(property: .whitespace, behavior: .removed),
        Metaspace(mark: UTF8Bytes.spaceMark, prepending: .always, splits: true),
      ]
    })

  private static let bertKeys: Set<ExactText> = ["do_lower_case", "strip_accents", "tokenize_chinese_chars"]
  private static let bertTokens: [ExactText: ExactText] = [
    "unk_token": "[UNK]", "sep_token": "[SEP]", "pad_token": "[PAD]", "cls_token": "[CLS]",
    "mask_token": "[MASK]",
  ]
  private static let robertaTokens: [ExactText: ExactText] = [
    "bos_token": "<s>", "eos_token": "</s>", "sep_token": "</s>", "cls_token": "<s>", "unk_token": "<unk>",
    "pad_token": "<pad>", "mask_token": "<mask>",
  ]
  private static let bertDecoder = WordPieceDecoder(continuation: Array("##".utf8), cleansUp: true)
  /// What CLIP's pieces have at the end of a word.
  private static let clipWordEnd = "</w>"
}
