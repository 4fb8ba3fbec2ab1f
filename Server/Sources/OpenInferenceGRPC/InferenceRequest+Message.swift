import Apus
import ApusServing
import FoundationEssentials
import InferenceProtocol

extension InferenceRequest {
  /// The request that a message holds. Tensors are raw all together, or none is.
  /// - Throws: ``ApusError`` for everything that does not add up.
  init(_ message: Inference_ModelInferRequest) throws(ApusError) {
    let raw = message.rawInputContents
    guard raw.isEmpty || raw.count == message.inputs.count else {
      throw ApusError(.argument, "\(message.inputs.count) inputs with \(raw.count) raw_input_contents")
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
  fileprivate func tensor(raw: Data?) throws(ApusError) -> InferenceTensor {
    let datatype = try InferenceDatatype(named: datatype)
    let shape = try InferenceShape(shape.map(Int.init))
    let parameters = InferenceParameters(parameters)
    guard parameters["shared_memory_region"] == nil else {
      throw ApusError(.argument, "input '\(name.clipped)' is in shared memory, which is not offered here")
    }
    if let raw {
      guard !hasContents else {
        throw ApusError(.argument, "input '\(name.clipped)' has both contents and raw_input_contents")
      }
      return try InferenceTensor(name, datatype, shape, bytes: Array(raw)[...], parameters: parameters)
    }
    let bytes: [UInt8]
    do throws(ApusError) { bytes = try contents.bytes(as: datatype) } catch {
      throw error.at("input '\(name.clipped)'")
    }
    return try InferenceTensor(name, datatype, shape, bytes: bytes[...], parameters: parameters)
  }
}

extension Inference_InferTensorContents {
  /// The binary form of the elements, from the one field that those of the type stand in.
  fileprivate func bytes(as datatype: InferenceDatatype) throws(ApusError) -> [UInt8] {
    if let field = datatype.contentsField, let other = filledFields.first(where: { $0 != field }) {
      throw ApusError(
        .argument, "elements of \(datatype.rawValue) stand in \(field), and there are \(other)")
    }
    return switch datatype {
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
      throw ApusError(.argument, "\(datatype.rawValue) comes in raw_input_contents only")
    case .bytes: try InferenceTensor.bytes(elements: bytesContents)
    }
  }

  /// The names of the fields in which there is something.
  private var filledFields: [String] {
    let counts = [
      ("bool_contents", boolContents.count), ("int_contents", intContents.count),
      ("int64_contents", int64Contents.count), ("uint_contents", uintContents.count),
      ("uint64_contents", uint64Contents.count), ("fp32_contents", fp32Contents.count),
      ("fp64_contents", fp64Contents.count), ("bytes_contents", bytesContents.count),
    ]
    return counts.filter { $0.1 > 0 }.map(\.0)
  }
}

extension InferenceDatatype {
  /// The name of the field that elements of the type stand in; nil for those that come raw only.
  fileprivate var contentsField: String? {
    switch self {
    case .bool: "bool_contents"
    case .int8, .int16, .int32: "int_contents"
    case .int64: "int64_contents"
    case .uint8, .uint16, .uint32: "uint_contents"
    case .uint64: "uint64_contents"
    case .float16, .bfloat16: nil
    case .float32: "fp32_contents"
    case .float64: "fp64_contents"
    case .bytes: "bytes_contents"
    }
  }
}
