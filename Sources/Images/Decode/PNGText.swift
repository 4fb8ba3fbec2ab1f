import Formats

/// A text chunk of a PNG file: tEXt, zTXt or iTXt. Text is unpacked when it is asked for.
struct PNGText {
  let keyword: String
  private let text: ArraySlice<UInt8>
  private let isPacked: Bool

  /// Where ImageMagick keeps EXIF data, in hexadecimal digits.
  private static let exifProfile = "Raw profile type exif"
  /// Where an XMP packet lies (XMP specification, part 3, 1.1.5).
  private static let packet = "XML:com.adobe.xmp"
  /// The longest text that is unpacked, in bytes: Pillow's limit.
  private static let limit = 1 << 20

  /// Whether it holds EXIF data, and no XMP packet.
  var holdsExif: Bool { keyword == Self.exifProfile }

  /// - Returns: nil for a chunk of another type or keyword, or one that is not divided as its type wants.
  init?(type: Slice<UnsafeRawBufferPointer>, _ content: Slice<UnsafeRawBufferPointer>) {
    guard ["tEXt", "zTXt", "iTXt"].contains(where: { type.elementsEqual($0.utf8) }),
      let end = content.firstIndex(of: 0)
    else { return nil }
    keyword = String(decoding: content[..<end], as: UTF8.self)
    guard keyword == Self.exifProfile || keyword == Self.packet else { return nil }
    var rest = Array(content[(end + 1)...])[...]
    switch type.first {
    case UInt8(ascii: "t"): isPacked = false
    case UInt8(ascii: "z"):
      guard rest.popFirst() == 0 else { return nil }
      isPacked = true
    default:
      guard let flag = rest.popFirst(), let method = rest.popFirst(), flag == 0 || method == 0 else {
        return nil
      }
      isPacked = flag != 0
      // The language, and the keyword in it.
      for _ in 0..<2 {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        rest = rest[(end + 1)...]
      }
    }
    text = rest
  }

  /// The text, unpacked; nil when it cannot be unpacked within the limit.
  func bytes() -> [UInt8]? { isPacked ? unpacked() : Array(text) }

  /// The bytes that the digits from the fourth line on stand for; the lines before say what they are, and how many.
  /// - Returns: nil when there is anything but digits, or half a byte.
  func bytesInHexadecimal() -> [UInt8]? {
    guard let text = bytes() else { return nil }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropFirst(3)
    let digits = lines.joined().filter { !Self.isSpace($0) }
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard values.count == digits.count, values.count % 2 == 0 else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// The text behind zlib's header of two bytes.
  private func unpacked() -> [UInt8]? {
    guard text.count > 2, text[text.startIndex] & 0x0F == 8, text[text.startIndex + 1] & 0x20 == 0 else {
      return nil
    }
    return try? Inflate.inflate(text.dropFirst(2), limit: Self.limit)
  }
}
