import Graph
import TensorCore

/// The layers of neural networks as one call each: weights by path, shapes demanded, results named after them.
extension GraphBuilder {
  /// Applies an operation with one result, which is named `place`.
  mutating func apply(
    _ operation: some Operation, _ inputs: [Value?], at place: String
  ) throws(ApusError) -> Value {
    let results = try add(
      operation, inputs, results: [Declaration(place)], label: "\(place) (\(operation.name))")
    guard let value = results.first else {
      throw ApusError(.malformedModel, "no result", expected: "one", at: place)
    }
    return value
  }

  /// The extents of a value.
  func dimensions(_ value: Value) -> [Int] { self[value].type.shape.dimensions }

  /// The extent of a value along its last axis: the features of a row.
  func width(_ value: Value) -> Int { dimensions(value).last ?? 1 }

  /// `x · Wᵀ + b` with `weight` [outputs, width of x] and, if there is one, `bias` [outputs].
  mutating func linear(
    _ x: Value, _ weights: WeightPath, outputs: Int, hasBias: Bool = true,
    activation: Activation = .none
  ) throws(ApusError) -> Value {
    let parts = [try Projection(weights, inputs: width(x), outputs: outputs, hasBias: hasBias)]
    return try linear(x, parts, activation: activation, at: weights.prefix)
  }

  /// Several projections of the same rows, their columns side by side.
  mutating func linear(
    _ x: Value, _ parts: [Projection], activation: Activation = .none, at place: String
  ) throws(ApusError) -> Value {
    let hasBias = parts.contains { $0.bias != nil }
    var operands: [Value?] = [x]
    for part in parts { operands.append(constant(part.weight, as: "\(part.name).weight")) }
    if hasBias {
      for part in parts { operands.append(part.bias.map { constant($0, as: "\(part.name).bias") }) }
    }
    let operation = Linear(parts: parts.count, hasBias: hasBias, activation: activation)
    return try apply(operation, operands, at: place)
  }

  /// `x · M` with a matrix that is stored [width of x, outputs].
  mutating func projection(
    _ x: Value, _ weights: WeightPath, _ name: String, outputs: Int
  ) throws(ApusError) -> Value {
    let place = weights.key(name)
    let stored = try weights.weight(name, [width(x), outputs])
    try requireFloat(stored.tensor, at: place, weights)
    let layer = Linear(hasBias: false, weightsAreTransposed: true)
    return try apply(layer, [x, constant(stored)], at: place)
  }

  mutating func sum(_ a: Value, _ b: Value, at place: String) throws(ApusError) -> Value {
    try apply(Add(), [a, b], at: place)
  }

  mutating func reshape(_ x: Value, _ shape: [Int], at place: String) throws(ApusError) -> Value {
    try apply(Reshape(shape: shape), [x], at: place)
  }

  mutating func transpose(_ x: Value, _ permutation: [Int32], at place: String) throws(ApusError) -> Value {
    let order = constant("\(place).permutation", try Tensor(permutation, shape: .vector(permutation.count)))
    return try apply(Transpose(), [x, order], at: place)
  }

  mutating func broadcast(_ x: Value, to shape: [Int32], at place: String) throws(ApusError) -> Value {
    let wanted = constant("\(place).shape", try Tensor(shape, shape: .vector(shape.count)))
    return try apply(BroadcastTo(), [x, wanted], at: place)
  }

  /// The rows of a matrix that indices name.
  mutating func gather(_ x: Value, _ rows: Value, at place: String) throws(ApusError) -> Value {
    try apply(Gather(axis: 0), [x, rows], at: place)
  }

  /// A stored tensor as a constant of float32, for operations that take nothing else.
  mutating func float32(
    _ weights: WeightPath, _ name: String, _ shape: [Int]
  ) throws(ApusError) -> Value {
    let place = weights.key(name)
    let stored = try weights.weight(name, shape)
    guard stored.tensor.dataType.isFloat else {
      return try apply(Dequantize(), [constant(stored)], at: place)
    }
    return try apply(Cast(to: .float32), [constant(stored)], at: place)
  }

  /// Refuses int8 where its scales, one for each row, would not fit what is done with it.
  private func requireFloat(_ tensor: Tensor, at place: String, _ weights: WeightPath) throws(ApusError) {
    guard tensor.dataType.isFloat else {
      throw ApusError(
        .unsupportedModel, "is stored as \(tensor.dataType.rawValue)", expected: "a float type",
        at: "tensor '\(place)'", file: weights.collection.path(of: place))
    }
  }

  /// Integers known when the graph is built, such as row numbers.
  mutating func indices(_ numbers: [Int], at place: String) throws(ApusError) -> Value {
    constant(place, try Tensor(numbers.map { Int32(clamping: $0) }, shape: .vector(numbers.count)))
  }
}
