import TensorCore

/// A file format of pictures, known by the first bytes of the content.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable, Codable {
  /// Decoded by libpng.
  case png = "PNG"
  /// Decoded by libjpeg.
  case jpeg = "JPEG"
  /// Decoded by libwebp, where that is on the machine.
  case webp = "WebP"
  /// Decoded by libheif, where that is on the machine.
  case heic = "HEIC"
  /// Decoded by libavif, where that is on the machine.
  case avif = "AVIF"
  /// Decoded by libgif, where that is on the machine.
  case gif = "GIF"
  /// Decoded by Apus itself.
  case bmp = "BMP"
  /// Decoded by libtiff, where that is on the machine.
  case tiff = "TIFF"
  /// Known, and refused.
  case jpegXL = "JPEG XL"
  /// Known, and refused.
  case jpeg2000 = "JPEG 2000"

  /// Whether pictures of the format can be decoded on this machine: Apus knows how, and the library of the system that it
  /// needs for it, if it needs one, is there. The library is loaded to know.
  public var isSupported: Bool { isSupported(with: .installed) }

  /// The same with libraries that the caller chooses.
  package func isSupported(with libraries: PictureLibraries) -> Bool {
    guard isKnown else { return false }
    guard let library = libraries.all.first(where: { $0.format == self }) else { return true }
    return library.isPresent && (self != .heic || HEIFDecoder.canDecode(with: library))
  }

  /// Whether Apus decodes it where the libraries are there that some formats need (see ``ImageDecoder``).
  package var isKnown: Bool { self != .jpegXL && self != .jpeg2000 }

  /// The formats that Apus decodes, as a sentence lists them.
  package static let knownNames: String = {
    let names = allCases.filter(\.isKnown).map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + (names.last.map { " or \($0)" } ?? "")
  }()

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
    } else if begins("ftyp", at: 4), let format = Self.heif(brands: bytes) {
      self = format
    } else if begins("GIF87a") || begins("GIF89a") {
      self = .gif
    } else if begins("BM"), bytes.count >= 26 {
      self = .bmp
    } else if [0x2A, 0x2B].contains(where: { begins([0x49, 0x49, $0, 0]) || begins([0x4D, 0x4D, 0, $0]) }) {
      self = .tiff
    } else if begins([0xFF, 0x0A]) || begins([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) {
      self = .jpegXL
    } else if begins([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) || begins([0xFF, 0x4F, 0xFF, 0x51]) {
      self = .jpeg2000
    } else {
      return nil
    }
  }

  /// The format of a file in boxes by its brands: the first, or where that is one of all codecs, those it is
  /// compatible with.
  private static func heif(brands bytes: UnsafeRawBufferPointer) -> ImageFormat? {
    func brand(_ offset: Int) -> String? {
      offset + 4 <= bytes.count ? String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self) : nil
    }
    guard let major = brand(8) else { return nil }
    if avifBrands.contains(major) { return .avif }
    if hevcBrands.contains(major) { return .heic }
    guard anyCodecBrands.contains(major) else { return nil }
    let length = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
    let compatible = stride(from: 16, to: min(length, bytes.count, 256), by: 4).compactMap(brand)
    return compatible.contains(where: avifBrands.contains) ? .avif : .heic
  }

  private static let avifBrands: Set = ["avif", "avis"]
  private static let hevcBrands: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
  private static let anyCodecBrands: Set = ["mif1", "mif2", "msf1", "miaf"]

  /// The error for content that is none of the formats that Apus reads.
  static func refusal(of bytes: UnsafeRawBufferPointer) -> ApusError {
    if bytes.isEmpty {
      return ApusError(.image, "the file is empty", expected: "a picture")
    }
    if let raw = RawPhotograph.refusal(of: bytes) { return raw }
    if let format = ImageFormat(sniffing: bytes) {
      return ApusError(
        .image, "the first bytes are of \(format.rawValue), which Apus does not read",
        expected: knownNames, advice: "Convert the file to PNG or JPEG.")
    }
    let start = bytes.prefix(8).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }
    return ApusError(
      .image, "not a picture: the first bytes are \(start.joined(separator: " "))",
      expected: knownNames, advice: "The format is detected from the content, not from the file name.")
  }
}
