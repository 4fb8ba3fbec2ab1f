/// The times in an XMP packet: of pictures whose EXIF data was lost or never written, as of scans and of what editors save.
///
/// Only the usual prefixes of the namespaces are known (XMP specification, part 1, 7.4 and part 2: exif, photoshop, xmp), and
/// packets of UTF-8.
struct XMPTimes {
  /// When the picture was taken: `exif:DateTimeOriginal`, else `photoshop:DateCreated`.
  let taken: PictureTime?
  /// When it was digitized: `exif:DateTimeDigitized`, else `xmp:CreateDate`.
  let digitized: PictureTime?

  /// - Parameter packet: XML; only its first ``limit`` bytes are looked at.
  init(_ packet: some Collection<UInt8>) {
    let text = Array(packet.prefix(Self.limit))
    func time(_ names: String...) -> PictureTime? {
      for name in names {
        if let value = Self.value(of: name, in: text), let time = PictureTime(exif: value) { return time }
      }
      return nil
    }
    taken = time("exif:DateTimeOriginal", "photoshop:DateCreated")
    digitized = time("exif:DateTimeDigitized", "xmp:CreateDate", "xap:CreateDate")
  }

  private static let limit = 1 << 20
  /// The longest value of a time, in bytes.
  private static let longest = 64

  /// The text of a property's first occurrence, an attribute or an element; nil where it has none.
  private static func value(of name: String, in text: [UInt8]) -> String? {
    let name = Array(name.utf8)
    var start = 0
    while let place = text[start...].firstIndex(of: name[0]) {
      start = place + 1
      guard text[place...].starts(with: name) else { continue }
      let rest = text[(place + name.count)...].drop(while: isSpace)
      guard let value = attribute(rest) ?? element(rest) else { continue }
      return String(validating: value, as: UTF8.self)
    }
    return nil
  }

  /// What stands between quotes behind "=".
  private static func attribute(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard text.first == UInt8(ascii: "=") else { return nil }
    let quoted = text.dropFirst().drop(while: isSpace)
    guard let quote = quoted.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return nil
    }
    return value(quoted.dropFirst(), upTo: quote)
  }

  /// What stands between the tags of an element without attributes.
  private static func element(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    text.first == UInt8(ascii: ">") ? value(text.dropFirst(), upTo: UInt8(ascii: "<")) : nil
  }

  private static func value(_ text: ArraySlice<UInt8>, upTo end: UInt8) -> ArraySlice<UInt8>? {
    text.prefix(longest).firstIndex(of: end).map { text[..<$0].drop(while: isSpace) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
