import Formats
import TensorCore

/// A class of tokenizers as transformers 5 builds it: of the pieces of a vocabulary and of what `tokenizer_config.json`
/// says. Of a `tokenizer.json` it takes the pieces, and none of the rules.
struct TokenizerClass: Sendable {
  /// How words become pieces.
  enum Model: Sendable {
    case wordPiece
    /// - Parameter namesUnknown: whether the unknown token stands for characters without a piece.
    case pairs(BytePairEncoding.Options, namesUnknown: Bool)
    /// - Parameter unknownID: nil for that of the unknown token.
    case unigram(unknownID: Int?)
  }

  /// The tokens around a text.
  struct Ends: Sendable {
    /// Those of BERT, those of RoBERTa, or one behind a text alone.
    enum Form: Sendable { case bert, roberta, behind }
    let form: Form
    /// The names of the tokens.
    let (start, end): (ExactText, ExactText)
    /// Whether those of a `tokenizer.json` count before them.
    var areThoseOfTheFile = false
  }

  typealias Steps =
    @Sendable (TokenizerSettings, CharacterMapNormalizer?) throws(ApusError) -> [any TextNormalizer]
  typealias Cuts = @Sendable (TokenizerSettings) throws(ApusError) -> [any PreTokenizer]

  let model: Model
  /// The special tokens where the files name no others.
  let tokens: [ExactText: ExactText]
  /// Special tokens without a name, where the files state no others.
  var further: [ExactText] = []
  /// Nil where a `tokenizer.json` has them, or there are none.
  var ends: Ends?
  /// The keys of ``allKeys`` that the class reads.
  let keys: Set<ExactText>
  let decoder: @Sendable (TokenizerSettings) throws(ApusError) -> any TokenDecoder
  /// Whether a mask that files state as a text takes in the space before it.
  var stripsBeforeMask = false
  /// Whether the spaces of byte-level words are left out of the places of tokens, unless the settings say otherwise.
  var trimsOffsets = false
  /// What is done with a text before it is cut, given the character map of the pieces.
  var steps: Steps = { (_, _) throws(ApusError) in [] }
  /// How a text is cut into words.
  let cuts: Cuts

  /// The settings of tokenizers that not every class has.
  static let allKeys: Set<ExactText> = [
    "add_prefix_space", "do_lower_case", "keep_accents", "split_by_punct", "strip_accents",
    "tokenize_chinese_chars",
  ]

  /// States the settings of other classes, which this one does not read.
  func passOverOtherKeys(_ settings: TokenizerSettings) {
    settings.passOver([
      KeysWithoutEffect("the class, which has no such setting", Self.allKeys.subtracting(keys))
    ])
  }

  func normalizer(
    _ settings: TokenizerSettings, _ map: CharacterMapNormalizer? = nil
  ) throws(ApusError) -> (any TextNormalizer)? {
    let steps = try steps(settings, map)
    return steps.count > 1 ? NormalizerSequence(steps: steps) : steps.first
  }

  /// The tokens around a text, by the ids that `id` gives.
  func template(
    _ settings: TokenizerSettings, _ id: (ExactText) throws(ApusError) -> Int32
  ) throws(ApusError) -> SpecialTokenTemplate? {
    guard let ends else { return nil }
    let (start, end) = (try id(ends.start), try id(ends.end))
    switch ends.form {
    case .bert: return .bert(start: start, end: end)
    case .roberta: return .roberta(start: start, end: end)
    case .behind: return .ended(by: end)
    }
  }

  /// Byte-pair encoding as the class has it.
  func pairs(
    _ vocabulary: Vocabulary, _ merges: MergeList, _ settings: TokenizerSettings
  ) throws(ApusError) -> BytePairEncoding {
    guard case .pairs(var options, let namesUnknown) = model else {
      return try BytePairEncoding(vocabulary: vocabulary, merges: merges, options: .init())
    }
    if namesUnknown { options.unknownPiece = settings.tokens(of: self)["unk_token"]?.content.text }
    return try BytePairEncoding(vocabulary: vocabulary, merges: merges, options: options)
  }

  /// The id of the unknown piece of a unigram model.
  /// - Parameter other: where no piece of the unknown token has the score 0.
  func unknownID(
    among pieces: [(piece: String, score: Double)], _ settings: TokenizerSettings, else other: Int
  ) -> Int {
    if case .unigram(let id?) = model { return id }
    let unknown = settings.tokens(of: self)["unk_token"]?.content
    return pieces.firstIndex { ExactText($0.piece) == unknown && $0.score == 0 } ?? other
  }
}
