import Graph
import TensorCore

/// A network from texts, as token ids, to rows of numbers: class logits, or embeddings.
///
/// A batch is ragged: the tokens of all texts stand one after the other, without padding in between.
package protocol TextTower: Sendable {
  /// Tokens of one text, special ones included, at most.
  var maximumTokens: Int { get }
  /// The length to which every text must be padded with the tokenizer's padding token, for a model whose tokens
  /// attend padding too; nil when texts are given without padding.
  var paddedLength: Int? { get }
  /// What a mask over padding does.
  var paddingMask: PaddingMask { get }
  /// Whether a run takes one text only.
  var takesSingleTexts: Bool { get }
  /// How it takes pairs of texts.
  var pairs: TextPairs { get }
  /// Rows of the table of tokens; nil where the tower looks at ids itself.
  var vocabularySize: Int? { get }
  /// Numbers of one row of the result.
  var outputWidth: Int { get }
  /// What callers know the result by; nil for the name that the graph has.
  var outputName: TowerOutput? { get }

  /// Which of a text's tokens, those left out included, stands for the whole text and must not be left out; nil where
  /// any may be.
  func pooledToken(of ids: [Int32]) -> Int?

  /// The network for `sequences` texts of `tokens` tokens in all: the inputs that ``inputs(_:)`` makes; output
  /// float32 [sequences, ``outputWidth``].
  func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph

  /// The network for a batch with tokens that attend others and are not attended, or for one without.
  func graph(tokens: Int, sequences: Int, hasUnattendedTokens: Bool) throws(ApusError) -> Graph

  /// Whether a batch has such tokens.
  func hasUnattendedTokens(_ rows: [TokenRow]) -> Bool

  /// The texts as the graph's inputs, in its order. The first has the ids, whose count is the graph's `tokens`: it
  /// may be less than the ids given, when the model does not look at all of them.
  /// - Throws: ``ApusError`` of kind `argument` when a text is empty or too long.
  func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor]
}

extension TextTower {
  package var outputName: TowerOutput? { .logits }
  package var paddedLength: Int? { nil }
  package var paddingMask: PaddingMask { paddedLength == nil ? .always : .refused }
  package var takesSingleTexts: Bool { false }
  package var pairs: TextPairs { .refused }
  package var vocabularySize: Int? { nil }
  package func pooledToken(of ids: [Int32]) -> Int? { 0 }

  package func hasUnattendedTokens(_ rows: [TokenRow]) -> Bool { false }

  package func graph(tokens: Int, sequences: Int, hasUnattendedTokens: Bool) throws(ApusError) -> Graph {
    try graph(tokens: tokens, sequences: sequences)
  }

  /// The inputs for texts of which the model sees every token.
  package func inputs(_ sequences: [[Int32]]) throws(ApusError) -> [Tensor] {
    try inputs(sequences.map { TokenRow($0) })
  }
}
