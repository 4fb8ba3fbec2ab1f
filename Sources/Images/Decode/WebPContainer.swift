/// The chunks of a WebP file, as far as decoding needs them. No length in it is trusted.
struct WebPContainer {
  /// A part of the file that libwebp decodes by itself, and where it lies on the canvas.
  struct Frame {
    let data: Range<Int>
    let left, top, width, height: Int
  }

  /// The contents of the EXIF and XMP chunks, where the header says that there are.
  let metadata: EmbeddedMetadata
  /// The first picture of an animation; nil for a file of one picture.
  let firstFrame: Frame?

  /// - Returns: nil when the file ends before its chunks do.
  init?(_ bytes: UnsafeRawBufferPointer) {
    func number(_ offset: Int, bytes count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    guard bytes.count >= 12 else { return nil }
    let end = number(4, bytes: 4) + 8
    guard end <= bytes.count else { return nil }
    var exif: [UInt8]?, xmp: [UInt8]?
    var frame: Frame?
    var flags: UInt8 = 0
    var position = 12
    while position + 8 <= end {
      let name = String(decoding: bytes[position..<(position + 4)], as: UTF8.self)
      let length = number(position + 4, bytes: 4)
      let start = position + 8
      guard length <= end - start else { break }
      switch name {
      case "VP8X" where length >= 10 && position == 12: flags = bytes[start]
      case "EXIF" where flags & Self.exifFlag != 0 && exif == nil:
        exif = EmbeddedMetadata.withoutSignature(bytes[start..<(start + length)])
      case "XMP " where flags & Self.packetFlag != 0 && xmp == nil:
        xmp = Array(bytes[start..<(start + length)])
      case "ANMF" where flags & Self.animationFlag != 0 && frame == nil && length >= 16:
        frame = Frame(
          data: (start + 16)..<(start + length), left: number(start, bytes: 3) * 2,
          top: number(start + 3, bytes: 3) * 2, width: number(start + 6, bytes: 3) + 1,
          height: number(start + 9, bytes: 3) + 1)
      default: break
      }
      // Chunks begin at even places.
      position = start + length + length % 2
    }
    metadata = EmbeddedMetadata(exif: exif, xmp: xmp)
    firstFrame = frame
  }

  private static let exifFlag: UInt8 = 0x08
  private static let packetFlag: UInt8 = 0x04
  private static let animationFlag: UInt8 = 0x02
}
