import Graph
import Models
import TensorCore

/// Runs a text model on rows of tokens, in batches without padding.
package struct TextRunner: NetworkMemory {
  private let tower: any TextTower
  private let models: ShapedModels<TextShape>
  private let refused = RefusedLength()
  let path: String
  private let options: ModelOptions

  /// The shape that determines the graph of a text model.
  private struct TextShape: Hashable {
    let tokens: Int
    let sequences: Int
    var hasUnattendedTokens = false
  }

  /// Tokens of one run: the widest intermediate result of a small encoder for so many fits a core's cache, and a few texts
  /// are batches enough for all threads.
  private static let tokensPerRun = 512

  package init(_ tower: any TextTower, path: String, options: ModelOptions) {
    self.tower = tower
    self.path = path
    self.options = options
    models = ShapedModels(path: path, options: options, capacity: 64) { (shape) throws(ApusError) in
      try Self.graph(tower, shape)
    }
  }

  private static func graph(_ tower: any TextTower, _ shape: TextShape) throws(ApusError) -> Graph {
    try tower.graph(
      tokens: shape.tokens, sequences: shape.sequences, hasUnattendedTokens: shape.hasUnattendedTokens)
  }

  /// How the model takes pairs of texts.
  var pairs: TextPairs { tower.pairs }

  /// Ids that the model has; no limit where it does not say.
  var vocabularySize: Int { tower.vocabularySize ?? .max }

  package var memory: ModelMemory { models.memory }

  package func releaseIdleMemory() { models.releaseIdleMemory() }

  package func takeRunTimes() -> [Duration] { models.takeRunTimes() }

  /// The batches in which texts are run.
  func batches(_ rows: [TokenRow]) -> Batches<[TokenRow]> {
    Batches(rows, budget: tower.takesSingleTexts ? 0 : Self.tokensPerRun, size: \.columns.count)
  }

  /// The model for one batch of texts, and its inputs.
  func prepared(_ rows: [TokenRow]) throws(ApusError) -> (model: Model, inputs: [Tensor]) {
    let inputs = try inputs(rows)
    return (try models.model(self.shape(of: inputs, rows)), inputs)
  }

  /// A model for a rounded size that batches share; its output has rows for more texts than given.
  private func rounded(_ rows: [TokenRow]) throws(ApusError) -> (model: Model, inputs: [Tensor]) {
    guard !tower.takesSingleTexts else { return try prepared(rows) }
    let inputs = try inputs(rows)
    let batch = try RoundedBatch(inputs)
    let own = self.shape(of: inputs, rows)
    let shape = TextShape(
      tokens: batch.tokens, sequences: batch.sequences, hasUnattendedTokens: own.hasUnattendedTokens)
    do throws(ApusError) {
      return (try models.model(shape), batch.inputs)
    } catch {
      // What fills up may be what is too much for a text by itself.
      guard rows.count == 1, error.isOverLimit, own != shape else { throw error }
      return (try models.model(own), inputs)
    }
  }

  /// The model for the first batch of so many texts of a length.
  func model(texts: Int, tokens: Int) throws(ApusError) -> Model {
    let most = tower.takesSingleTexts ? 1 : max(1, Self.tokensPerRun / max(1, tokens))
    let count = min(texts, most)
    return try models.model(TextShape(tokens: count * tokens, sequences: count))
  }

  /// The graph for one batch of texts, before any pass, and how it is compiled.
  func graph(_ rows: [TokenRow]) throws(ApusError) -> (graph: Graph, options: ModelOptions) {
    let shape = self.shape(of: try inputs(rows), rows)
    let graph = try naming(path) { () throws(ApusError) in try Self.graph(tower, shape) }
    return (graph, options)
  }

  /// The inputs of the graph for one batch of texts.
  func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor] {
    try naming(path) { () throws(ApusError) in try tower.inputs(rows) }
  }

  private func shape(of inputs: [Tensor], _ rows: [TokenRow]) -> TextShape {
    // The first input has the ids that the model looks at.
    TextShape(
      tokens: inputs[0].shape.elementCount, sequences: rows.count,
      hasUnattendedTokens: tower.hasUnattendedTokens(rows))
  }

  /// The model's output for each text, or why it has none.
  /// - Throws: ``ApusError`` of kind `cancelled`, or `resources` when memory runs out; a text that is too long for the
  ///   limit of a run has that error, and stops no other.
  package func outputs(
    for rows: [TokenRow], isCancelled: () -> Bool
  ) throws(ApusError) -> [Result<[Float], ApusError>] {
    try batches(rows).concurrentMap(threads: options.compile.threads) { (batch) throws(ApusError) in
      try outputs(ofBatch: batch, isCancelled: isCancelled)
    }.inOrder()
  }

  /// - Parameter batch: the shortest first.
  private func outputs(
    ofBatch batch: [TokenRow], isCancelled: () -> Bool
  ) throws(ApusError) -> [Result<[Float], ApusError>] {
    if isCancelled() { throw ApusError(.cancelled, "the run was cancelled") }
    let refusals = batch.compactMap { refused.error(forTokens: $0.columns.count) }
    let rest = Array(batch.dropLast(refusals.count))
    var outputs: [Result<[Float], ApusError>] = []
    if !rest.isEmpty { outputs = try self.outputs(ofFitting: rest, isCancelled: isCancelled) }
    for error in refusals { outputs.append(.failure(error)) }
    return outputs
  }

  /// Of texts that are not known to be too long.
  private func outputs(
    ofFitting batch: [TokenRow], isCancelled: () -> Bool
  ) throws(ApusError) -> [Result<[Float], ApusError>] {
    do throws(ApusError) {
      let (model, inputs) = try rounded(batch)
      let rows = try model.run(inputs, isCancelled: isCancelled)[0].rows().prefix(batch.count)
      return rows.map { .success($0) }
    } catch {
      guard error.kind != .cancelled else { throw error }
      // No text is at fault for what the model cannot do.
      guard batch.count > 1, error.kind != .unsupportedModel else {
        // Nor for memory that is not there.
        guard error.kind != .resources || error.isOverLimit else { throw error }
        if error.isOverLimit { refused.add(error, tokens: batch[0].columns.count) }
        return batch.map { _ in .failure(error) }
      }
      // Which of the texts it was shows when each is run by itself, which takes less memory too.
      var outputs: [Result<[Float], ApusError>] = []
      for row in batch { outputs += try self.outputs(ofBatch: [row], isCancelled: isCancelled) }
      return outputs
    }
  }
}
