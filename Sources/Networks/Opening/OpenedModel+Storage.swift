import Formats
import Graph
import Models
import TensorCore

/// How the model is stored: for reports.
extension OpenedModel {
  /// `TFLite` or `folder`.
  package var form: String {
    switch source {
    case .file: "TFLite"
    case .folder: "folder"
    }
  }

  /// What a file says of itself, or else what the model is.
  package var description: String {
    switch source {
    case .file(let file): file.description.description
    case .folder: kind
    }
  }

  /// The keys of a file's signatures.
  package var signatures: [String] {
    switch source {
    case .file(let file): file.description.signatures.map(\.key)
    case .folder: []
    }
  }

  /// A file's subgraphs; 1 for a folder.
  package var subgraphCount: Int {
    switch source {
    case .file(let file): file.description.subgraphs.count
    case .folder: 1
    }
  }

  /// Bytes of the file, or of the tensors in the folder.
  package var byteCount: Int {
    switch source {
    case .file(let file): file.description.bytes.count
    case .folder(_, let weights): weights.byteCount
    }
  }

  /// The element type and the bytes of each stored weight.
  package func weightSizes() throws(ApusError) -> [(type: String, byteCount: Int)] {
    switch source {
    case .file:
      let graph = try networks[0].graph()
      return graph.weightTypes.map { ($0.dataType.rawValue, $0.byteCount) }
    case .folder(_, let weights):
      return weights.names.compactMap { weights[$0] }.map {
        (
          PackedWeight.typeName($0, in: weights) ?? $0.type.dataType?.rawValue ?? $0.type.rawValue,
          $0.bytes.count
        )
      }
    }
  }
}

extension Graph {
  /// The types of the tensors that the model brings and a node reads, each once.
  package var weightTypes: [TensorType] {
    weights(among: nodes.flatMap { $0.inputs.compactMap(\.self) }).map { self[$0].type }
  }

  /// Those of some values that the model brings, but for integers without a scale, which are shapes and indices. Of several
  /// with the same rows of a stored tensor there is one.
  package func weights(among values: [Value]) -> [Value] {
    var known: Set<Value> = []
    var sources: Set<WeightSource> = []
    return values.filter { value in
      guard let type = self[value].constant?.type, type.dataType.isFloat || type.quantization != nil,
        known.insert(value).inserted
      else { return false }
      return self[value].source.map { sources.insert($0).inserted } ?? true
    }
  }
}
