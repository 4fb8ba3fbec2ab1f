import TensorCore

/// A file format of pictures, known by the first bytes of the content.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  case png = "PNG"
  case jpeg = "JPEG"
  case webp = "WebP"
  case heic = "HEIC"
  case avif = "AVIF"
  case gif = "GIF"
  case bmp = "BMP"
  case tiff = "TIFF"
  case jpegXL = "JPEG XL"
  case jpeg2000 = "JPEG 2000"

  /// Whether Apus decodes it.
  public var isSupported: Bool { self == .png || self == .jpeg }

  /// The format that the content begins like, nil when it is none of these.
  init?(sniffing bytes: UnsafeRawBufferPointer) {
    func begins(_ prefix: [UInt8], at offset: Int = 0) -> Bool {
      bytes.count >= offset + prefix.count && bytes[offset..<(offset + prefix.count)].elementsEqual(prefix)
    }
    func begins(_ text: StaticString, at offset: Int = 0) -> Bool {
      text.withUTF8Buffer { begins(Array($0), at: offset) }
    }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if begins([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins("RIFF"), begins("WEBP", at: 8) {
      self = .webp
    } else if begins("ftypavif", at: 4) || begins("ftypavis", at: 4) {
      self = .avif
    } else if ["ftypheic", "ftypheix", "ftyphevc", "ftypmif1", "ftypmsf1"].contains(where: {
      begins($0, at: 4)
    }) {
      self = .heic
    } else if begins("GIF87a") || begins("GIF89a") {
      self = .gif
    } else if begins("BM"), bytes.count >= 26 {
      self = .bmp
    } else if begins([0x49, 0x49, 0x2A, 0x00]) || begins([0x4D, 0x4D, 0x00, 0x2A]) {
      self = .tiff
    } else if begins([0xFF, 0x0A]) || begins([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) {
      self = .jpegXL
    } else if begins([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) || begins([0xFF, 0x4F, 0xFF, 0x51]) {
      self = .jpeg2000
    } else {
      return nil
    }
  }

  /// The error for content that is not PNG or JPEG.
  static func refusal(of bytes: UnsafeRawBufferPointer) -> ApusError {
    if bytes.isEmpty {
      return ApusError(.image, "the file is empty", expected: "a PNG or JPEG picture")
    }
    if let format = ImageFormat(sniffing: bytes) {
      return ApusError(
        .image, "the first bytes are of \(format.rawValue), which Apus does not read",
        expected: "PNG or JPEG", advice: "Convert the file to PNG or JPEG.")
    }
    let start = bytes.prefix(8).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }
    return ApusError(
      .image, "not a picture: the first bytes are \(start.joined(separator: " "))",
      expected: "PNG or JPEG", advice: "The content decides, not the name of the file.")
  }
}
