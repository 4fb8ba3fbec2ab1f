/// Finds the orientation in EXIF data, trusting no length or offset in it.
enum ExifReader {
  /// The orientation that EXIF data states; upright when there is none, or it states nothing valid.
  static func orientation(of exif: [UInt8]?) -> Orientation {
    exif?.withUnsafeBytes { orientation(in: $0) } ?? .upright
  }

  /// The orientation that the first directory states; nil when there is none, or it is not one of the eight.
  ///
  /// EXIF is a TIFF file without a picture: a byte order, the offset of a directory, and in the directory
  /// entries of 12 bytes. Orientation is tag 0x0112, one value of 16 bits.
  static func orientation(in tiff: UnsafeRawBufferPointer) -> Orientation? {
    guard let isBigEndian = byteOrder(of: tiff) else { return nil }
    func word(_ offset: Int) -> Int? {
      guard offset >= 0, offset <= tiff.count - 2 else { return nil }
      let first = Int(tiff[offset]), second = Int(tiff[offset + 1])
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    func doubleWord(_ offset: Int) -> Int? {
      guard let first = word(offset), let second = word(offset + 2) else { return nil }
      return isBigEndian ? first << 16 | second : second << 16 | first
    }
    guard word(2) == 42, let directory = doubleWord(4), let entries = word(directory) else { return nil }
    for entry in 0..<entries {
      let offset = directory + 2 + entry * 12
      guard let tag = word(offset) else { return nil }
      guard tag == orientationTag else { continue }
      guard let type = word(offset + 2), let count = doubleWord(offset + 4) else { return nil }
      // Up to four bytes of values stand in the entry itself; the first value counts.
      let value: Int? =
        switch (type, count) {
        case (shortType, 1...2): word(offset + 8)
        case (longType, 1): doubleWord(offset + 8)
        default: nil
        }
      return value.flatMap(Orientation.init(rawValue:))
    }
    return nil
  }

  private static let orientationTag = 0x0112
  private static let shortType = 3
  private static let longType = 4

  private static func byteOrder(of tiff: UnsafeRawBufferPointer) -> Bool? {
    guard tiff.count >= 8, tiff[0] == tiff[1] else { return nil }
    return switch tiff[0] {
    case UInt8(ascii: "I"): false
    case UInt8(ascii: "M"): true
    default: nil
    }
  }
}
