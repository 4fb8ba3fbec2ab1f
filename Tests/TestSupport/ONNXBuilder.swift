/// An ONNX file as it is written, for tests that need a small one.
package struct ONNXBuilder {
  /// The version of ONNX's operators.
  package var version = 20
  package var graph = ProtobufBytes()
  /// Further fields of the model.
  package var others = ProtobufBytes()

  package init(version: Int = 20) { self.version = version }

  package func build() -> [UInt8] {
    var model = ProtobufBytes()
    model.add(1, 9)
    model.add(2, "Apus's tests")
    model.add(7, graph)
    var operators = ProtobufBytes()
    operators.add(1, "")
    operators.add(2, version)
    model.add(8, operators)
    return model.bytes + others.bytes
  }

  /// Adds a node to the graph.
  package mutating func node(
    _ type: String, _ inputs: [String], _ outputs: [String], domain: String = "", name: String = "",
    attributes: [ProtobufBytes] = []
  ) {
    graph.add(1, Self.node(type, inputs, outputs, domain: domain, name: name, attributes: attributes))
  }

  package static func node(
    _ type: String, _ inputs: [String], _ outputs: [String], domain: String = "", name: String = "",
    attributes: [ProtobufBytes] = []
  ) -> ProtobufBytes {
    var node = ProtobufBytes()
    for input in inputs { node.add(1, input) }
    for output in outputs { node.add(2, output) }
    if !name.isEmpty { node.add(3, name) }
    node.add(4, type)
    for attribute in attributes { node.add(5, attribute) }
    if !domain.isEmpty { node.add(7, domain) }
    return node
  }

  /// Adds an input; an axis of nil is left to the caller.
  package mutating func input(_ name: String, type: Int = 1, _ shape: [Int?]) {
    graph.add(11, Self.value(name, type: type, shape))
  }

  package mutating func output(_ name: String, type: Int = 1, _ shape: [Int?] = []) {
    graph.add(12, Self.value(name, type: type, shape))
  }

  package static func value(_ name: String, type: Int = 1, _ shape: [Int?]) -> ProtobufBytes {
    var extents = ProtobufBytes()
    for extent in shape {
      var axis = ProtobufBytes()
      if let extent { axis.add(1, extent) } else { axis.add(2, "free") }
      extents.add(1, axis)
    }
    var tensor = ProtobufBytes()
    tensor.add(1, type)
    tensor.add(2, extents)
    var kind = ProtobufBytes()
    kind.add(1, tensor)
    var value = ProtobufBytes()
    value.add(1, name)
    value.add(2, kind)
    return value
  }

  /// Adds a tensor of float32 with its elements as bytes.
  package mutating func floats(_ name: String, _ shape: [Int], _ elements: [Float]) {
    var tensor = Self.tensor(name, type: 1, shape)
    tensor.add(
      9,
      elements.flatMap { number in
        (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> UInt32(8 * $0)) }
      })
    graph.add(5, tensor)
  }

  /// Adds a tensor of int64 with its elements in a list.
  package mutating func integers(_ name: String, _ shape: [Int], _ elements: [Int]) {
    var tensor = Self.tensor(name, type: 7, shape)
    for element in elements { tensor.add(7, element) }
    graph.add(5, tensor)
  }

  /// A tensor without elements so far.
  package static func tensor(_ name: String, type: Int, _ shape: [Int]) -> ProtobufBytes {
    var tensor = ProtobufBytes()
    for extent in shape { tensor.add(1, extent) }
    tensor.add(2, type)
    tensor.add(8, name)
    return tensor
  }

  package static func attribute(_ name: String, _ number: Int) -> ProtobufBytes {
    var attribute = ProtobufBytes()
    attribute.add(1, name)
    attribute.add(3, number)
    attribute.add(20, 2)
    return attribute
  }

  package static func attribute(_ name: String, _ numbers: [Int]) -> ProtobufBytes {
    var attribute = ProtobufBytes()
    attribute.add(1, name)
    for number in numbers { attribute.add(8, number) }
    attribute.add(20, 7)
    return attribute
  }

  package static func attribute(_ name: String, _ number: Float) -> ProtobufBytes {
    var attribute = ProtobufBytes()
    attribute.add(1, name)
    attribute.add(2, number)
    attribute.add(20, 1)
    return attribute
  }

  package static func attribute(_ name: String, graph: ProtobufBytes) -> ProtobufBytes {
    var attribute = ProtobufBytes()
    attribute.add(1, name)
    attribute.add(6, graph)
    attribute.add(20, 5)
    return attribute
  }
}
