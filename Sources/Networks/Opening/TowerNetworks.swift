import Graph
import Models
import TensorCore

/// A tower for pictures, given them as transformers does: `pixel_values`, float32 [N, 3, H, W] or [N, H, W, 3].
struct ImageNetwork: NetworkBody {
  let tower: any ImageTower

  func graph(_ shape: NetworkShape) throws(ApusError) -> Graph {
    guard case .pictures(let count) = shape else { return try tower.graph(batch: 1) }
    return try tower.graph(batch: count)
  }

  func inputs() throws(ApusError) -> [TensorDescription] {
    let size = tower.imageSize
    return [
      try TensorDescription(
        "pixel_values", .float32,
        [.batch(1), .fixed(tower.channels), .fixed(size.height), .fixed(size.width)])
    ]
  }

  func outputs() throws(ApusError) -> [TensorDescription] {
    let graph = try tower.graph(batch: 1)
    return try TensorDescription.rows(graph.outputs.map { graph[$0] }, .batch(1), tower.outputName)
  }

  func runner(path: String, _ options: ModelOptions) -> any NetworkRunning {
    ImageRunner(tower, path: path, options)
  }
}

/// A tower for texts, given them as transformers does: `input_ids`, int32 or int64 [N, tokens], and `attention_mask`
/// of that shape with a zero for each token to leave out; `token_type_ids` too, where tokens may have types.
struct TextNetwork: NetworkBody {
  let tower: any TextTower

  func graph(_ shape: NetworkShape) throws(ApusError) -> Graph {
    guard case .texts(let tokens, let sequences) = shape else {
      return try tower.graph(tokens: tower.maximumTokens, sequences: 1)
    }
    return try tower.graph(tokens: tokens, sequences: sequences)
  }

  func inputs() throws(ApusError) -> [TensorDescription] {
    let tokens =
      tower.paddedLength.map(TensorDescription.Extent.fixed)
      ?? .free(name: "tokens", stated: tower.maximumTokens, limit: tower.maximumTokens)
    var inputs = [try TensorDescription("input_ids", .int64, or: [.int32], [.batch(1), tokens])]
    for name in ["attention_mask"] + (tower.pairs.hasTypes ? ["token_type_ids"] : []) {
      inputs.append(
        try TensorDescription(name, isOptional: true, .int64, or: [.int32], [.batch(1), tokens]))
    }
    return inputs
  }

  func outputs() throws(ApusError) -> [TensorDescription] {
    let graph = try tower.graph(tokens: tower.maximumTokens, sequences: 1)
    return try TensorDescription.rows(graph.outputs.map { graph[$0] }, .batch(1), tower.outputName)
  }

  func runner(path: String, _ options: ModelOptions) -> any NetworkRunning {
    TokenRunner(tower, path: path, options)
  }
}

extension TensorDescription.Extent {
  /// As many items as the caller likes.
  fileprivate static func batch(_ stated: Int) -> Self { .free(name: "N", stated: stated, limit: nil) }
}

extension TensorDescription {
  /// A tower's output: a row of its first output for each item.
  /// - Parameter name: the output's name for callers; nil for the graph's own.
  static func rows(
    _ outputs: [ValueInfo], _ count: Extent, _ name: TowerOutput?
  ) throws(ApusError) -> [TensorDescription] {
    try outputs.prefix(1).map { (output) throws(ApusError) in
      let width = output.type.shape.dimensions.dropFirst().reduce(1, *)
      return try TensorDescription(
        name?.rawValue ?? output.name, innerName: output.name, output.type.dataType, [count, .fixed(width)])
    }
  }
}
