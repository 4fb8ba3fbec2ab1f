/// Writes model files of sentencepiece field by field, well-formed or not.
struct SentencePieceModelBuilder {
  var bytes: [UInt8] = []

  /// A model of one unknown piece and these normal ones.
  static func unigram(_ pieces: [(String, Float)]) -> SentencePieceModelBuilder {
    var model = SentencePieceModelBuilder()
    model.piece("<unk>", type: 2)
    for (text, score) in pieces { model.piece(text, score: score) }
    return model
  }

  mutating func piece(_ text: String, score: Float = 0, type: UInt64 = 1) {
    var piece = SentencePieceModelBuilder()
    piece.field(1, Array(text.utf8))
    piece.key(2, wireType: 5)
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      piece.bytes.append(UInt8(truncatingIfNeeded: score.bitPattern >> shift))
    }
    piece.field(3, type)
    field(1, piece.bytes)
  }

  /// A trainer specification of number fields.
  mutating func trainer(_ fields: [Int: UInt64]) { field(2, Self.message(fields)) }

  /// A normalizer specification of number fields and a character map.
  mutating func normalizer(_ fields: [Int: UInt64] = [:], map: [UInt8] = []) {
    var message = SentencePieceModelBuilder()
    if !map.isEmpty { message.field(2, map) }
    field(3, message.bytes + Self.message(fields))
  }

  private static func message(_ fields: [Int: UInt64]) -> [UInt8] {
    var message = SentencePieceModelBuilder()
    for (number, value) in fields.sorted(by: { $0.key < $1.key }) { message.field(number, value) }
    return message.bytes
  }

  mutating func field(_ number: Int, _ value: [UInt8]) {
    key(number, wireType: 2)
    varint(UInt64(value.count))
    bytes += value
  }

  mutating func field(_ number: Int, _ value: UInt64) {
    key(number, wireType: 0)
    varint(value)
  }

  mutating func key(_ number: Int, wireType: Int) { varint(UInt64(number << 3 | wireType)) }

  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A character map with one rule: one byte becomes `replacement`.
  static func characterMap(_ source: UInt8, _ replacement: String) -> [UInt8] {
    var units = [UInt32](repeating: 0, count: 768)
    // The root's children are in the second block of 256, the leaf of the one child in the third.
    units[0] = 256 << 10
    let child = 256 ^ Int(source)
    units[child] = UInt32(child ^ 512) << 10 | 1 << 8 | UInt32(source)
    units[512] = 1 << 31
    return characterMap(units, Array(replacement.utf8) + [0])
  }

  /// A character map of these units and replacements.
  static func characterMap(_ units: [UInt32], _ replacements: [UInt8]) -> [UInt8] {
    ([UInt32(units.count * 4)] + units).flatMap { unit in
      stride(from: UInt32(0), to: 32, by: 8).map { UInt8(truncatingIfNeeded: unit >> $0) }
    } + replacements
  }
}
