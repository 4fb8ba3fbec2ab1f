import CCodecs
import TensorCore

/// AVIF through libavif: the primary picture, or the first of a sequence. Turns and mirrorings of the container are its
/// orientation; EXIF is not asked, and crops are passed over, as in Pillow.
struct AVIFDecoder {
  private let library: SystemLibrary
  private let limits: ImageLimits
  private let options: ImageOptions

  init(_ library: SystemLibrary, _ limits: ImageLimits, _ options: ImageOptions) {
    (self.library, self.limits, self.options) = (library, limits, options)
  }

  func decode(_ bytes: UnsafeRawBufferPointer) throws(ApusError) -> Raster {
    try opened(bytes, pixels: UInt32(clamping: limits.codedPixels)) { (decoder, header) throws(ApusError) in
      try decode(decoder, &header)
    }
  }

  /// What the container says.
  func header(of bytes: UnsafeRawBufferPointer) throws(ApusError) -> PictureHeader {
    do throws(ApusError) {
      return try header(of: bytes, withExif: true)
    } catch {
      // An EXIF item that is out of place spoils the whole file for libavif.
      return try header(of: bytes, withExif: false)
    }
  }

  private func header(
    of bytes: UnsafeRawBufferPointer, withExif: Bool
  ) throws(ApusError) -> PictureHeader {
    try opened(bytes, pixels: .max, withExif: withExif) { (decoder, header) throws(ApusError) in
      var count = 0
      let start = apus_avif_exif(decoder, &count)
      let item = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
      return PictureHeader(
        width: Int(header.width), height: Int(header.height), orientation: Self.orientation(header),
        exif: ExifMetadata(EmbeddedMetadata(exif: EmbeddedMetadata.withoutSignature(item))),
        workingBytes: header.bits > 8 ? 6 : 3, hasAlpha: header.has_alpha != 0)
    }
  }

  private static func orientation(_ header: apus_avif_header) -> Orientation {
    Orientation(rawValue: Int(header.orientation)) ?? .upright
  }

  /// Runs `body` with a decoder that has read the container.
  private func opened<Result>(
    _ bytes: UnsafeRawBufferPointer, pixels: UInt32, withExif: Bool = false,
    _ body: (OpaquePointer, inout apus_avif_header) throws(ApusError) -> Result
  ) throws(ApusError) -> Result {
    let handle = try library.loaded()
    let base = bytes.bindMemory(to: UInt8.self).baseAddress
    guard let decoder = apus_avif_open(handle, base, bytes.count, pixels, withExif ? 1 : 0) else {
      throw ApusError(.resources, "no memory for an AVIF decoder")
    }
    defer { apus_avif_close(decoder) }
    var header = apus_avif_header()
    try library.check(apus_avif_read_header(decoder, &header), CMessage.text(header.message))
    return try body(decoder, &header)
  }

  private func decode(_ decoder: OpaquePointer, _ header: inout apus_avif_header) throws(ApusError) -> Raster
  {
    let area = try limits.checkedArea(width: header.width, height: header.height, format: .avif)
    try library.check(apus_avif_decode(decoder, &header), CMessage.text(header.message))
    let alpha = AlphaChannel(
      isPresent: header.has_alpha != 0, isAssociated: header.is_premultiplied != 0, options)
    let pixels = try pixels(decoder, header, area, alpha)
    return Raster(
      image: RGBImage(sound: Int(header.width), Int(header.height), alpha.rgb(pixels)), format: .avif,
      colour: Self.name(of: header), orientation: Self.orientation(header),
      notes: alpha.notes, hasAlpha: alpha.isPresent)
  }

  private func pixels(
    _ decoder: OpaquePointer, _ header: apus_avif_header, _ area: Int, _ alpha: AlphaChannel
  ) throws(ApusError) -> [UInt8] {
    let isFull = Int(header.chroma_width) == Int(header.width) && header.chroma_height == header.height
    guard let matrix = YCbCrMatrix(Int(header.matrix), primaries: Int(header.primaries)),
      isFull || matrix != .identity || header.chroma_width == 0
    else {
      throw ApusError(
        .image, "an AVIF with the matrix coefficients \(header.matrix)",
        expected: "RGB, YCgCo or a plain matrix of YCbCr", advice: "Convert the file to PNG or JPEG.")
    }
    // Grey has no matrix.
    let conversion = YCbCrConversion(
      header.chroma_width == 0 ? .shares(red: 0.299, blue: 0.114) : matrix,
      isFullRange: header.is_full_range != 0)
    let planes = AVIFPlanes(decoder, header)
    let channels = alpha.channels, rowBytes = Int(header.width) * channels
    return [UInt8](unsafeUninitializedCapacity: area * channels) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      for y in 0..<Int(header.height) {
        let target = base + y * rowBytes
        if header.chroma_width > 0, matrix == .identity {
          conversion.convert(
            green: planes.row(APUS_AVIF_Y, y), blue: planes.row(APUS_AVIF_U, y),
            red: planes.row(APUS_AVIF_V, y), into: target, channels: channels)
        } else {
          conversion.convert(
            y: planes.row(APUS_AVIF_Y, y), cb: planes.chroma(APUS_AVIF_U, y),
            cr: planes.chroma(APUS_AVIF_V, y), into: target, channels: channels)
        }
        guard alpha.isNeeded else { continue }
        for (x, value) in planes.row(APUS_AVIF_ALPHA, y).enumerated() { target[x * channels + 3] = value }
      }
      count = area * channels
    }
  }

  private static func name(of header: apus_avif_header) -> String {
    let model = header.chroma_width == 0 ? "grey" : header.matrix == 0 ? "RGB" : "YCbCr"
    return "\(model)\(header.has_alpha != 0 ? " with alpha" : "") \(header.bits)-bit"
  }
}
