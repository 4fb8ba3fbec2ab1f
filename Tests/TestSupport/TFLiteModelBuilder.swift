/// Makes `.tflite` files in memory, sound or not. Numbers are those of the TFLite schema.
package struct TFLiteModelBuilder {
  /// A tensor. It is a constant when it has data.
  package struct Tensor {
    package var name: String
    package var type: Int8
    package var shape: [Int32]
    package var data: [UInt8]?
    package var scales: [Float] = []
    package var zeroPoints: [Int64] = []
    package var quantizedDimension: Int32 = 0
    package var isVariable = false
    package var sparsity: TFLiteSparsityBuilder?
    /// Whether the data lie behind the flatbuffer.
    package var isOutside = false
    /// The buffer it names, when that is not its own.
    package var buffer: UInt32?
    package var shapeSignature: [Int32]?
    /// Fields to set or replace, by slot.
    package var extra: [Int: FlatBufferNode] = [:]

    package init(
      _ name: String, _ type: Int8, _ shape: [Int32], data: [UInt8]? = nil,
      scales: [Float] = [], zeroPoints: [Int64] = [], quantizedDimension: Int32 = 0
    ) {
      self.name = name
      self.type = type
      self.shape = shape
      self.data = data
      self.scales = scales
      self.zeroPoints = zeroPoints
      self.quantizedDimension = quantizedDimension
    }

    /// A constant of 32-bit floats.
    package static func constant(_ name: String, _ shape: [Int32], _ values: [Float]) -> Tensor {
      Tensor(
        name, TFLiteModelBuilder.float32, shape,
        data: values.flatMap { TFLiteModelBuilder.bytes($0.bitPattern) })
    }

    /// A constant of 32-bit integers.
    package static func constant(_ name: String, _ shape: [Int32], _ values: [Int32]) -> Tensor {
      Tensor(name, TFLiteModelBuilder.int32, shape, data: values.flatMap { TFLiteModelBuilder.bytes($0) })
    }
  }

  package struct Operator {
    package var code: UInt32 = 0
    package var inputs: [Int32]
    package var outputs: [Int32]
    package var options: Options?
    /// Fields to set or replace, by slot.
    package var extra: [Int: FlatBufferNode] = [:]

    package init(code: UInt32 = 0, inputs: [Int32], outputs: [Int32], options: Options? = nil) {
      self.code = code
      self.inputs = inputs
      self.outputs = outputs
      self.options = options
    }
  }

  /// The options of a builtin operator: the number in its union, and the fields by slot.
  package struct Options {
    package var kind: UInt8
    package var fields: [Int: FlatBufferNode]

    package init(_ kind: UInt8, _ fields: [Int: FlatBufferNode] = [:]) {
      self.kind = kind
      self.fields = fields
    }
  }

  package struct Code {
    package var builtin: Int32
    /// The 8-bit field of old files; the same as `builtin` up to 127 when nil.
    package var deprecated: Int8?
    package var custom: String?
    package var version: Int32 = 1

    package init(_ builtin: Int32, deprecated: Int8? = nil, custom: String? = nil, version: Int32 = 1) {
      self.builtin = builtin
      self.deprecated = deprecated
      self.custom = custom
      self.version = version
    }
  }

  package struct Subgraph {
    package var name = "main"
    package var tensors: [Tensor]
    package var inputs: [Int32]
    package var outputs: [Int32]
    package var operators: [Operator]

    package init(tensors: [Tensor], inputs: [Int32], outputs: [Int32], operators: [Operator]) {
      self.tensors = tensors
      self.inputs = inputs
      self.outputs = outputs
      self.operators = operators
    }
  }

  package struct Signature {
    package var key: String
    package var subgraph: UInt32
    package var inputs: [(String, UInt32)]
    package var outputs: [(String, UInt32)]

    package init(
      key: String, subgraph: UInt32, inputs: [(String, UInt32)], outputs: [(String, UInt32)]
    ) {
      self.key = key
      self.subgraph = subgraph
      self.inputs = inputs
      self.outputs = outputs
    }
  }

  package static let float32: Int8 = 0
  package static let float16: Int8 = 1
  package static let int32: Int8 = 2
  package static let uint8: Int8 = 3
  package static let int64: Int8 = 4
  package static let string: Int8 = 5
  package static let bool: Int8 = 6
  package static let int16: Int8 = 7
  package static let int8: Int8 = 9
  package static let int4: Int8 = 17

  package var identifier = "TFL3"
  package var version: UInt32 = 3
  package var description = "made by a test"
  package var codes: [Code] = []
  package var subgraphs: [Subgraph] = []
  package var metadata: [(name: String, data: [UInt8])] = []
  package var signatures: [Signature] = []
  /// Fields of the model to set or replace, by slot.
  package var extra: [Int: FlatBufferNode] = [:]

  package init() {}

  /// A model of one operator. Tensors without data are the model's inputs; nil leaves out an optional one.
  package static func oneOperator(
    _ builtin: Int32, version: Int32 = 1, custom: String? = nil, options: Options? = nil, inputs: [Tensor?],
    outputs: [Tensor]
  ) -> TFLiteModelBuilder {
    let given = inputs.compactMap(\.self)
    var indices: [Int32] = []
    var next: Int32 = 0
    for input in inputs {
      indices.append(input == nil ? -1 : next)
      if input != nil { next += 1 }
    }
    let results = outputs.indices.map { Int32(given.count + $0) }
    var builder = TFLiteModelBuilder()
    builder.codes = [Code(builtin, custom: custom, version: version)]
    builder.subgraphs = [
      Subgraph(
        tensors: given + outputs,
        inputs: given.indices.filter { given[$0].data == nil && !given[$0].isVariable }.map { Int32($0) },
        outputs: results,
        operators: [Operator(inputs: indices, outputs: results, options: options)])
    ]
    return builder
  }

  /// The bytes of a number as the files have them.
  package static func bytes<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// The file.
  package func build() -> [UInt8] {
    // The place of outside data does not change the length of what stands before them.
    let start = FlatBufferBuilder.build(root(outside: 1 << 20), identifier: identifier).count
    let outside = subgraphs.flatMap(\.tensors).filter(\.isOutside).compactMap(\.data)
    return FlatBufferBuilder.build(root(outside: UInt64(start)), identifier: identifier) + outside.joined()
  }

  private func root(outside start: UInt64) -> FlatBufferNode {
    var buffers: [FlatBufferNode] = [.table([:])]
    var next = start
    let graphs = subgraphs.map { graph in
      let tensors = graph.tensors.map { tensor in
        var own: UInt32 = 0
        if let data = tensor.data {
          own = UInt32(buffers.count)
          let outside: [Int: FlatBufferNode] = [1: .uint64(next), 2: .uint64(UInt64(data.count))]
          buffers.append(.table(tensor.isOutside ? outside : [0: .bytes(data)]))
          if tensor.isOutside { next += UInt64(data.count) }
        }
        return tensor.node(buffer: tensor.buffer ?? own)
      }
      return FlatBufferNode.table([
        0: .vector(tensors), 1: .int32s(graph.inputs), 2: .int32s(graph.outputs),
        3: .vector(graph.operators.map(\.node)), 4: .string(graph.name),
      ])
    }
    let entries = metadata.map { entry in
      buffers.append(.table([0: .bytes(entry.data)]))
      return FlatBufferNode.table([0: .string(entry.name), 1: .uint32(UInt32(buffers.count - 1))])
    }
    let fields: [Int: FlatBufferNode] = [
      0: .uint32(version), 1: .vector(codes.map(\.node)), 2: .vector(graphs), 3: .string(description),
      4: .vector(buffers), 6: .vector(entries), 7: .vector(signatures.map(\.node)),
    ]
    return .table(fields.merging(extra) { $1 })
  }
}

