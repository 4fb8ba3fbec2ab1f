import Formats
import Graph
import Models
import TensorCore

/// The graphs of a model folder for ``FolderSamples``, one for each shape.
package struct FolderGraphs: Sendable {
  private let architecture: ModelArchitecture
  package let folder: ModelFolder

  /// - Throws: ``ApusError`` when the architecture is not known or its configuration cannot be read.
  package init(_ folder: ModelFolder) throws(ApusError) {
    self.folder = folder
    architecture = try naming(folder.path) { () throws(ApusError) in try ModelArchitecture.load(folder) }
  }

  /// Whether the outputs are scores of classes.
  package var isClassifier: Bool {
    switch architecture {
    case .imageClassifier, .textClassifier: true
    case .dualEncoder, .textEncoder: false
    }
  }

  /// Samples with the same shape are run by the same graph.
  package func shape(of sample: FolderSamples.Sample) -> [Int] {
    sample.part == .image ? [0] : [1, Self.tokens(sample)]
  }

  /// The network for a sample, before any pass.
  /// - Throws: ``ApusError`` when a weight is missing or does not fit.
  package func graph(for sample: FolderSamples.Sample) throws(ApusError) -> Graph {
    try naming(folder.path) { () throws(ApusError) in
      switch sample.part {
      case .image:
        if let tower = architecture.imageTower { return try tower.graph(batch: 1) }
      case .text:
        if let tower = architecture.textTower {
          return try tower.graph(tokens: Self.tokens(sample), sequences: 1)
        }
      }
      throw ApusError(.argument, "the model has no \(sample.part.rawValue) tower")
    }
  }

  /// The first input has the ids that the model looks at.
  private static func tokens(_ sample: FolderSamples.Sample) -> Int {
    sample.inputs.first?.shape.elementCount ?? 0
  }
}

extension ModelArchitecture {
  var imageTower: (any ImageTower)? {
    switch self {
    case .imageClassifier(let model): model.tower
    case .dualEncoder(let model): model.image
    case .textClassifier, .textEncoder: nil
    }
  }

  var textTower: (any TextTower)? {
    switch self {
    case .textClassifier(let model): model.tower
    case .textEncoder(let model): model.tower
    case .dualEncoder(let model): model.text
    case .imageClassifier: nil
    }
  }
}
