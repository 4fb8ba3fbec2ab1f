import FoundationEssentials

/// Base64 as clients send and want it.
enum Base64 {
  /// The bytes of a text in base64, with or without `data:…;base64,` before it.
  static func bytes(_ text: String, _ name: String) throws(RequestFault) -> [UInt8] {
    guard !text.hasPrefix("http://"), !text.hasPrefix("https://") else {
      throw RequestFault(
        .field, "'\(name)' is an address; nothing is fetched: send the file in base64.", field: name)
    }
    var text = text
    if text.hasPrefix("data:"), let comma = text.firstIndex(of: ",") {
      text = String(text[text.index(after: comma)...])
    }
    // Python's base64.encodebytes breaks lines.
    text.removeAll { $0.isNewline }
    guard let data = Data(base64Encoded: text), !data.isEmpty else {
      throw RequestFault(.field, "'\(name)' is not base64.", field: name)
    }
    return Array(data)
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
