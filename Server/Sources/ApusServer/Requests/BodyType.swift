/// What a request says of its body.
struct BodyType {
  /// The type in lower case, without parameters; nil where nothing is said.
  let name: String?

  /// - Parameter contentType: the request's header.
  init(_ contentType: String?) {
    name = contentType.map { $0.prefix { $0 != ";" }.trimmingSpace.lowercased() }
  }

  /// Whether the body is JSON where it may be a picture too. Clients send pictures without a word of what they are, and
  /// JSON as a form's type: no file of a picture begins with a brace.
  func isJSON(_ body: [UInt8]) -> Bool {
    guard let name else { return Self.isObject(body) }
    return name.contains("json") || (!name.hasPrefix("image/") && Self.isObject(body))
  }

  private static func isObject(_ body: [UInt8]) -> Bool {
    body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
  }
}