extension TFLiteModelBuilder.Tensor {
  fileprivate func node(buffer: UInt32) -> FlatBufferNode {
    var fields: [Int: FlatBufferNode] = [
      0: .int32s(shape), 1: .int8(type), 2: .uint32(buffer), 3: .string(name), 8: .bool(true),
    ]
    if !scales.isEmpty || !zeroPoints.isEmpty {
      fields[4] = .table([
        2: .floats(scales), 3: .int64s(zeroPoints), 6: .int32(quantizedDimension),
      ])
    }
    if isVariable { fields[5] = .bool(true) }
    if let sparsity { fields[6] = sparsity.node }
    if let shapeSignature { fields[7] = .int32s(shapeSignature) }
    return .table(fields.merging(extra) { $1 })
  }
}

extension TFLiteModelBuilder.Operator {
  fileprivate var node: FlatBufferNode {
    var fields: [Int: FlatBufferNode] = [0: .uint32(code), 1: .int32s(inputs), 2: .int32s(outputs)]
    if let options {
      fields[3] = .uint8(options.kind)
      fields[4] = .table(options.fields)
    }
    return .table(fields.merging(extra) { $1 })
  }
}

extension TFLiteModelBuilder.Code {
  fileprivate var node: FlatBufferNode {
    var fields: [Int: FlatBufferNode] = [
      0: .int8(deprecated ?? Int8(clamping: builtin)), 2: .int32(version), 3: .int32(builtin),
    ]
    if let custom { fields[1] = .string(custom) }
    return .table(fields)
  }
}

extension TFLiteModelBuilder.Signature {
  fileprivate var node: FlatBufferNode {
    func map(_ bindings: [(String, UInt32)]) -> FlatBufferNode {
      .vector(bindings.map { .table([0: .string($0.0), 1: .uint32($0.1)]) })
    }
    return .table([0: map(inputs), 1: map(outputs), 2: .string(key), 4: .uint32(subgraph)])
  }
}
