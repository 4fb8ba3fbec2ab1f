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

  func inputs() -> [NetworkInput] {
    let size = tower.imageSize
    return [
      NetworkInput(
        "pixel_values",
        form: InputForm(
          [.float32], .free("N"), .fixed(tower.channels), .fixed(size.height), .fixed(size.width)))
    ]
  }

  func runs(_ tensors: [Tensor?], path: String, _ options: ModelOptions) throws(ApusError) -> PreparedRuns {
    let pixels = try TowerInputs.pixels(tensors[0], for: tower)
    let model = try Model(path: path, graph: tower.graph(batch: pixels.shape[0]), options: options)
    return PreparedRuns(Batches(whole: PreparedRun(model: model, inputs: [pixels]), count: pixels.shape[0]))
  }
}

/// A tower for texts, given them as transformers does: `input_ids`, int32 or int64 [N, tokens], and `attention_mask`
/// of that shape with a zero for each token to leave out.
struct TextNetwork: NetworkBody {
  let tower: any TextTower

  func graph(_ shape: NetworkShape) throws(ApusError) -> Graph {
    guard case .texts(let tokens, let sequences) = shape else {
      return try tower.graph(tokens: tower.maximumTokens, sequences: 1)
    }
    return try tower.graph(tokens: tokens, sequences: sequences)
  }

  func inputs() -> [NetworkInput] {
    let tokens =
      tower.paddedLength.map(InputForm.Extent.fixed) ?? .free("up to \(tower.maximumTokens) tokens")
    let form = InputForm([.int64, .int32], .free("N"), tokens)
    return [
      NetworkInput("input_ids", form: form), NetworkInput("attention_mask", isOptional: true, form: form),
    ]
  }

  func runs(_ tensors: [Tensor?], path: String, _ options: ModelOptions) throws(ApusError) -> PreparedRuns {
    let rows = try TowerInputs.rows(ids: tensors[0], mask: tensors[1], for: tower)
    guard !rows.isEmpty else { throw ApusError(.argument, "no texts", expected: "at least one") }
    let runner = TextRunner(tower, path: path, options: options)
    return PreparedRuns(
      try runner.batches(rows).map { (batch) throws(ApusError) in
        let (model, inputs) = try runner.prepared(batch)
        return PreparedRun(model: model, inputs: inputs)
      })
  }
}
