import CCodecs
import TensorCore

/// HEIC through libheif: the primary picture, of one piece or of a grid, turned, mirrored and cropped as the
/// file asks. libheif makes RGB of 8 bits, as it does for pillow-heif; an orientation in EXIF is not applied on top.
struct HEIFDecoder {
  private let library: SystemLibrary
  private let limits: ImageLimits
  private let options: ImageOptions

  init(_ library: SystemLibrary, _ limits: ImageLimits, _ options: ImageOptions) {
    (self.library, self.limits, self.options) = (library, limits, options)
  }

  func decode(_ bytes: UnsafeRawBufferPointer) throws(ApusError) -> Raster {
    try opened(bytes, pixels: limits.codedPixels) { (decoder, header, handle) throws(ApusError) in
      try decode(decoder, &header, handle)
    }
  }

  /// What the container says of the primary picture.
  func header(of bytes: UnsafeRawBufferPointer) throws(ApusError) -> PictureHeader {
    try opened(bytes, pixels: .max) { (decoder, header, _) throws(ApusError) in
      let item = EmbeddedMetadata.exif(inItem: Self.exifItem(decoder, within: bytes.count))
      return PictureHeader(
        width: Int(header.width), height: Int(header.height), orientation: .upright,
        exif: ExifMetadata(EmbeddedMetadata(exif: item)),
        // Planes, of up to 16 bits a sample, and libheif's own RGB.
        workingBytes: header.bits > 8 ? 9 : 6, hasAlpha: header.has_alpha != 0)
    }
  }

  /// The content of the EXIF item; nil when there is none, or more than the file has bytes.
  private static func exifItem(_ decoder: OpaquePointer, within limit: Int) -> [UInt8]? {
    let count = apus_heif_exif_size(decoder)
    guard (1...max(limit, 1)).contains(count) else { return nil }
    var isRead = false
    let item = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      isRead = buffer.baseAddress.map { apus_heif_copy_exif(decoder, $0) != 0 } ?? false
      if isRead { initialized = count }
    }
    return isRead ? item : nil
  }

  /// Runs `body` with a decoder that has read what the file says of its primary picture.
  private func opened<Result>(
    _ bytes: UnsafeRawBufferPointer, pixels: UInt64,
    _ body: (OpaquePointer, inout apus_heif_header, UnsafeMutableRawPointer) throws(ApusError) -> Result
  ) throws(ApusError) -> Result {
    let handle = try library.loaded()
    let base = bytes.bindMemory(to: UInt8.self).baseAddress
    guard let decoder = apus_heif_open(handle, base, bytes.count, pixels) else {
      throw ApusError(.resources, "no memory for a HEIC decoder")
    }
    defer { apus_heif_close(decoder) }
    var header = apus_heif_header()
    try check(apus_heif_read_header(decoder, &header), header, handle)
    return try body(decoder, &header, handle)
  }

  private func decode(
    _ decoder: OpaquePointer, _ header: inout apus_heif_header, _ handle: UnsafeMutableRawPointer
  ) throws(ApusError) -> Raster {
    let area = try limits.checkedArea(
      width: UInt32(clamping: header.width), height: UInt32(clamping: header.height), format: .heic)
    try checkStored(header)
    let alpha = AlphaChannel(
      isPresent: header.has_alpha != 0, isAssociated: header.is_premultiplied != 0, options)
    try check(apus_heif_decode(decoder, &header, alpha.isNeeded ? 1 : 0), header, handle)
    let pixels = alpha.rgb(Self.pixels(decoder, header, area, alpha))
    return Raster(
      image: RGBImage(sound: Int(header.width), Int(header.height), pixels), format: .heic,
      colour: Self.name(of: header), notes: alpha.notes, hasAlpha: alpha.isPresent,
      damage: header.warnings > 0 ? "libheif passed over \(header.warnings) flaws" : nil,
      stored: (Int(header.stored_width), Int(header.stored_height)))
  }

  /// Refuses a small picture that is cropped from one beyond the limits.
  private func checkStored(_ header: apus_heif_header) throws(ApusError) {
    let area = UInt64(clamping: header.stored_width) * UInt64(clamping: header.stored_height)
    guard header.stored_width <= 0 || header.stored_height <= 0 || area > limits.codedPixels else { return }
    throw ApusError(
      .image, "a HEIC stored as \(header.stored_width)×\(header.stored_height) pixels",
      expected: "at least one and at most \(limits.codedPixels) pixels",
      advice: "If you trust this file, raise the limit: \(Setting.pixelLimit).")
  }

  private static func pixels(
    _ decoder: OpaquePointer, _ header: apus_heif_header, _ area: Int, _ alpha: AlphaChannel
  ) -> [UInt8] {
    let rowBytes = Int(header.width) * alpha.channels
    return [UInt8](unsafeUninitializedCapacity: area * alpha.channels) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      for y in 0..<header.height {
        apus_heif_copy_row(decoder, y, base + Int(y) * rowBytes, rowBytes)
      }
      count = area * alpha.channels
    }
  }

  private static func name(of header: apus_heif_header) -> String {
    (header.bits > 0 ? "colour \(header.bits)-bit" : "colour") + (header.has_alpha != 0 ? " with alpha" : "")
  }

  private func check(
    _ status: Int32, _ header: apus_heif_header, _ handle: UnsafeMutableRawPointer
  ) throws(ApusError) {
    try library.check(
      status, CMessage.text(header.message),
      unsupported: apus_heif_decodes(handle, Int32(APUS_HEIF_HEVC)) == 0 ? Self.withoutDecoder : nil)
  }

  /// Whether a library is there that decodes HEIC, by itself or by a plug-in.
  static func canDecode(with library: SystemLibrary) -> Bool {
    library.handle.map { apus_heif_decodes($0, Int32(APUS_HEIF_HEVC)) != 0 } ?? false
  }

  private static let withoutDecoder = ApusError(
    .image, "a HEIC picture, and the libheif of this machine has no decoder of HEVC",
    expected: "one, built in or as a plug-in",
    advice:
      "To read it, install the package libheif-plugin-libde265 of Debian; or convert the file to PNG or JPEG."
  )
}
