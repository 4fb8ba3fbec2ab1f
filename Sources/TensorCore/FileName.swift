/// Names of files, which are bytes, as texts.
///
/// A name that is UTF-8 is the text that it says. Other bytes, in old folders' Latin-1 say, stand in the text as the
/// scalars U+10FE80 to U+10FEFF, one for each byte from 0x80 to 0xFF, so that every name is one text and can be opened
/// by it. A name that has one of these scalars itself has its bytes so too.
public enum FileName {
  private static let scalars: ClosedRange<UInt32> = 0x10FE80...0x10FEFF

  /// The text for a name's bytes.
  public static func text(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !isEscaped(text) { return text }
    var result = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var (next, rest) = (bytes.makeIterator(), bytes[...])
    while true {
      let length: Int
      switch parser.parseScalar(from: &next) {
      case .emptyInput: return String(result)
      case .error(let invalid): length = invalid
      case .valid(let encoded):
        length = encoded.count
        let scalar = Unicode.UTF8.decode(encoded)
        if !scalars.contains(scalar.value) {
          result.append(scalar)
          rest = rest.dropFirst(length)
          continue
        }
      }
      result.append(contentsOf: rest.prefix(length).map(escape))
      rest = rest.dropFirst(length)
    }
  }

  /// The bytes that a text stands for.
  public static func bytes(_ text: String) -> [UInt8] {
    guard isEscaped(text) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in
      scalars.contains(scalar.value)
        ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  /// The text as people can read it: U+FFFD for each byte that is no UTF-8.
  public static func readable(_ text: String) -> String {
    guard isEscaped(text) else { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { scalars.contains($0.value) ? "\u{FFFD}" : $0 }))
  }

  /// Whether a text stands for bytes that are no UTF-8.
  public static func isEscaped(_ text: String) -> Bool {
    // The scalars' first byte in UTF-8; few names have it. Without a way out the loop is one of vectors.
    let mayBe = text.utf8.withContiguousStorageIfAvailable {
      $0.reduce(UInt8(0)) { $0 | ($1 == 0xF4 ? 1 : 0) } != 0
    }
    return (mayBe ?? true) && text.unicodeScalars.contains { scalars.contains($0.value) }
  }

  private static func escape(_ byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(scalars.lowerBound - 0x80 + UInt32(byte)) ?? "\u{FFFD}"
  }
}

extension String {
  /// Calls `body` with the bytes that the text stands for as the name of a file, for the system.
  package func withFileName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let bytes = FileName.bytes(self).map { CChar(bitPattern: $0) } + [0]
    return bytes.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
  }
}
