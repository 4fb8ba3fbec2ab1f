import CCodecs
import TensorCore

/// WebP through libwebp: lossy and lossless, and the first picture of an animation on its canvas.
struct WebPDecoder {
  private let library: SystemLibrary
  private let limits: ImageLimits
  private let options: ImageOptions

  init(_ library: SystemLibrary, _ limits: ImageLimits, _ options: ImageOptions) {
    (self.library, self.limits, self.options) = (library, limits, options)
  }

  /// What the file's chunks say.
  func header(of bytes: UnsafeRawBufferPointer) throws(ApusError) -> PictureHeader {
    let handle = try library.loaded()
    guard let container = WebPContainer(bytes) else { throw .truncated(.webp) }
    let header = try header(of: bytes, handle)
    return PictureHeader(
      width: Int(header.width), height: Int(header.height), exif: ExifMetadata(container.metadata),
      workingBytes: 4, hasAlpha: header.has_alpha != 0)
  }

  func decode(_ bytes: UnsafeRawBufferPointer) throws(ApusError) -> Raster {
    let handle = try library.loaded()
    guard let container = WebPContainer(bytes) else { throw .truncated(.webp) }
    let header = try header(of: bytes, handle)
    let area = try limits.checkedArea(
      width: UInt32(clamping: header.width), height: UInt32(clamping: header.height), format: .webp)
    let alpha = AlphaChannel(isPresent: header.has_alpha != 0, options)
    var pixels: [UInt8]
    if header.has_animation == 0 {
      pixels = try Self.pixels(bytes, handle, width: Int(header.width), area: area, alpha)
    } else {
      guard let frame = container.firstFrame else { throw .broken(.webp, "an animation without a picture") }
      pixels = try canvas(frame, in: bytes, handle, header, area, alpha)
    }
    pixels = alpha.rgb(pixels)
    return Raster(
      image: RGBImage(sound: Int(header.width), Int(header.height), pixels), format: .webp,
      colour: Self.name(of: header), orientation: Orientation(exif: container.metadata.exif),
      notes: alpha.notes + (header.has_animation != 0 ? ["the first picture of an animation"] : []),
      hasAlpha: alpha.isPresent)
  }

  /// The canvas of an animation with its first picture on it; what that leaves free is transparent black.
  private func canvas(
    _ frame: WebPContainer.Frame, in bytes: UnsafeRawBufferPointer, _ handle: UnsafeMutableRawPointer,
    _ header: apus_webp_header, _ area: Int, _ alpha: AlphaChannel
  ) throws(ApusError) -> [UInt8] {
    let data = UnsafeRawBufferPointer(rebasing: bytes[frame.data])
    let stored = try self.header(of: data, handle)
    let width = Int(header.width), channels = alpha.channels
    guard stored.has_animation == 0, Int(stored.width) == frame.width, Int(stored.height) == frame.height,
      frame.left + frame.width <= width, frame.top + frame.height <= Int(header.height)
    else { throw .broken(.webp, "the first picture of the animation does not fit its place") }
    let pixels = try Self.pixels(data, handle, width: frame.width, area: frame.width * frame.height, alpha)
    guard frame.width * frame.height < area else { return pixels }
    var canvas = [UInt8](repeating: 0, count: area * channels)
    for y in 0..<frame.height {
      let row = y * frame.width * channels
      let target = ((frame.top + y) * width + frame.left) * channels
      canvas.replaceSubrange(
        target..<(target + frame.width * channels), with: pixels[row..<(row + frame.width * channels)])
    }
    return canvas
  }

  private func header(
    of bytes: UnsafeRawBufferPointer, _ handle: UnsafeMutableRawPointer
  ) throws(ApusError) -> apus_webp_header {
    var header = apus_webp_header()
    let base = bytes.bindMemory(to: UInt8.self).baseAddress
    try library.check(apus_webp_read_header(handle, base, bytes.count, &header), "no picture is found")
    return header
  }

  /// All pixels of one picture, `width` in a row.
  private static func pixels(
    _ bytes: UnsafeRawBufferPointer, _ handle: UnsafeMutableRawPointer, width: Int, area: Int,
    _ alpha: AlphaChannel
  ) throws(ApusError) -> [UInt8] {
    let count = area * alpha.channels
    var status = Int32(APUS_CODEC_OK)
    let pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      status = apus_webp_decode(
        handle, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, alpha.isNeeded ? 1 : 0,
        buffer.baseAddress, count, Int32(clamping: width * alpha.channels))
      if status == APUS_CODEC_OK { initialized = count }
    }
    guard status == APUS_CODEC_OK else { throw .broken(.webp, "libwebp cannot decode it") }
    return pixels
  }

  private static func name(of header: apus_webp_header) -> String {
    let model = header.has_alpha != 0 ? "RGB with alpha" : "RGB"
    if header.has_animation != 0 { return model + ", animated" }
    return header.is_lossless != 0 ? model + ", lossless" : model.replacing("RGB", with: "YCbCr")
  }
}
