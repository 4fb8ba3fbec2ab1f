import FoundationEssentials
import InferenceProtocol

extension InferenceRequest {
  /// The request that a message holds. Tensors are raw all together, or none is.
  /// - Throws: ``InferenceProtocolError`` for everything that does not add up.
  init(_ message: Inference_ModelInferRequest) throws(InferenceProtocolError) {
    let raw = message.rawInputContents
    guard raw.isEmpty || raw.count == message.inputs.count else {
      throw InferenceProtocolError("\(message.inputs.count) inputs with \(raw.count) raw_input_contents")
    }
    var inputs: [InferenceTensor] = []
    for (index, input) in message.inputs.enumerated() {
      inputs.append(try input.tensor(raw: raw.isEmpty ? nil : raw[index]))
    }
    var outputs: [RequestedOutput] = []
    for output in message.outputs {
      outputs.append(try RequestedOutput(output.name, parameters: InferenceParameters(output.parameters)))
    }
    try self.init(
      id: message.id.isEmpty ? nil : message.id, parameters: InferenceParameters(message.parameters),
      inputs: inputs, outputs: outputs)
  }
}

extension InferenceParameters {
  /// Those of a message; ones without a value mean nothing.
  init(_ parameters: [String: Inference_InferParameter]) {
    self = parameters.compactMapValues { parameter in
      switch parameter.parameterChoice {
      case .boolParam(let value): .bool(value)
      case .int64Param(let value): .integer(value)
      case .uint64Param(let value): Int64(exactly: value).map { .integer($0) } ?? .number(Double(value))
      case .doubleParam(let value): .number(value)
      case .stringParam(let value): .text(value)
      case nil: nil
      }
    }
  }
}

extension Inference_ModelInferRequest.InferInputTensor {
  fileprivate func tensor(raw: Data?) throws(InferenceProtocolError) -> InferenceTensor {
    let datatype = try InferenceDatatype(named: datatype)
    let shape = try InferenceShape(shape.map(Int.init))
    let parameters = InferenceParameters(parameters)
    guard parameters["shared_memory_region"] == nil else {
      throw InferenceProtocolError("input '\(name)' is in shared memory, which is not offered here")
    }
    if let raw {
      guard !hasContents else {
        throw InferenceProtocolError("input '\(name)' has both contents and raw_input_contents")
      }
      return try InferenceTensor(name, datatype, shape, bytes: Array(raw)[...], parameters: parameters)
    }
    let bytes = try contents.bytes(as: datatype)
    return try InferenceTensor(name, datatype, shape, bytes: bytes[...], parameters: parameters)
  }
}

extension Inference_InferTensorContents {
  /// The binary form of the elements, from the one field that those of the type stand in.
  fileprivate func bytes(as datatype: InferenceDatatype) throws(InferenceProtocolError) -> [UInt8] {
    switch datatype {
    case .bool: boolContents.map { $0 ? 1 : 0 }
    case .int8: try InferenceTensor.bytes(intContents, as: Int8.self)
    case .int16: try InferenceTensor.bytes(intContents, as: Int16.self)
    case .int32: try InferenceTensor.bytes(intContents, as: Int32.self)
    case .int64: try InferenceTensor.bytes(int64Contents, as: Int64.self)
    case .uint8: try InferenceTensor.bytes(uintContents, as: UInt8.self)
    case .uint16: try InferenceTensor.bytes(uintContents, as: UInt16.self)
    case .uint32: try InferenceTensor.bytes(uintContents, as: UInt32.self)
    case .uint64: try InferenceTensor.bytes(uint64Contents, as: UInt64.self)
    case .float32: try InferenceTensor.bytes(fp32Contents.lazy.map(\.bitPattern), as: UInt32.self)
    case .float64: try InferenceTensor.bytes(fp64Contents.lazy.map(\.bitPattern), as: UInt64.self)
    case .float16, .bfloat16:
      throw InferenceProtocolError("\(datatype.rawValue) comes in raw_input_contents only")
    case .bytes: try InferenceTensor.bytes(elements: bytesContents)
    }
  }
}
