import Graph
import Models
import TensorCore

/// The side of a model with two towers that is meant.
package enum ModelPart: String, Sendable, CaseIterable {
  case image, text
}

/// The network of a model folder, or one of its two towers, on tensors with the names and layouts that
/// transformers gives them.
package struct TowerModel: Sendable {
  package let path: String
  private let tower: Tower
  private let options: ModelOptions
  /// What the model is, in a few words.
  package let description: String
  /// Bytes of its weights.
  package let byteCount: Int

  private enum Tower: Sendable {
    case image(any ImageTower)
    case text(any TextTower)
  }

  /// - Parameters:
  ///   - name: a folder, or the name of a repository in the local Hugging Face cache.
  ///   - part: which tower, of a model that has two.
  /// - Throws: ``ApusError`` of kind `argument` when the model has two towers and none is chosen.
  package init(_ name: String, part: ModelPart?, inference: InferenceOptions) throws(ApusError) {
    var loading = FolderLoading(name)
    let folder = try loading.open()
    path = folder.path
    options = folder.options(inference)
    description = folder.architecture.description
    byteCount = try folder.folder.weights().byteCount
    tower = try Self.tower(of: folder, part)
  }

  private static func tower(of folder: LoadedFolder, _ part: ModelPart?) throws(ApusError) -> Tower {
    switch (folder.architecture, part) {
    case (.imageClassifier(let model), nil), (.imageClassifier(let model), .image?):
      return .image(model.tower)
    case (.textClassifier(let model), nil), (.textClassifier(let model), .text?): return .text(model.tower)
    case (.textEncoder(let model), nil), (.textEncoder(let model), .text?): return .text(model.tower)
    case (.dualEncoder(let model), .image?): return .image(model.image)
    case (.dualEncoder(let model), .text?): return .text(model.text)
    case (.dualEncoder, nil):
      throw ApusError(
        .argument, "the model has two towers", expected: "a choice of one", file: folder.path,
        advice: "Add --part image or --part text.")
    case (_, let part?):
      throw ApusError(.argument, "the model has no \(part.rawValue) tower", file: folder.path)
    }
  }

  /// What the network takes.
  package enum Interface: Sendable {
    case pictures(height: Int, width: Int, channels: Int)
    /// Texts of at most so many tokens; `isPadded` when always of that many.
    case texts(maximumTokens: Int, isPadded: Bool)
  }

  package var interface: Interface {
    switch tower {
    case .image(let tower):
      .pictures(height: tower.imageSize.height, width: tower.imageSize.width, channels: tower.channels)
    case .text(let tower):
      .texts(maximumTokens: tower.maximumTokens, isPadded: tower.paddedLength != nil)
    }
  }

  /// The network for one picture, or for one text of the greatest length.
  package func single() throws(ApusError) -> (graph: Graph, model: Model) {
    let graph = try naming(path) { () throws(ApusError) in
      switch tower {
      case .image(let tower): try tower.graph(batch: 1)
      case .text(let tower): try tower.graph(tokens: tower.maximumTokens, sequences: 1)
      }
    }
    return (graph, try Model(path: path, graph: graph, options: options))
  }

  /// A run of the network, and its inputs.
  package struct Run: Sendable {
    package let model: Model
    package let inputs: [Tensor]

    package init(model: Model, inputs: [Tensor]) {
      self.model = model
      self.inputs = inputs
    }
  }

  /// The runs for these inputs, whose outputs are the rows of the result: one for pictures, one for each batch
  /// of texts.
  /// - Parameter tensors: `pixel_values`, float32 [N, 3, H, W] or [N, H, W, 3]; or `input_ids`, int32 or int64
  ///   [N, tokens], and `attention_mask` of that shape with a zero for each token to leave out.
  package func prepared(_ tensors: [String: Tensor]) throws(ApusError) -> Batches<Run> {
    switch tower {
    case .image(let tower):
      let pixels = try TowerInputs.pixels(tensors, for: tower)
      let graph = try naming(path) { () throws(ApusError) in try tower.graph(batch: pixels.shape[0]) }
      let model = try Model(path: path, graph: graph, options: options)
      return Batches(whole: Run(model: model, inputs: [pixels]), count: pixels.shape[0])
    case .text(let tower):
      let sequences = try TowerInputs.sequences(tensors, for: tower)
      guard !sequences.isEmpty else { throw ApusError(.argument, "no texts", expected: "at least one") }
      let runner = TextRunner(tower, path: path, options: options)
      return try runner.batches(sequences).map { (batch) throws(ApusError) in
        let (model, inputs) = try runner.prepared(batch)
        return Run(model: model, inputs: inputs)
      }
    }
  }
}
