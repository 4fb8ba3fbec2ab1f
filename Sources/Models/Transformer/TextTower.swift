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
  /// Whether a run takes one text only.
  var takesSingleTexts: Bool { get }
  /// How it takes pairs of texts.
  var pairs: TextPairs { get }
  /// Rows of the table of tokens; nil where the tower looks at ids itself.
  var vocabularySize: Int? { get }
  /// Numbers of one row of the result.
  var outputWidth: Int { get }

  /// Which of a text's tokens, those left out included, stands for the whole text; nil where all that are seen do.
  func pooledToken(of ids: [Int32]) -> Int?

  /// The network for `sequences` texts of `tokens` tokens in all: the inputs that ``inputs(_:)`` makes; output
  /// float32 [sequences, ``outputWidth``].
  func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph

  /// The texts as the graph's inputs, in its order. The first has the ids, whose count is the graph's `tokens`: it
  /// may be less than the ids given, when the model does not look at all of them.
  /// - Throws: ``ApusError`` of kind `argument` when a text is empty or too long.
  func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor]
}

extension TextTower {
  package var paddedLength: Int? { nil }
  package var takesSingleTexts: Bool { false }
  package var pairs: TextPairs { .refused }
  package var vocabularySize: Int? { nil }
  package func pooledToken(of ids: [Int32]) -> Int? { 0 }

  /// The inputs for texts of which the model sees every token.
  package func inputs(_ sequences: [[Int32]]) throws(ApusError) -> [Tensor] {
    try inputs(sequences.map { TokenRow($0) })
  }
}
