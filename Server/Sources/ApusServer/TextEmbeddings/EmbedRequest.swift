import ApusServing

/// `POST /embed`.
struct EmbedRequest: Equatable {
  let inputs: [TextInput]
  let options: TextOptions
  let shape: VectorShape

  init(_ body: [UInt8]) throws(RequestFault) { try self.init(try RequestFields(body: body)) }

  init(_ fields: RequestFields) throws(RequestFault) {
    inputs = try TextInputs.list(try fields.value("inputs"), "inputs")
    guard !inputs.isEmpty else { throw .empty("inputs") }
    options = try TextOptions(fields)
    shape = VectorShape(
      dimensions: try fields.optionalCount("dimensions"),
      length: try fields.optionalFlag("normalize") ?? true ? .unit : .raw,
      masksPadding: try fields.optionalFlag("mask_padding"))
    // A parameter of huggingface_hub's client for other servers.
    enum Format: String, CaseIterable { case float }
    _ = try fields.optionalChoice("encoding_format", of: Format.self)
  }
}
