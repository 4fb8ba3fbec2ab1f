/// A text by its bytes, for names, keys, tokens and paths: texts that Swift takes for equal, such as é in one character and
/// in two, are two of them. The order is that of the bytes, which is that of the code points.
public struct ExactText: Sendable, Hashable, Comparable, ExpressibleByStringInterpolation {
  /// The text as a `String`, which Swift compares by canonical equivalence.
  public let text: String

  /// The text by its bytes.
  public init(_ text: String) { self.text = text }

  /// The text by its bytes.
  public init(stringLiteral text: String) { self.text = text }

  /// Whether the bytes are the same.
  public static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.count == right.text.utf8.count && left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Whether the bytes come first.
  public static func < (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // No byte of UTF-8: of two texts in a row the first ends here.
    hasher.combine(0xFF as UInt8)
  }
}

extension ExactText: CustomStringConvertible {
  /// The text.
  public var description: String { text }

  package var utf8: String.UTF8View { text.utf8 }
  package var isEmpty: Bool { text.isEmpty }
}
