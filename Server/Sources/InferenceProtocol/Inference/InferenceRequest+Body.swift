import Apus
import JSONCoding

extension InferenceRequest {
  /// The request that a body holds: JSON, and after it the bytes of those inputs that have `binary_data_size`.
  /// - Parameter headerLength: the bytes of JSON, as `Inference-Header-Content-Length` says; nil where all is JSON.
  /// - Throws: ``ApusError`` for everything that does not add up.
  public init(body: [UInt8], headerLength: Int? = nil) throws(ApusError) {
    let length = headerLength ?? body.count
    guard length >= 0, length <= body.count else {
      throw ApusError(
        .argument, "Inference-Header-Content-Length is \(length), and the body has \(body.count) bytes")
    }
    var reader = JSONReader(body[..<length], from: .message)
    var message = RequestMessage()
    try message.read(from: &reader)
    var binary = headerLength == nil ? nil : body[length...]
    var inputs: [InferenceTensor] = []
    for input in message.inputs { inputs.append(try input.tensor(reader, binary: &binary)) }
    if let binary, !binary.isEmpty {
      throw ApusError(
        .argument,
        "\(binary.count) bytes follow the JSON and the inputs; Inference-Header-Content-Length or a binary_data_size "
          + "is wrong")
    }
    try self.init(id: message.id, parameters: message.parameters, inputs: inputs, outputs: message.outputs)
  }
}

/// A request as far as it can be understood before its tensors.
private struct RequestMessage {
  var id: String?
  var parameters: InferenceParameters = [:]
  var inputs: [InputMessage] = []
  var outputs: [RequestedOutput] = []

  mutating func read(from reader: inout JSONReader) throws(ApusError) {
    var hasInputs = false
    try reader.eachMember { (reader, key) throws(ApusError) in
      if reader.null() { return }
      switch key {
      case "id": id = try reader.string()
      case "parameters": parameters = try reader.parameters()
      case "inputs":
        hasInputs = true
        try reader.eachElement { (reader) throws(ApusError) in
          var input = InputMessage()
          try input.read(from: &reader)
          inputs.append(input)
        }
      case "outputs":
        try reader.eachElement { (reader) throws(ApusError) in
          outputs.append(try reader.requestedOutput())
        }
      default: try reader.skipValue()
      }
    }
    try reader.end()
    guard hasInputs else { throw ApusError(.argument, "the request has no \"inputs\"") }
  }
}

/// An input as it stands in JSON. Its members come in any order, and only type and shape tell what its data are.
private struct InputMessage {
  var name: String?
  var datatype: InferenceDatatype?
  var shape: InferenceShape?
  var parameters: InferenceParameters = [:]
  /// Where data stand that came before type and shape.
  var laterData: Int?
  var data: [UInt8]?

  mutating func read(from reader: inout JSONReader) throws(ApusError) {
    try reader.eachMember { (reader, key) throws(ApusError) in
      if reader.null() { return }
      switch key {
      case "name": name = try reader.string()
      case "datatype": datatype = try InferenceDatatype(named: try reader.string())
      case "shape": shape = try InferenceShape(try reader.extents())
      case "parameters": parameters = try reader.parameters()
      case "data":
        if let name, let datatype, let shape {
          data = try reader.data(name, datatype, shape)
        } else {
          laterData = reader.position
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
  }

  /// - Parameter binary: what follows the JSON and was not taken yet; nil where nothing may follow.
  func tensor(
    _ reader: JSONReader, binary: inout ArraySlice<UInt8>?
  ) throws(ApusError) -> InferenceTensor {
    guard let name else { throw ApusError(.argument, "an input has no \"name\"") }
    guard let datatype else { throw ApusError(.argument, "input '\(name.clipped)' has no \"datatype\"") }
    guard let shape else { throw ApusError(.argument, "input '\(name.clipped)' has no \"shape\"") }
    try parameters.refuseSharedMemory(of: "input '\(name.clipped)'")
    var bytes = data?[...]
    if let laterData {
      var reader = reader
      reader.position = laterData
      bytes = try reader.data(name, datatype, shape)[...]
    }
    if let size = try parameters.integer("binary_data_size") {
      guard bytes == nil else {
        throw ApusError(.argument, "input '\(name.clipped)' has both \"data\" and binary_data_size")
      }
      bytes = try Self.take(size, of: &binary, for: name)
    }
    guard let bytes else {
      throw ApusError(.argument, "input '\(name.clipped)' has neither \"data\" nor binary_data_size")
    }
    return try InferenceTensor(name, datatype, shape, bytes: bytes, parameters: parameters)
  }

  private static func take(
    _ size: Int, of binary: inout ArraySlice<UInt8>?, for name: String
  ) throws(ApusError) -> ArraySlice<UInt8> {
    guard let rest = binary else {
      throw ApusError(
        .argument,
        "input '\(name.clipped)' has binary_data_size, but there is no Inference-Header-Content-Length")
    }
    guard size >= 0, size <= rest.count else {
      throw ApusError(
        .argument,
        "input '\(name.clipped)' has a binary_data_size of \(size), and \(rest.count) bytes are left")
    }
    binary = rest.dropFirst(size)
    return rest.prefix(size)
  }
}

extension JSONReader {
  fileprivate mutating func data(
    _ name: String, _ datatype: InferenceDatatype, _ shape: InferenceShape
  ) throws(ApusError) -> [UInt8] {
    var data = TensorDataReader(name, datatype, shape)
    try data.read(from: &self)
    return data.bytes
  }

  fileprivate mutating func extents() throws(ApusError) -> [Int] {
    var extents: [Int] = []
    try eachElement { (reader) throws(ApusError) in
      guard let extent = try reader.integer(Int.self) else {
        throw reader.error("an extent that is no whole number, or a greater one than memory can hold")
      }
      extents.append(extent)
    }
    return extents
  }

  fileprivate mutating func requestedOutput() throws(ApusError) -> RequestedOutput {
    var name: String?
    var parameters: InferenceParameters = [:]
    try eachMember { (reader, key) throws(ApusError) in
      if reader.null() { return }
      switch key {
      case "name": name = try reader.string()
      case "parameters": parameters = try reader.parameters()
      default: try reader.skipValue()
      }
    }
    guard let name else { throw ApusError(.argument, "an output has no \"name\"") }
    return try RequestedOutput(name, parameters: parameters)
  }
}
