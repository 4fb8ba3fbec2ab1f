import Apus
import JSONCoding

/// What a client wants to know of the repository.
public struct RepositoryIndexRequest: Sendable, Hashable {
  /// Whether only models that are ready are to be told.
  public let readyOnly: Bool

  /// The request that a body holds; an empty one asks for all models.
  /// - Throws: ``ApusError`` for what is no such request.
  public init(body: [UInt8]) throws(ApusError) {
    var ready = false
    try JSONReader.read(body) { (reader, key) throws(ApusError) in
      if key == "ready" { ready = try reader.bool() } else { try reader.skipValue() }
    }
    readyOnly = ready
  }
}

/// A client's wish that a model be loaded or unloaded.
public struct RepositoryModelRequest: Sendable, Hashable {
  /// What was said of it besides.
  public let parameters: InferenceParameters

  /// The request that a body holds, which may be empty.
  /// - Throws: ``ApusError`` for what is no such request.
  public init(body: [UInt8]) throws(ApusError) {
    var found: InferenceParameters = [:]
    try JSONReader.read(body) { (reader, key) throws(ApusError) in
      if key == "parameters" { found = try reader.parameters() } else { try reader.skipValue() }
    }
    parameters = found
  }

  /// Whether it brings a configuration, or files, for the model.
  public var changesModel: Bool { Self.changesModel(parameters.keys) }

  /// Whether parameters of these names bring a configuration, or files, for a model.
  public static func changesModel(_ parameters: some Sequence<String>) -> Bool {
    parameters.contains { $0 == "config" || $0.hasPrefix("file:") }
  }
}

extension JSONReader {
  /// Reads an object, unless there is nothing.
  fileprivate static func read(
    _ body: [UInt8], _ member: (inout JSONReader, ExactText) throws(ApusError) -> Void
  ) throws(ApusError) {
    guard !body.isEmpty else { return }
    var reader = JSONReader(body[...], from: .message)
    try reader.eachMember { (reader, key) throws(ApusError) in
      if !reader.null() { try member(&reader, key) }
    }
    try reader.end()
  }
}
