import Graph
import Models
import TensorCore
import Text

/// From texts to the outputs of a text model: tokens, batches without padding, runs.
struct TextPipeline: Sendable {
  let tokenizer: Tokenizer
  private let preparation: TextPreparation
  private let truncation: Truncation
  private let padding: Text.Padding?
  private let tower: any TextTower
  private let models: ShapedModels<TextShape>
  private let path: String

  /// What the graph of a text model depends on.
  struct TextShape: Hashable {
    let tokens: Int
    let sequences: Int
  }

  /// Tokens of one run: the widest intermediate result of a small encoder for so many fits the cache.
  private static let tokensPerRun = 1024

  /// - Throws: ``ApusError`` of kind `configuration` when the model wants padding and the tokenizer has none.
  init(
    _ tower: any TextTower, tokenizer: Tokenizer, preparation: TextPreparation = TextPreparation(),
    path: String, options: ModelOptions
  ) throws(ApusError) {
    self.tower = tower
    self.tokenizer = tokenizer
    let configuration = tokenizer.configuration
    truncation = Truncation(
      maximumLength: min(tower.maximumTokens, configuration.maximumLength ?? .max),
      side: configuration.truncationSide)
    padding = try tower.paddedLength.map { (length) throws(ApusError) in
      guard let id = configuration.paddingID else {
        throw ApusError(
          .configuration, "the tokenizer has no padding token",
          expected: "one: the model takes \(length) tokens",
          file: path)
      }
      return Text.Padding(length: length, id: id, side: configuration.paddingSide)
    }
    self.preparation = preparation
    self.path = path
    models = ShapedModels(path: path, options: options) { (shape) throws(ApusError) in
      try tower.graph(tokens: shape.tokens, sequences: shape.sequences)
    }
  }

  /// The tokens of a text as the model takes them: special ones included, cut to its limit, filled up where
  /// the model was trained on texts of one length.
  func encode(_ text: String) -> Encoding {
    tokenizer.encode(preparation(text), truncation: truncation, padding: padding)
  }

  /// The same for texts that must say something.
  /// - Throws: ``ApusError`` of kind `argument` for a text without any words.
  func encode(_ texts: [String]) throws(ApusError) -> [Encoding] {
    if let index = texts.firstIndex(where: { $0.allSatisfy(\.isWhitespace) }) {
      throw ApusError(
        .argument, texts.count > 1 ? "text \(index) is empty" : "the text is empty", expected: "words")
    }
    return texts.map(encode)
  }

  /// Packs the weights, so that the first text finds them ready.
  func prepare() throws(ApusError) {
    let sequence = encode("").ids
    _ = try models.model(TextShape(tokens: max(sequence.count, 1), sequences: 1))
  }

  /// The model's output for each sequence.
  /// - Throws: ``ApusError`` of kind `cancelled`, or what the model says.
  func outputs(
    for sequences: [[Int32]], isCancelled: () -> Bool
  ) throws(ApusError) -> [[Float]] {
    var results = [[Float]](repeating: [], count: sequences.count)
    for batch in TextBatches(lengths: sequences.map(\.count), budget: Self.tokensPerRun) {
      if isCancelled() { throw ApusError(.cancelled, "the run was cancelled") }
      let outputs = try run(batch.map { sequences[$0] }, isCancelled: isCancelled)
      for (index, output) in zip(batch, outputs) { results[index] = output }
    }
    return results
  }

  private func run(_ sequences: [[Int32]], isCancelled: () -> Bool) throws(ApusError) -> [[Float]] {
    let inputs = try naming(path) { () throws(ApusError) in try tower.inputs(sequences) }
    // The first input has the ids that the model looks at.
    let shape = TextShape(tokens: inputs[0].shape.elementCount, sequences: sequences.count)
    let output = try models.model(shape).run(inputs, isCancelled: isCancelled)[0]
    return try output.rows()
  }
}
