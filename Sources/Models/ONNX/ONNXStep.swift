import Formats
import Graph
import TensorCore

/// A node of an ONNX file on its way into a graph: its operands and attributes, and what is made of them.
final class ONNXStep {
  let node: ONNXNode
  /// Of the operators of the node's domain.
  let version: Int
  let translation: ONNXTranslation
  let label: String
  private let inputs: [ONNXValue?]
  private let constants: ONNXConstants
  private let order: ONNXOrder
  private var readAttributes: Set<ExactText> = []
  private var readsAll = false

  init(
    _ node: ONNXNode, version: Int, _ inputs: [ONNXValue?], label: String, constants: ONNXConstants,
    order: ONNXOrder,
    into translation: ONNXTranslation
  ) {
    (self.node, self.version, self.inputs) = (node, version, inputs)
    (self.label, self.constants, self.order, self.translation) = (label, constants, order, translation)
  }

  /// The same node of which nothing was read.
  /// - Parameter replaced: other operands, by their positions.
  func copy(replacing replaced: [Int: ONNXValue] = [:]) -> ONNXStep {
    ONNXStep(
      node, version: version, inputs.enumerated().map { replaced[$0.offset] ?? $0.element }, label: label,
      constants: constants, order: order, into: translation)
  }

  // MARK: Operands

  var inputCount: Int { inputs.count }

  func has(_ index: Int) -> Bool { index < inputs.count && inputs[index] != nil }

  func input(_ index: Int) throws(ApusError) -> ONNXValue {
    guard index < inputs.count, let value = inputs[index] else {
      throw ApusError(.malformedModel, "input \(index) is missing")
    }
    try value.settle()
    return value
  }

  /// What an operand is besides its elements, which are not made for that.
  func deferral(_ index: Int) -> ONNXDeferral? { index < inputs.count ? inputs[index]?.deferral : nil }

  /// A value, or operand 0 where there is none.
  func operand(_ value: ONNXValue?) throws(ApusError) -> ONNXValue {
    if let value { return value }
    return try input(0)
  }

  /// An operand in the file's order.
  func plain(_ index: Int) throws(ApusError) -> Value { try plain(input(index)) }

  func plain(_ value: ONNXValue) throws(ApusError) -> Value {
    try translation.plain(value, named: resultName, at: label)
  }

  func channelsLast(_ value: ONNXValue) throws(ApusError) -> Value {
    try translation.channelsLast(value, named: resultName, at: label)
  }

  func shape(_ index: Int) throws(ApusError) -> Shape { try translation.shape(of: input(index)) }

  func dataType(_ index: Int) throws(ApusError) -> DataType { translation.dataType(of: try input(index)) }

  func type(of value: Value) -> TensorType { translation.type(of: value) }

  /// The elements of an operand that must be known when the graph is made.
  /// - Parameter role: what it is to the operator: `the shape`.
  func constant(_ index: Int, _ role: String) throws(ApusError) -> Tensor {
    guard let tensor = translation.constant(of: try plain(index)) else {
      throw ApusError(
        .unsupportedModel, "input \(index) (\(role)) is computed while the model runs",
        expected: "a value known when shapes are")
    }
    return tensor
  }

  /// The elements of an operand as the file stores them; nil where they are computed.
  func known(_ index: Int) throws(ApusError) -> Tensor? {
    let value = try input(index)
    if let stored = value.stored { return stored }
    return value.plain.flatMap(translation.constant(of:))
  }

  func integers(_ index: Int, _ role: String) throws(ApusError) -> [Int] {
    try constant(index, role).integers()
  }

  func integer(_ index: Int, _ role: String) throws(ApusError) -> Int {
    let numbers = try integers(index, role)
    guard numbers.count == 1 else {
      throw ApusError(
        .malformedModel, "input \(index) (\(role)) has \(numbers.count) elements", expected: "1")
    }
    return numbers[0]
  }

  /// Whether an operand is of bytes with scales, or made of such.
  var hasBytes: Bool {
    inputs.contains { value in
      switch value?.deferral?.form {
      case nil, .byteProduct, .bytes: false
      case .known, .pending, .real: true
      }
    }
  }

  /// How often a value of the node's graph is read.
  func reads(_ name: String) -> Int { order.reads[ExactText(name)] ?? 0 }

  // MARK: Attributes

  /// - Throws: ``ApusError`` of kind `unsupportedModel` for an attribute that was not asked for: what it says is not done.
  func requireAllRead() throws(ApusError) {
    let unread = readsAll ? nil : node.attributes.first { !readAttributes.contains(ExactText($0.name)) }
    guard let unread else { return }
    throw ApusError(
      .unsupportedModel, "the attribute '\(unread.name.clipped)'", expected: "none of that name")
  }

  func has(attribute name: String) -> Bool { attribute(name) != nil }

