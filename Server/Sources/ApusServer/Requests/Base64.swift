import ApusServing
import FoundationEssentials

/// Base64 as clients send and want it.
enum Base64 {
  /// The bytes of a text in base64, with or without `data:…;base64,` before it.
  static func bytes(_ text: String, _ name: String) throws(RequestFault) -> [UInt8] {
    var text = Base64Text.trimmed(text.utf8)
    // Schemes are the same in capitals (RFC 3986, 3.1).
    let start = String(decoding: text.prefix(8), as: UTF8.self).lowercased()
    guard !start.hasPrefix("http://"), !start.hasPrefix("https://") else {
      throw RequestFault(
        .field, "'\(name)' is an address; nothing is fetched: send the file in base64.", field: name)
    }
    if start.hasPrefix("data:"), let comma = text.firstIndex(of: UInt8(ascii: ",")) {
      text = text[text.index(after: comma)...]
    }
    guard let bytes = Base64Text.bytes(text), !bytes.isEmpty else {
      throw RequestFault(.field, "'\(name)' is not base64.", field: name)
    }
    return bytes
  }

  /// A vector as little-endian floats in base64.
  static func text(_ vector: [Float]) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(vector.count * 4)
    for value in vector {
      for shift in stride(from: 0, to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(shift)))
      }
    }
    return Data(bytes).base64EncodedString()
  }
}
