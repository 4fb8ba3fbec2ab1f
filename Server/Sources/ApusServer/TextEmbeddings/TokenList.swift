import Apus

/// Tokens as Text Embeddings Inference lists them.
enum TokenList {
  static func tokens(of text: String, _ encoding: Encoding) -> [JSONText] {
    let places = scalarPlaces(in: text)
    let pieces = encoding.tokens
    return encoding.ids.indices.map { index in
      let isSpecial = encoding.specialTokensMask[index] != 0
      let range = isSpecial ? nil : encoding.offsets?[index]
      let scalars = range.map {
        (places[min($0.lowerBound, places.count - 1)], places[min($0.upperBound, places.count - 1)])
      }
      return [
        "id": .integer(Int(encoding.ids[index])),
        "text": .string(range.flatMap { slice(text, $0) } ?? pieces[index]), "special": .bool(isSpecial),
        "start": scalars.map { .integer($0.0) } ?? nil, "stop": scalars.map { .integer($0.1) } ?? nil,
      ]
    }
  }

  /// The scalars before each byte of a text, and before its end.
  private static func scalarPlaces(in text: String) -> [Int] {
    var places: [Int] = []
    var count = 0
    for byte in text.utf8 {
      // Bytes of the form 10xxxxxx belong to the scalar before.
      places.append(byte & 0xC0 == 0x80 ? count - 1 : count)
      if byte & 0xC0 != 0x80 { count += 1 }
    }
    return places + [count]
  }

  private static func slice(_ text: String, _ range: Range<Int>) -> String? {
    let bytes = text.utf8.dropFirst(range.lowerBound).prefix(range.count)
    return String(bytes)
  }
}
