/// Finds the EXIF data in a file by walking its segments or chunks.
enum ExifLocator {
  /// The EXIF data of a JPEG file. Several APP1 segments are parts of one whole.
  static func inJPEG(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var found: [UInt8]?
    var position = 2
    while position + 4 <= bytes.count {
      guard bytes[position] == 0xFF else {
        position += 1
        continue
      }
      let marker = bytes[position + 1]
      // Fill bytes, and markers that stand alone.
      if marker == 0xFF || marker == 0x00 {
        position += marker == 0xFF ? 1 : 2
        continue
      }
      if (0xD0...0xD8).contains(marker) || marker == 0x01 {
        position += 2
        continue
      }
      if marker == startOfScan || marker == endOfImage { break }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      let end = position + 2 + length
      guard length >= 2, end <= bytes.count else { break }
      let payload = bytes[(position + 4)..<end]
      if marker == app1, payload.starts(with: signature) {
        if found == nil { found = [] }
        found?.append(contentsOf: payload.dropFirst(signature.count))
      }
      position = end
    }
    return found
  }

  /// The content of the eXIf chunk of a PNG file; of a file without one, what ImageMagick wrote as text.
  static func inPNG(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var profile: [UInt8]?
    var position = 8
    while position + 12 <= bytes.count {
      let length = bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - position - 12 else { break }
      let type = bytes[(position + 4)..<(position + 8)]
      let content = bytes[(position + 8)..<(position + 8 + length)]
      if type.elementsEqual("eXIf".utf8) { return withoutSignature(content) }
      // The last of several counts.
      if let text = PNGText(type: type, content), text.keyword == PNGText.exifProfile {
        profile = text.bytesInHexadecimal().map { withoutSignature($0[...]) }
      }
      position += 12 + length
    }
    return profile
  }

  /// EXIF data in the content of an item of HEIC, which begins with its offset in what follows.
  static func inItem(_ content: [UInt8]?) -> [UInt8]? {
    guard let content, content.count >= 4 else { return nil }
    let offset = content.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let rest = content.dropFirst(4)
    // Some programs leave the signature out of account.
    return offset <= rest.count ? withoutSignature(rest.dropFirst(offset)) : nil
  }

  static func withoutSignature(_ content: some Collection<UInt8>) -> [UInt8] {
    Array(content.starts(with: signature) ? content.dropFirst(signature.count) : content.dropFirst(0))
  }

  private static let signature = Array("Exif\0\0".utf8)
  private static let app1: UInt8 = 0xE1
  private static let startOfScan: UInt8 = 0xDA
  private static let endOfImage: UInt8 = 0xD9
}
