import Formats
import Graph
import TensorCore

/// What a name of an ONNX file has become: one value, in one or both orders of its axes.
///
/// Convolutions and pools of ONNX have the channels before height and width, those of ``Graph`` behind them. What they give is
/// held so, and so is what is made of it element by element, until something needs the file's order.
final class ONNXValue {
  /// In the order of the file.
  fileprivate(set) var plain: Value?
  /// With the second axis behind all others.
  fileprivate(set) var channelsLast: Value?
  /// A constant as the file stores it.
  let stored: Tensor?
  /// The type that the file gives it where the graph has float32 in its place: float16 or bfloat16.
  let narrowType: DataType?
  /// How the file packs elements that the graph has a byte for each of.
  var packing: ONNXPacking?
  /// Whether they stand for texts, of which the graph has the positions in the file's list.
  var isText = false
  /// What it is besides its elements, which are made when something asks for them.
  let deferral: ONNXDeferral?

  init(plain: Value, narrowType: DataType? = nil) {
    (self.plain, stored, self.narrowType, deferral) = (plain, nil, narrowType, nil)
  }

  init(channelsLast: Value, narrowType: DataType? = nil) {
    (self.channelsLast, stored, self.narrowType, deferral) = (channelsLast, nil, narrowType, nil)
  }

  init(_ stored: Tensor) {
    (self.stored, deferral) = (stored, nil)
    narrowType = stored.dataType.isNarrowFloat ? stored.dataType : nil
  }

  init(_ deferral: ONNXDeferral) { (self.deferral, stored, narrowType) = (deferral, nil, nil) }

  /// Makes the elements of a value that is deferred, as the file spells them.
  func settle() throws(ApusError) {
    guard let deferral, plain == nil, channelsLast == nil else { return }
    let value = try deferral.spelled()
    try value.settle()
    (plain, channelsLast) = (value.plain, value.channelsLast)
  }
}

extension DataType {
  /// Whether the graph computes float32 in its place.
  var isNarrowFloat: Bool { self == .float16 || self == .bfloat16 }
}

extension [Int] {
  /// Extents, or anything else that there is for each axis, with the second one last.
  var channelsLast: [Int] { count < 3 ? self : [self[0]] + self[2...] + [self[1]] }

  /// Those of an order with channels last in the file's order.
  var channelsFirst: [Int] { count < 3 ? self : [self[0], self[count - 1]] + self[1..<(count - 1)] }
}

/// A graph while it is made of an ONNX file.
final class ONNXTranslation {
  private(set) var builder = GraphBuilder(.stated)
  /// Nodes of operators that the file defines, as often as they are asked for.
  private var calledNodes = 0
  /// Linear layers without a bias, by their results.
  private var products: [Value: (layer: Linear, rows: Value, weights: Value)] = [:]
  /// The same of bytes.
  private var byteLayers: [Value: [Value]] = [:]
  /// Products of a number that a run finds and known ones.
  private var scales: [Value: (found: Value, known: Tensor)] = [:]

  /// Counts the nodes of an operator that the file defines, so that a few that ask for each other do not make very many.
  func enter(_ function: ONNXFunction) throws(ApusError) {
    calledNodes += max(1, function.graph.nodes.count)
    guard calledNodes <= 1 << 17 else {
      throw ApusError(
        .unsupportedModel, "over \(1 << 17) nodes in operators that the file defines", expected: "fewer")
    }
  }

  /// Keeps of what a linear layer without a bias is made, so that a sum that follows can be its bias.
  func remember(product: Value, by layer: Linear, of rows: Value, _ weights: Value) {
    products[product] = (layer, rows, weights)
  }

  func product(_ value: Value) -> (layer: Linear, rows: Value, weights: Value)? { products[value] }

  /// Keeps the operands of a layer of bytes without a bias.
  func remember(byteLayer: Value, of operands: [Value]) { byteLayers[byteLayer] = operands }

  func byteLayer(_ value: Value) -> [Value]? { byteLayers[value] }

  /// Keeps of what a scale is the product.
  func remember(scale: Value, _ found: Value, times known: Tensor) { scales[scale] = (found, known) }

  func scale(_ value: Value) -> (found: Value, known: Tensor)? { scales[value] }

  /// Applies an operation with one result.
  /// - Parameter type: of the result, where the operation does not decide it.
  func add(
    _ operation: some Operation, _ inputs: [Value?], type: TensorType? = nil, named name: String,
    at label: String
  ) throws(ApusError) -> Value {
    let added = try builder.add(operation, inputs, results: [.init(name, type)], label: label)
    guard let value = added.first else { throw ApusError(.malformedModel, "no result", at: label) }
    return value
  }

  /// Applies an operation with several results.
  func add(
    _ operation: some Operation, _ inputs: [Value?], count: Int, named name: String, at label: String
  ) throws(ApusError) -> [Value] {
    try builder.add(
      operation, inputs, results: [GraphBuilder.Declaration](repeating: .init(name), count: count),
      label: label)
  }

  func constant(_ tensor: Tensor, named name: String) -> Value { builder.constant(name, tensor) }

  func input(_ name: String, _ type: TensorType, known: Tensor?) -> Value {
    builder.input(name, type, known: known)
  }

  func output(_ value: Value) { builder.output(value) }

  func type(of value: Value) -> TensorType { builder[value].type }

  /// The elements of a value, where they are known.
  func constant(of value: Value) -> Tensor? { builder[value].constant }

  /// The extents of a value in the file's order.
  func shape(of value: ONNXValue) throws(ApusError) -> Shape {
    try value.settle()
    if let plain = value.plain { return type(of: plain).shape }
    if let held = value.channelsLast { return try Shape(type(of: held).shape.dimensions.channelsFirst) }
    return value.stored?.shape ?? .scalar
  }

  /// The element type that the graph has.
  func dataType(of value: ONNXValue) -> DataType {
    if let held = value.plain ?? value.channelsLast { return type(of: held).dataType }
    return value.narrowType == nil ? value.stored?.dataType ?? .float32 : .float32
  }

  /// The value in the file's order.
  func plain(_ value: ONNXValue, named name: String, at label: String) throws(ApusError) -> Value {
    try value.settle()
    if let plain = value.plain { return plain }
    let plain: Value
    if let stored = value.stored {
      let constant = constant(stored, named: name)
      plain =
        value.narrowType == nil
        ? constant : try add(Cast(to: .float32), [constant], named: name, at: label)
    } else if let held = value.channelsLast {
      let order = Array(0..<type(of: held).shape.rank).channelsFirst
      plain = try transposed(held, order, named: name, at: label)
    } else {
      throw ApusError(.malformedModel, "a value without elements", at: label)
    }
    value.plain = plain
    return plain
  }

  /// The value with its second axis last; the same where it has no third one.
  func channelsLast(_ value: ONNXValue, named name: String, at label: String) throws(ApusError) -> Value {
    try value.settle()
    if let held = value.channelsLast { return held }
    let plain = try plain(value, named: name, at: label)
    let rank = type(of: plain).shape.rank
    guard rank > 2 else { return plain }
    let held = try transposed(plain, Array(0..<rank).channelsLast, named: name, at: label)
    value.channelsLast = held
    return held
  }

  func transposed(_ value: Value, _ order: [Int], named name: String, at label: String) throws(ApusError)
    -> Value
  {
    let permutation = try Tensor(order.map { Int32(clamping: $0) })
    return try add(Transpose(), [value, constant(permutation, named: name)], named: name, at: label)
  }
}
