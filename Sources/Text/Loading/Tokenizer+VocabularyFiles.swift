import Formats
import TensorCore

extension Tokenizer {
  /// The tokenizer of BERT or MPNet with the vocabulary of a `vocab.txt`.
  init(
    bertVocabulary path: String, _ settings: TokenizerSettings
  ) throws(ApusError) {
    try settings.requireClass(
      among: ["BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer", "MPNetTokenizer"], for: path)
    let isMPNet = settings.pythonClass == "MPNetTokenizer"
    let tokens = isMPNet ? settings.tokensOfMPNet : settings.tokens(TokenizerSettings.bertTokens)
    let vocabulary = try VocabularyFiles.lines(path)
    do throws(ApusError) {
      let model = try WordPiece(
        vocabulary: vocabulary, unknownPiece: tokens["unk_token"]?.content.text ?? "[UNK]")
      let (start, end) = (
        try settings.id("cls_token", among: tokens, in: model),
        try settings.id("sep_token", among: tokens, in: model)
      )
      self.init(
        normalizer: try settings.bertNormalizer(), preTokenizers: [BertPreTokenizer()], model: model,
        template: isMPNet ? .roberta(start: start, end: end) : .bert(start: start, end: end),
        decoder: TokenizerSettings.bertDecoder,
        addedTokens: try settings.addedTokens(tokens, model: model),
        configuration: settings.configuration(tokens))
      offsetTrimming = []
    } catch {
      throw error.inFile(path)
    }
  }

  /// The tokenizer of CLIP, GPT-2 or RoBERTa with the vocabulary of a `vocab.json` and the `merges.txt` beside it.
  init(
    pairVocabulary path: String, _ settings: TokenizerSettings, folder: ModelFolder
  ) throws(ApusError) {
    guard let mergesPath = folder.file("merges.txt") else {
      throw ApusError(.file, "has no merges.txt beside vocab.json", file: folder.path)
    }
    let vocabulary = try VocabularyFiles.json(path)
    let merges = try VocabularyFiles.merges(mergesPath)
    do throws(ApusError) {
      switch try settings.pairTokenizer(vocabulary, path) {
      case .clip: try self.init(clip: vocabulary, merges, settings)
      case .gpt2: try self.init(gpt2: vocabulary, merges, settings)
      case .roberta: try self.init(roberta: vocabulary, merges, settings)
      }
    } catch {
      throw error.inFile(path)
    }
  }

  private init(
    clip vocabulary: Vocabulary, _ merges: MergeList, _ settings: TokenizerSettings
  ) throws(ApusError) {
    let tokens = settings.tokens(TokenizerSettings.clipTokens)
    var options = BytePairEncoding.Options()
    options.wordEnd = TokenizerSettings.clipWordEnd
    options.unknownPiece = tokens["unk_token"]?.content.text
    let model = try BytePairEncoding(vocabulary: vocabulary, merges: merges, options: options)
    let space = PatternReplacer(
      pattern: .run(CharacterClass(properties: .whitespace), minimum: 1, maximum: nil), replacement: [0x20])
    self.init(
      normalizer: NormalizerSequence(steps: [UnicodeNormalizer(form: .nfc), space, LowercaseNormalizer()]),
      preTokenizers: [
        PatternSplitter(pattern: .clipWithNames, behavior: .removed, isInverted: true),
        // Where the names of special tokens are text, each stays one word.
        ByteLevelPreTokenizer(
          addsPrefixSpace: false, cuts: settings.namesClass, writesCharacters: true),
      ], model: model,
      template: .roberta(
        start: try settings.id("bos_token", among: tokens, in: model),
        end: try settings.id("eos_token", among: tokens, in: model)),
      decoder: TokenizerSettings.clipDecoder,
      addedTokens: try settings.addedTokens(tokens, model: model, needsClass: true),
      configuration: settings.configuration(tokens))
    offsetTrimming = []
  }

  private init(
    gpt2 vocabulary: Vocabulary, _ merges: MergeList, _ settings: TokenizerSettings
  ) throws(ApusError) {
    let end: ExactText = "<|endoftext|>"
    let tokens = settings.tokens(["unk_token": end, "bos_token": end, "eos_token": end])
    let model = try BytePairEncoding(vocabulary: vocabulary, merges: merges, options: .init())
    self.init(
      normalizer: nil, preTokenizers: [try settings.byteLevel()], model: model,
      template: SpecialTokenTemplate(),
      decoder: ByteLevelDecoder(),
      addedTokens: try settings.addedTokens(tokens, model: model, needsClass: true),
      configuration: settings.configuration(tokens))
    offsetTrimming = []
  }

  private init(
    roberta vocabulary: Vocabulary, _ merges: MergeList, _ settings: TokenizerSettings
  ) throws(ApusError) {
    let tokens = settings.tokens(TokenizerSettings.robertaTokens)
    let model = try BytePairEncoding(vocabulary: vocabulary, merges: merges, options: .init())
    self.init(
      normalizer: nil, preTokenizers: [try settings.byteLevel()], model: model,
      template: .roberta(
        start: try settings.id("cls_token", among: tokens, in: model),
        end: try settings.id("sep_token", among: tokens, in: model)),
      decoder: ByteLevelDecoder(),
      addedTokens: try settings.addedTokens(tokens, model: model, needsClass: true),
      configuration: settings.configuration(tokens))
  }
}

extension TokenizerSettings {
  /// The special tokens of classes, where the files name no others.
  static let bertTokens: [ExactText: ExactText] = [
    "unk_token": "[UNK]", "sep_token": "[SEP]", "pad_token": "[PAD]", "cls_token": "[CLS]",
    "mask_token": "[MASK]",
  ]
  static let robertaTokens: [ExactText: ExactText] = [
    "bos_token": "<s>", "eos_token": "</s>", "sep_token": "</s>", "cls_token": "<s>", "unk_token": "<unk>",
    "pad_token": "<pad>", "mask_token": "<mask>",
  ]
  static let albertTokens: [ExactText: ExactText] = [
    "bos_token": "[CLS]", "eos_token": "[SEP]", "unk_token": "<unk>", "sep_token": "[SEP]",
    "pad_token": "<pad>", "cls_token": "[CLS]", "mask_token": "[MASK]",
  ]
  static let deBERTaTokens = bertTokens.merging(["bos_token": "[CLS]", "eos_token": "[SEP]"]) { $1 }
  static let mpnetTokens = robertaTokens.merging(["unk_token": "[UNK]"]) { $1 }
  static let clipTokens: [ExactText: ExactText] = [
    "unk_token": "<|endoftext|>", "bos_token": "<|startoftext|>", "eos_token": "<|endoftext|>",
    "pad_token": "<|endoftext|>",
  ]
}
