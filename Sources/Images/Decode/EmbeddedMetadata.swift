/// The EXIF data and the XMP packet in a file, found by walking its segments or chunks.
struct EmbeddedMetadata {
  private(set) var exif: [UInt8]?
  private(set) var xmp: [UInt8]?

  init(exif: [UInt8]? = nil, xmp: [UInt8]? = nil) { (self.exif, self.xmp) = (exif, xmp) }

  /// Those of a JPEG file. Several APP1 segments of EXIF data are parts of one whole; of XMP packets the first counts.
  init(inJPEG bytes: UnsafeRawBufferPointer) {
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
      if marker == Self.startOfScan || marker == Self.endOfImage { break }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      let end = position + 2 + length
      guard length >= 2, end <= bytes.count else { break }
      let payload = bytes[(position + 4)..<end]
      if marker == Self.app1, payload.starts(with: Self.signature) {
        exif = (exif ?? []) + payload.dropFirst(Self.signature.count)
      } else if marker == Self.app1, xmp == nil, payload.starts(with: Self.packetSignature) {
        xmp = Array(payload.dropFirst(Self.packetSignature.count))
      }
      position = end
    }
  }

  /// Those of a PNG file: the eXIf chunk, or what ImageMagick wrote as text where there is none; the first text with XMP.
  init(inPNG bytes: UnsafeRawBufferPointer) {
    var profile: [UInt8]?
    var position = 8
    while position + 12 <= bytes.count {
      let length = bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - position - 12 else { break }
      let type = bytes[(position + 4)..<(position + 8)]
      let content = bytes[(position + 8)..<(position + 8 + length)]
      if exif == nil, type.elementsEqual("eXIf".utf8) { exif = Self.withoutSignature(content) }
      switch PNGText(type: type, content) {
      // The last of several counts.
      case let text? where text.holdsExif: profile = text.bytesInHexadecimal().map(Self.withoutSignature)
      case let text? where xmp == nil: xmp = text.bytes()
      default: break
      }
      position += 12 + length
    }
    exif = exif ?? profile
  }

  /// EXIF data in the content of an item of HEIC, which begins with its offset in what follows.
  static func exif(inItem content: [UInt8]?) -> [UInt8]? {
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
  private static let packetSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  private static let app1: UInt8 = 0xE1
  private static let startOfScan: UInt8 = 0xDA
  private static let endOfImage: UInt8 = 0xD9
}
