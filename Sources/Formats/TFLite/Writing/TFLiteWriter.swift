import TensorCore

/// Writes a ``TFLiteDraft`` as the bytes of a `.tflite` file, by version 3 of the schema.
///
/// The same draft always gives the same bytes. Constants with the same elements share a buffer; buffers begin at
/// multiples of 16 bytes, so that files can be mapped.
package enum TFLiteWriter {
  private static let bufferAlignment = 16

  /// - Throws: ``ApusError`` of kind `unsupportedModel` for options that are not written, or a model over the
  ///   format's limit of 2 GiB; of kind `argument` when numbers do not fit the schema's fields.
  package static func bytes(_ draft: TFLiteDraft) throws(ApusError) -> [UInt8] {
    var buffers = Buffers()
    let codes = Codes(draft.steps)
    let graph = try subgraph(draft, codes, &buffers)
    let metadata = draft.metadata.map { name, data in
      var entry = FlatBufferRecord()
      entry.set(0, .string(name))
      entry.set(1, UInt32(buffers.add(data)))
      return entry
    }
    var model = FlatBufferRecord()
    model.set(0, UInt32(TFLiteModel.version))
    model.set(1, .records(codes.records))
    model.set(2, .records([graph]))
    model.set(3, .string(draft.description))
    model.set(4, .records(buffers.records(alignment: bufferAlignment)))
    model.set(6, metadata.isEmpty ? nil : .records(metadata))
    let signatures = draft.signatures.map(signature)
    model.set(7, signatures.isEmpty ? nil : .records(signatures))
    return try FlatBufferWriter.message(model, identifier: TFLiteModel.identifier)
  }

  private static func subgraph(
    _ draft: TFLiteDraft, _ codes: Codes, _ buffers: inout Buffers
  ) throws(ApusError) -> FlatBufferRecord {
    var tensors: [FlatBufferRecord] = []
    for tensor in draft.tensors { tensors.append(try record(tensor, &buffers)) }
    var steps: [FlatBufferRecord] = []
    for step in draft.steps { steps.append(try record(step, codes)) }
    var graph = FlatBufferRecord()
    graph.set(0, .records(tensors))
    graph.set(1, try integers(draft.inputs, "inputs"))
    graph.set(2, try integers(draft.outputs, "outputs"))
    graph.set(3, .records(steps))
    graph.set(4, .string(draft.name))
    return graph
  }

  private static func record(
    _ tensor: TFLiteDraft.Tensor, _ buffers: inout Buffers
  ) throws(ApusError) -> FlatBufferRecord {
    var record = FlatBufferRecord()
    record.set(0, try integers(tensor.shape, "the shape of '\(tensor.name.clipped)'"))
    record.set(1, tensor.type.rawValue)
    record.set(2, UInt32(tensor.data.map { buffers.add($0) } ?? 0))
    record.set(3, .string(tensor.name))
    if let quantization = tensor.quantization {
      var parameters = FlatBufferRecord()
      parameters.set(2, .floats(quantization.scales))
      parameters.set(3, .integers(quantization.zeroPoints.map { Int64($0) }))
      parameters.set(6, Int32(clamping: quantization.axis ?? 0))
      record.set(4, .record(parameters))
    }
    if let signature = tensor.signature {
      record.set(7, try integers(signature, "the shape of '\(tensor.name.clipped)'"))
    }
    record.set(8, true)
    return record
  }

  private static func record(
    _ step: TFLiteDraft.Step, _ codes: Codes
  ) throws(ApusError) -> FlatBufferRecord {
    var record = FlatBufferRecord()
    record.set(0, UInt32(codes.index(step)))
    record.set(1, try integers(step.inputs.map { $0 ?? -1 }, "the inputs of \(step.builtin.name)"))
    record.set(2, try integers(step.outputs, "the outputs of \(step.builtin.name)"))
    if let (kind, options) = try step.options.map(step.builtin.record) {
      record.set(3, kind)
      record.set(4, .record(options))
    }
    return record
  }

  private static func signature(_ signature: TFLiteDraft.Signature) -> FlatBufferRecord {
    func map(_ bindings: [(name: String, tensor: Int)]) -> FlatBufferContent {
      .records(
        bindings.map { binding in
          var record = FlatBufferRecord()
          record.set(0, .string(binding.name))
          record.set(1, UInt32(clamping: binding.tensor))
          return record
        })
    }
    var record = FlatBufferRecord()
    record.set(0, map(signature.inputs))
    record.set(1, map(signature.outputs))
    record.set(2, .string(signature.key))
    return record
  }

  static func integers(_ values: [Int], _ role: String) throws(ApusError) -> FlatBufferContent {
    var narrow: [Int32] = []
    for value in values {
      guard let value = Int32(exactly: value) else {
        throw ApusError(.argument, "\(role) has \(value)", expected: "numbers of 32 bits")
      }
      narrow.append(value)
    }
    return .integers(narrow)
  }
}

/// The operators that a model uses, each version once, in the order of their first use.
private struct Codes {
  private struct Code: Hashable {
    let builtin: TFLiteBuiltin
    let version: Int
  }

  private var indices: [Code: Int] = [:]
  private var codes: [Code] = []

  init(_ steps: [TFLiteDraft.Step]) {
    for step in steps {
      let code = Code(builtin: step.builtin, version: step.version)
      guard indices[code] == nil else { continue }
      indices[code] = codes.count
      codes.append(code)
    }
  }

  func index(_ step: TFLiteDraft.Step) -> Int {
    indices[Code(builtin: step.builtin, version: step.version)] ?? 0
  }

  var records: [FlatBufferRecord] {
    codes.map { code in
      var record = FlatBufferRecord()
      // Old readers know the 8-bit field only; 127 there sends new ones to the other.
      record.set(0, Int8(clamping: code.builtin.rawValue))
      record.set(2, Int32(clamping: code.version), default: 1)
      record.set(3, code.builtin.rawValue)
      return record
    }
  }
}

/// The constants' bytes, each once; the first buffer is empty, which means none.
private struct Buffers {
  private var indices: [[UInt8]: Int] = [:]
  private var contents: [[UInt8]] = [[]]

  /// - Returns: the index of the buffer with these bytes.
  mutating func add(_ bytes: [UInt8]) -> Int {
    if let index = indices[bytes] { return index }
    indices[bytes] = contents.count
    contents.append(bytes)
    return contents.count - 1
  }

  func records(alignment: Int) -> [FlatBufferRecord] {
    contents.map { bytes in
      var record = FlatBufferRecord()
      if !bytes.isEmpty { record.set(0, .vector(bytes, width: 1, alignment: alignment)) }
      return record
    }
  }
}
