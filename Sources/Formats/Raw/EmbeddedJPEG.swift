/// A JPEG picture that lies in another file.
package struct EmbeddedJPEG: Sendable, Hashable {
  /// Its bytes in the file.
  package let range: Range<Int>
  /// Pixels as they are stored.
  package let width, height: Int
  /// How the file says that the photograph is turned, as EXIF numbers it; nil where it does not.
  package let orientation: Int?

  /// - Parameter byteCount: at most so many bytes from `start` are its own.
  /// - Returns: nil where no JPEG that can be decoded begins there: one that is lossless, as the numbers of sensors are, can
  ///   not.
  init?(in bytes: [UInt8], at start: Int, byteCount: Int, orientation: Int? = nil) {
    guard start >= 0, byteCount > 4, start <= bytes.count, byteCount <= bytes.count - start,
      let (width, height) = Self.sides(bytes[start..<(start + byteCount)])
    else { return nil }
    (range, self.width, self.height) = (start..<(start + byteCount), width, height)
    self.orientation = orientation
  }

  /// Segments before the frame's header: metadata and tables are few.
  private static let mostSegments = 1000

  /// The sides by the header of the frame, which may be baseline, extended or progressive.
  private static func sides(_ bytes: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
    guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
    var rest = bytes.dropFirst(2)
    for _ in 0..<mostSegments {
      rest = rest.drop { $0 == 0xFF }
      guard rest.count >= 9, let marker = rest.first else { return nil }
      let body = Array(rest.dropFirst().prefix(7))
      switch marker {
      case 0xC0, 0xC1, 0xC2:
        let (height, width) = (Int(body[3]) << 8 | Int(body[4]), Int(body[5]) << 8 | Int(body[6]))
        return width > 0 && height > 0 ? (width, height) : nil
      // Other frames, and data without a frame.
      case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xD8...0xDA: return nil
      default:
        let length = Int(body[0]) << 8 | Int(body[1])
        guard length >= 2, rest.count > length else { return nil }
        rest = rest.dropFirst(1 + length)
        guard rest.first == 0xFF else { return nil }
      }
    }
    return nil
  }
}
