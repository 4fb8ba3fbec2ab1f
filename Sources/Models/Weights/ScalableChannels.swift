import Graph
import TensorCore

/// Channels of which each may be divided by a number where it is made, if it is multiplied with the same number where
/// it is used: the model's results stay.
package struct ScalableChannels: Sendable {
  /// Make the channels: rows of matrices and elements of vectors, one for each channel.
  package let producers: [WeightSource]
  /// Use the channels, and nothing else does: matrices [outputs, channels].
  package let consumers: [String]

  /// All such channels between the layers of a graph, each found by the node before the layers that use it.
  package static func find(in structure: LinearStructure) -> [ScalableChannels] {
    structure.graph.nodes.compactMap {
      structure.channels(normalizedBy: $0) ?? structure.channels(mixedBy: $0)
    }
  }
}

extension LinearStructure {
  /// Those that a layer normalisation makes with its weight and bias.
  fileprivate func channels(normalizedBy node: Node) -> ScalableChannels? {
    guard node.operation is LayerNormalization, let output = node.outputs.first,
      let consumers = onlyConsumers(of: output), let width = graph[output].type.shape.dimensions.last
    else { return nil }
    var producers: [WeightSource] = []
    for case let value? in node.inputs.dropFirst() {
      // Of a normalisation without an offset: zeros stay what they are.
      if graph[value].source == nil, isZero(value) { continue }
      guard isUsedOnce(value), let source = graph[value].source, weights[source.tensor]?.shape == [width]
      else { return nil }
      producers.append(source)
    }
    return ScalableChannels(producers: producers, consumers: consumers)
  }

  /// The values of attention, which only mixes them from row to row.
  fileprivate func channels(mixedBy node: Node) -> ScalableChannels? {
    // Of channels that several heads mix each result would have its own.
    guard let attention = node.operation as? Attention, attention.keyHeads == attention.heads,
      let output = node.outputs.first,
      let consumers = onlyConsumers(of: output), let values = node.inputs[2],
      readers[values.index].allSatisfy({
        graph.nodes[$0].outputs.first == output || readsColumns(before: attention.valueOffset, of: values, $0)
      }),
      !graph.outputs.contains(values),
      let source = graph.nodes.firstIndex(where: { $0.outputs.contains(values) }),
      let linear = graph.nodes[source].operation as? Linear, linear.activation == .none,
      !linear.addsResidual, let layer = layer(ofNode: source)
    else { return nil }
    let width = attention.heads * attention.headWidth
    for (other, offset) in [(0, attention.queryOffset), (1, attention.keyOffset)]
    where node.inputs[other] == values {
      guard abs(offset - attention.valueOffset) >= width else { return nil }
    }
    var column = 0
    for (part, matrix) in layer.matrices.enumerated() {
      defer { column += matrix.rows.count }
      guard column == attention.valueOffset, matrix.rows.count == width else { continue }
      guard let weight = graph.nodes[source].inputs[1 + part], isUsedOnce(weight) else { return nil }
      var producers = [matrix]
      if let bias = layer.biases[part] {
        guard let extent = weights[bias.tensor]?.shape.first, bias.rows.upperBound <= extent else {
          return nil
        }
        producers.append(bias)
      }
      return ScalableChannels(producers: producers, consumers: consumers)
    }
    return nil
  }

  /// Whether a node turns heads that all lie before a column, or multiplies them with vectors of distances, and does
  /// nothing else with a value.
  private func readsColumns(before column: Int, of value: Value, _ index: Int) -> Bool {
    let node = graph.nodes[index]
    guard node.inputs.first == value, !node.inputs.dropFirst().contains(value) else { return false }
    switch node.operation {
    case let rotary as RotaryEmbedding: return rotary.heads * rotary.headWidth <= column
    case let products as HeadProducts:
      guard let matrix = node.inputs[2].map({ graph[$0].type.shape }) else { return false }
      return products.offset + matrix[0] <= column
    default: return false
    }
  }

  private func isZero(_ value: Value) -> Bool {
    let elements = try? graph[value].constant?.elements(of: Float.self)
    return elements?.allSatisfy { $0 == 0 } ?? false
  }

  /// The matrices that a value is multiplied with, when all of their rows are, and it goes nowhere else.
  private func onlyConsumers(of value: Value) -> [String]? {
    guard let slices = consumers(of: value), !slices.isEmpty else { return nil }
    let names = Set(slices.map { ExactText($0.tensor) }).sorted()
    let isWhole = names.allSatisfy { name in
      slices.reduce(0) { $0 + (ExactText($1.tensor) == name ? $1.rows.count : 0) }
        == weights[name.text]?.shape.first
    }
    return isWhole ? names.map(\.text) : nil
  }

  /// What multiplies a value, whole or some of its rows; nil when anything else is done with it.
  private func consumers(of value: Value) -> [WeightSource]? {
    guard !graph.outputs.contains(value) else { return nil }
    var found: [WeightSource] = []
    for index in readers[value.index] {
      let node = graph.nodes[index]
      guard node.inputs.first == value, !node.inputs.dropFirst().contains(value) else { return nil }
      if let layer = layer(ofNode: index) {
        guard node.inputs.dropFirst().prefix(layer.matrices.count).allSatisfy({ $0.map(isUsedOnce) == true })
        else { return nil }
        found += layer.matrices
      } else if let gather = node.operation as? Gather, gather.axis == 0, gather.batchDimensions == 0,
        let output = node.outputs.first, let further = consumers(of: output)
      {
        found += further
      } else {
        return nil
      }
    }
    return found
  }
}
