import Graph
import TensorCore

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
