import Graph
import Models
import TensorCore

/// Runs a tower for pictures on `pixel_values`.
struct ImageRunner: NetworkRunning {
  private let tower: any ImageTower
  private let models: ShapedModels<Int>

  init(_ tower: any ImageTower, path: String, _ options: ModelOptions) {
    self.tower = tower
    models = ShapedModels(path: path, options: options) { (batch) throws(ApusError) in
      try tower.graph(batch: batch)
    }
  }

  func runs(_ tensors: [Tensor?]) throws(ApusError) -> PreparedRuns {
    let pixels = try TowerInputs.pixels(tensors[0], for: tower)
    let model = try models.model(pixels.shape[0])
    return PreparedRuns(
      Batches(whole: PreparedRun(model: model, inputs: [pixels]), count: pixels.shape[0]),
      named: tower.outputName)
  }

  func prepare(_ shapes: [Shape?]) throws(ApusError) -> ReadyNetwork {
    let count = try shapes[0].map { (shape) throws(ApusError) in try TowerInputs.pictures(shape, for: tower) }
    return try ReadyNetwork(rowsOf: models.model(count ?? 1), count: count ?? 1, named: tower.outputName)
  }

  var memory: ModelMemory { models.memory }

  func releaseIdleMemory() { models.releaseIdleMemory() }

  func takeRunTimes() -> [Duration] { models.takeRunTimes() }
}

/// Runs a tower for texts on `input_ids`, `attention_mask` and `token_type_ids`.
struct TokenRunner: NetworkRunning {
  private let tower: any TextTower
  private let runner: TextRunner

  init(_ tower: any TextTower, path: String, _ options: ModelOptions) {
    self.tower = tower
    runner = TextRunner(tower, path: path, options: options)
  }

  func runs(_ tensors: [Tensor?]) throws(ApusError) -> PreparedRuns {
    let types = tensors.count > 2 ? tensors[2] : nil
    let rows = try TowerInputs.rows(ids: tensors[0], mask: tensors[1], types: types, for: tower)
    guard !rows.isEmpty else { throw ApusError(.argument, "no texts", expected: "at least one") }
    return PreparedRuns(
      try runner.batches(rows).map { (batch) throws(ApusError) in
        let (model, inputs) = try runner.prepared(batch)
        return PreparedRun(model: model, inputs: inputs)
      }, named: tower.outputName)
  }

  func prepare(_ shapes: [Shape?]) throws(ApusError) -> ReadyNetwork {
    let usual = tower.paddedLength ?? min(Self.usualTokens, tower.maximumTokens)
    let (count, tokens) =
      try shapes[0].map { (shape) throws(ApusError) in try TowerInputs.texts(shape, for: tower) } ?? (
        1, usual
      )
    return try ReadyNetwork(
      rowsOf: runner.model(texts: count, tokens: tokens), count: count, named: tower.outputName)
  }

  var memory: ModelMemory { runner.memory }

  func releaseIdleMemory() { runner.releaseIdleMemory() }

  func takeRunTimes() -> [Duration] { runner.takeRunTimes() }

  /// A short text, for which the weights are packed that texts of other lengths use too.
  private static let usualTokens = 8
}

extension ReadyNetwork {
  /// A tower that gives a row for each of so many items.
  fileprivate init(rowsOf model: Model, count: Int, named name: TowerOutput?) throws(ApusError) {
    (outputs, self.model) = (try TensorDescription.rows(model.outputs, .fixed(count), name), model)
  }
}
