import Apus
import JSONCoding

/// What a model made of a request.
public struct InferenceResponse: Sendable, Hashable {
  /// The model that ran.
  public let model: String
  /// Its version.
  public let version: String
  /// What the client calls the request; nil for nothing.
  public let id: String?
  /// What is said of it besides.
  public let parameters: InferenceParameters
  /// What was asked for, in the order in which it was.
  public let outputs: [InferenceTensor]

  /// An answer.
  public init(
    model: String, version: String, id: String?, parameters: InferenceParameters = [:],
    outputs: [InferenceTensor]
  ) {
    (self.model, self.version, self.id) = (model, version, id)
    (self.parameters, self.outputs) = (parameters, outputs)
  }
}

/// An answer as it goes over the wire.
public struct EncodedInference: Sendable, Hashable {
  /// JSON, and after it the bytes of those outputs that come in binary form.
  public let body: [UInt8]
  /// The bytes of JSON, for `Inference-Header-Content-Length`; nil where all is JSON.
  public let headerLength: Int?
}

extension InferenceResponse {
  /// The answer in the form that is asked for.
  /// - Parameter isBinary: whether the output of a name comes in binary form.
  /// - Throws: ``ApusError`` where numbers or bytes are to come as JSON that have no form in it.
  public func encoded(
    isBinary: (_ output: String) -> Bool
  ) throws(ApusError) -> EncodedInference {
    var binary: [InferenceTensor] = []
    var writer = JSONWriter()
    writer.write("{\"model_name\":")
    writer.write(text: model)
    writer.write(",\"model_version\":")
    writer.write(text: version)
    if let id {
      writer.write(",\"id\":")
      writer.write(text: id)
    }
    if !parameters.isEmpty {
      writer.write(",\"parameters\":")
      try writer.write(parameters)
    }
    writer.write(",\"outputs\":")
    try writer.list(outputs) { (writer, output) throws(ApusError) in
      let goesBehind = isBinary(output.name)
      if goesBehind { binary.append(output) }
      try writer.write(output, isBinary: goesBehind)
    }
    writer.write("}")
    var body = writer.bytes
    guard !binary.isEmpty else { return EncodedInference(body: body, headerLength: nil) }
    let headerLength = body.count
    body.reserveCapacity(binary.reduce(headerLength) { $0 + $1.bytes.count })
    for output in binary { body += output.bytes }
    return EncodedInference(body: body, headerLength: headerLength)
  }
}

extension JSONWriter {
  fileprivate mutating func write(
    _ output: InferenceTensor, isBinary: Bool
  ) throws(ApusError) {
    write("{\"name\":")
    write(text: output.name)
    write(",\"datatype\":")
    write(text: output.datatype.rawValue)
    write(",\"shape\":")
    list(output.shape.extents) { $0.write($1) }
    var parameters = output.parameters
    if isBinary { parameters["binary_data_size"] = .integer(Int64(output.bytes.count)) }
    if !parameters.isEmpty {
      write(",\"parameters\":")
      try write(parameters)
    }
    if !isBinary {
      write(",\"data\":")
      do { try write(dataOf: output) } catch {
        throw error.at("output '\(output.name.clipped)'")
      }
    }
    write("}")
  }

  fileprivate mutating func write(_ parameters: InferenceParameters) throws(ApusError) {
    try object(parameters.sorted { $0.key < $1.key }) { (writer, value) throws(ApusError) in
      switch value {
      case .bool(let value): writer.write(value ? "true" : "false")
      case .integer(let value): writer.write(value)
      case .number(let value): try writer.write(value)
      case .text(let value): writer.write(text: value)
      }
    }
  }
}
