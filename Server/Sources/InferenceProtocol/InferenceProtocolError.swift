/// Why a message is none of the protocol's.
public struct InferenceProtocolError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, in a sentence for whoever sent the message.
  public let description: String

  /// - Parameter description: a sentence.
  public init(_ description: String) { self.description = description }
}

extension String {
  /// The beginning, for messages: a name from outside may be as long as a body, and a single character too.
  var clipped: String {
    let beginning = unicodeScalars.prefix(81)
    return beginning.count > 80 ? String(beginning.prefix(79)) + "…" : self
  }
}
