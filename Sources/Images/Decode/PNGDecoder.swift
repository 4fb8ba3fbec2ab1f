import CPNG
import TensorCore

/// PNG through libpng; only the header, palette, transparency and image data are looked at.
enum PNGDecoder {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, limits: ImageLimits, options: ImageOptions
  ) throws(ApusError) -> Raster {
    try opened(bytes, limits) { (decoder, header) throws(ApusError) in
      try decode(bytes, decoder, &header, limits, options)
    }
  }

  /// What the file says before its image data, and in EXIF wherever it is.
  static func header(of bytes: UnsafeRawBufferPointer) throws(ApusError) -> PictureHeader {
    try opened(bytes, .standard) { (_, header) throws(ApusError) in
      PictureHeader(
        width: Int(header.width), height: Int(header.height),
        exif: ExifMetadata(EmbeddedMetadata(inPNG: bytes)),
        workingBytes: header.colour_type == 0 && header.bit_depth == 16 ? 2 : 0,
        hasAlpha: Layout.hasAlpha(header))
    }
  }

  /// Runs `body` with a decoder that has read up to the image data.
  private static func opened<Result>(
    _ bytes: UnsafeRawBufferPointer, _ limits: ImageLimits,
    _ body: (OpaquePointer, inout apus_png_header) throws(ApusError) -> Result
  ) throws(ApusError) -> Result {
    let decoder = apus_png_open(
      bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, ImageLimits.side,
      max(limits.chunkBytes, 1))
    guard let decoder else { throw ApusError(.resources, "no memory for a PNG decoder") }
    defer { apus_png_close(decoder) }
    var header = apus_png_header()
    try check(apus_png_read_header(decoder, &header), header)
    return try body(decoder, &header)
  }

  private static func decode(
    _ bytes: UnsafeRawBufferPointer, _ decoder: OpaquePointer, _ header: inout apus_png_header,
    _ limits: ImageLimits, _ options: ImageOptions
  ) throws(ApusError) -> Raster {
    let area = try limits.checkedArea(width: header.width, height: header.height, format: .png)
    try checkDensity(header, byteCount: bytes.count)
    let layout = Layout(header, options)
    try check(apus_png_start(decoder, &header, layout.code), header)
    let count = area * layout.bytesPerPixel
    guard header.row_bytes * Int(header.height) == count else {
      throw ApusError(.image, "a PNG whose rows have \(header.row_bytes) bytes", expected: "\(count) in all")
    }
    var status = Int32(APUS_PNG_OK)
    var pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let base = buffer.baseAddress else { return }
      status = readRows(decoder, &header, into: base)
      if status == APUS_PNG_OK { initialized = count }
    }
    try check(status, header)
    var notes = layout.notes
    var damage: String?
    status = apus_png_finish(decoder, &header)
    if status == APUS_PNG_TRUNCATED { try check(status, header) }
    if status != APUS_PNG_OK {
      damage = "the PNG file is damaged after its last row (libpng: \(CMessage.text(header.message)))"
    } else if header.warnings > 0 {
      notes.append("libpng passed over \(header.warnings) flaws")
    }
    layout.convert(&pixels, area: area)
    return Raster(
      image: RGBImage(sound: Int(header.width), Int(header.height), pixels), format: .png,
      colour: name(of: header), orientation: Orientation(exif: EmbeddedMetadata(inPNG: bytes).exif),
      notes: notes, hasAlpha: Layout.hasAlpha(header), damage: damage)
  }

  /// Refuses a picture that its file is too short to hold, before memory is taken for it: deflate makes at
  /// most 1032 bytes of one.
  private static func checkDensity(_ header: apus_png_header, byteCount: Int) throws(ApusError) {
    let channels = [1, 1, 3, 1, 2, 1, 4][min(max(Int(header.colour_type), 0), 6)]
    let rowBytes = Int(header.width) * channels * Int(header.bit_depth) / 8
    guard rowBytes * Int(header.height) / 1032 > byteCount else { return }
    throw ApusError(
      .image, "a PNG of \(header.width)×\(header.height) pixels in \(byteCount) bytes",
      expected: "at least one byte for 1032 bytes of pixels", advice: "The header or the data is damaged.")
  }

  private static func readRows(
    _ decoder: OpaquePointer, _ header: inout apus_png_header, into pixels: UnsafeMutablePointer<UInt8>
  ) -> Int32 {
    for _ in 0..<max(header.passes, 1) {
      for y in 0..<Int(header.height) {
        let status = apus_png_read_row(decoder, &header, pixels + y * header.row_bytes)
        if status != APUS_PNG_OK { return status }
      }
    }
    return Int32(APUS_PNG_OK)
  }

  private static func name(of header: apus_png_header) -> String {
    let model =
      switch header.colour_type {
      case 0: "grey"
      case 2: "RGB"
      case 3: "palette"
      case 4: "grey with alpha"
      default: "RGB with alpha"
      }
    return "\(model) \(header.bit_depth)-bit" + (header.has_transparency != 0 ? " with transparency" : "")
      + (header.is_interlaced != 0 ? ", interlaced" : "")
  }

  private static func check(_ status: Int32, _ header: apus_png_header) throws(ApusError) {
    let message = CMessage.text(header.message)
    switch Int(status) {
    case APUS_PNG_OK:
      return
    case APUS_PNG_TRUNCATED:
      throw .truncated(.png)
    case APUS_PNG_NO_MEMORY:
      throw ApusError(.resources, "no memory to decode a PNG (libpng: \(message))")
    default:
      throw .broken(.png, "libpng: \(message)")
    }
  }
}