  /// An attribute that changes nothing of what is computed.
  func passOver(_ names: String...) { for name in names { readAttributes.insert(ExactText(name)) } }

  /// Leaves the attributes to another step of the same node.
  func passOverAll() { readsAll = true }

  func integer(_ name: String, default number: Int = 0) throws(ApusError) -> Int {
    switch attribute(name) {
    case nil: return number
    case .int(let value): return Int(value)
    default: throw wrongAttribute(name, "an integer")
    }
  }

  func flag(_ name: String, default isSet: Bool = false) throws(ApusError) -> Bool {
    try integer(name, default: isSet ? 1 : 0) != 0
  }

  func integers(_ name: String) throws(ApusError) -> [Int]? {
    switch attribute(name) {
    case nil: return nil
    case .ints(let values): return values.map { Int($0) }
    default: throw wrongAttribute(name, "integers")
    }
  }

  func float(_ name: String, default number: Float = 0) throws(ApusError) -> Float {
    switch attribute(name) {
    case nil: return number
    case .float(let value): return value
    default: throw wrongAttribute(name, "a float")
    }
  }

  func text(_ name: String, default text: String) throws(ApusError) -> String {
    switch attribute(name) {
    case nil: return text
    case .string(let value): return value
    default: throw wrongAttribute(name, "a text")
    }
  }

  func attribute(_ name: String) -> ONNXAttribute.Value? {
    readAttributes.insert(ExactText(name))
    return node.attribute(name)
  }

  /// The elements of a tensor that an attribute is.
  func tensor(_ tensor: ONNXTensor) throws(ApusError) -> Tensor { try constants.tensor(tensor) }

  func tensor(_ tensor: ONNXSparseTensor) throws(ApusError) -> Tensor { try constants.tensor(tensor) }

  /// The value of a tensor, whose elements may be packed.
  func value(_ tensor: ONNXTensor) throws(ApusError) -> ONNXValue { try constants.value(tensor) }

  private func wrongAttribute(_ name: String, _ expected: String) -> ApusError {
    ApusError(.malformedModel, "attribute '\(name)' of another type", expected: expected)
  }

  // MARK: Results

  var outputCount: Int { node.outputs.count }

  /// Whether a result is asked for.
  func wants(_ output: Int) -> Bool { output < node.outputs.count && !node.outputs[output].isEmpty }

  /// Refuses results that Apus does not compute.
  func requireOutputs(atMost count: Int) throws(ApusError) {
    guard let extra = node.outputs.indices.first(where: { $0 >= count && wants($0) }) else { return }
    throw ApusError(
      .unsupportedModel, "result \(extra), '\(node.outputs[extra].clipped)'", expected: "\(count)")
  }

  var resultName: String { node.outputs.first { !$0.isEmpty } ?? node.type }

  func add(_ operation: some Operation, _ inputs: [Value?], type: TensorType? = nil) throws(ApusError)
    -> Value
  {
    try translation.add(operation, inputs, type: type, named: resultName, at: label)
  }

  func add(_ operation: some Operation, _ inputs: [Value?], count: Int) throws(ApusError) -> [Value] {
    try translation.add(operation, inputs, count: count, named: resultName, at: label)
  }

  func constant(_ tensor: Tensor) -> Value { translation.constant(tensor, named: resultName) }

  /// Integers as a vector of int64.
  func constant(_ numbers: [Int]) throws(ApusError) -> Value {
    constant(try Tensor(numbers.map { Int64($0) }))
  }

  /// So many times one number as a vector of float32.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for more than 256 MiB, which shapes without elements ask for.
  func constant(_ number: Float, count: Int) throws(ApusError) -> Value {
    try Self.requireFew(count, "elements")
    return constant(try Tensor([Float](repeating: number, count: count)))
  }

  /// Refuses numbers of which a list would take much memory.
  static func requireFew(_ count: Int, _ what: String) throws(ApusError) {
    guard count <= 1 << 26 else {
      throw ApusError(.unsupportedModel, "\(count) \(what)", expected: "at most \(1 << 26)")
    }
  }

  /// A number as a scalar of float32.
  func scalar(_ number: Float) throws(ApusError) -> Value { constant(try Tensor(scalar: number)) }

  func reshaped(_ value: Value, _ shape: [Int]) throws(ApusError) -> Value {
    type(of: value).shape.dimensions == shape ? value : try add(Reshape(shape: shape), [value])
  }

  func transposed(_ value: Value, _ order: [Int]) throws(ApusError) -> Value {
    order == Array(order.indices)
      ? value : try translation.transposed(value, order, named: resultName, at: label)
  }

  func cast(_ value: Value, to dataType: DataType) throws(ApusError) -> Value {
    type(of: value).dataType == dataType ? value : try add(Cast(to: dataType), [value])
  }
}
