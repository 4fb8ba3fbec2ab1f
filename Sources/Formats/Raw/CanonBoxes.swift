/// Where the previews of a CR3 lie, and what is known of the photograph: in boxes of ISO/IEC 14496-12 with Canon's own content.
///
/// No length in the file is trusted: a box ends where the one around it does, at the latest.
package struct CanonBoxes {
  /// Data as of TIFF files, each with its own beginning: of the picture, its details, and where it was taken.
  package private(set) var picture, details, place: Range<Int>?
  /// From where a JPEG begins to the end of its box.
  private(set) var pictures: [Range<Int>] = []

  /// - Returns: nil for bytes that do not begin as those of a CR3 do.
  package init?(_ bytes: [UInt8]) {
    guard bytes.dropFirst(4).starts(with: "ftypcrx ".utf8) else { return nil }
    for box in Self.boxes(in: bytes, bytes.indices) {
      if box.kind == "moov" {
        for box in Self.boxes(in: bytes, box.content) { read(Self.content(of: box, Self.own, bytes), bytes) }
      } else {
        // A number of 8 bytes stands before the boxes.
        read(Self.content(of: box, Self.preview, bytes)?.dropFirst(8), bytes)
      }
    }
  }

  private mutating func read(_ range: Range<Int>?, _ bytes: [UInt8]) {
    guard let range else { return }
    for (kind, content) in Self.boxes(in: bytes, range) {
      switch kind {
      case "CMT1": picture = content
      case "CMT2": details = content
      case "CMT4": place = content
      case "PRVW", "THMB": pictures += [Self.jpeg(in: bytes, content)].compactMap(\.self)
      default: break
      }
    }
  }

  /// A JPEG, before which a box has a few numbers.
  private static func jpeg(in bytes: [UInt8], _ content: Range<Int>) -> Range<Int>? {
    let mostNumbers = 32
    return content.prefix(mostNumbers).first {
      bytes[$0..<content.upperBound].starts(with: [0xFF, 0xD8, 0xFF])
    }
    .map { $0..<content.upperBound }
  }
}

extension CanonBoxes {
  private typealias Box = (kind: String, content: Range<Int>)

  /// More than any camera writes.
  private static let most = 256

  /// The boxes that follow each other in a range.
  private static func boxes(in bytes: [UInt8], _ range: Range<Int>) -> [Box] {
    var (boxes, rest): ([Box], Range<Int>) = ([], range)
    while boxes.count < most, rest.count >= 8 {
      func number(_ place: Range<Int>) -> UInt64 { bytes[place].reduce(0) { $0 << 8 | UInt64($1) } }
      let (start, kind) = (rest.lowerBound, bytes[(rest.lowerBound + 4)..<(rest.lowerBound + 8)])
      var (length, head) = (number(start..<(start + 4)), 8)
      if length == 1, rest.count >= 16 { (length, head) = (number((start + 8)..<(start + 16)), 16) }
      // The last one may reach to the end.
      if length == 0 { length = UInt64(rest.count) }
      guard let count = Int(exactly: length), count >= head, count <= rest.count else { return boxes }
      boxes.append((String(decoding: kind, as: UTF8.self), (start + head)..<(start + count)))
      rest = (start + count)..<rest.upperBound
    }
    return boxes
  }

  /// What a box of somebody's own has behind the identifier of whose it is.
  private static func content(of box: Box, _ identifier: [UInt8], _ bytes: [UInt8]) -> Range<Int>? {
    guard box.kind == "uuid", bytes[box.content].starts(with: identifier) else { return nil }
    return box.content.dropFirst(identifier.count)
  }

  /// The identifier of the box that has data of the photograph, and a thumbnail.
  private static let own: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]
  /// That of the box that has a preview.
  private static let preview: [UInt8] = [
    0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
  ]
}
