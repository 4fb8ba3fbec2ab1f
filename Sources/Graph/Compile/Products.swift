import TensorCore

/// The products of one kind of number that a model adds up.
public struct Products: Sendable, Hashable {
  /// float32, bfloat16, int8 for all of 8 bits, or int16.
  public let numbers: DataType
  /// The operations that multiply them, the one with most products first: `linear`, `conv2D`.
  public let operations: [String]

  package init(_ numbers: DataType, by operations: [String]) {
    self.numbers = numbers
    self.operations = operations
  }
}

extension CompiledModel {
  /// What a run multiplies: the numbers with most products first.
  package var products: [Products] {
    var counts: [DataType: [String: Double]] = [:]
    for (index, node) in graph.nodes.enumerated() {
      guard let numbers = lowerings[index].products else { continue }
      counts[numbers, default: [:]][node.operation.name, default: 0] += Double(multiplyAccumulates[index])
    }
    let sums = counts.map { (numbers: $0.key, operations: $0.value, sum: $0.value.values.reduce(0, +)) }
    return sums.sorted { ($1.sum, $0.numbers.rawValue) < ($0.sum, $1.numbers.rawValue) }.map {
      numbers, operations, _ in
      let names = operations.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
      return Products(numbers, by: names)
    }
  }
}
