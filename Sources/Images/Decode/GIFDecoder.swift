import CCodecs
import TensorCore

/// The first picture of a GIF through giflib, on the screen that the file describes.
struct GIFDecoder {
  private let library: SystemLibrary
  private let limits: ImageLimits
  private let options: ImageOptions

  init(_ library: SystemLibrary, _ limits: ImageLimits, _ options: ImageOptions) {
    (self.library, self.limits, self.options) = (library, limits, options)
  }

  func decode(_ bytes: UnsafeRawBufferPointer) throws(ApusError) -> Raster {
    try opened(bytes) { (decoder, header) throws(ApusError) in try decode(decoder, &header) }
  }

  /// What the file says up to its first picture.
  func header(of bytes: UnsafeRawBufferPointer) throws(ApusError) -> PictureHeader {
    try opened(bytes) { (_, header) throws(ApusError) in
      let place = try Place(header)
      return PictureHeader(
        width: place.screenWidth, height: place.screenHeight, workingBytes: 1,
        hasAlpha: header.transparent >= 0)
    }
  }

  /// Runs `body` with a decoder that has read up to the first picture.
  private func opened<Result>(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (OpaquePointer, inout apus_gif_header) throws(ApusError) -> Result
  ) throws(ApusError) -> Result {
    let handle = try library.loaded()
    let base = bytes.bindMemory(to: UInt8.self).baseAddress
    guard let decoder = apus_gif_open(handle, base, bytes.count) else {
      throw ApusError(.resources, "no memory for a GIF decoder")
    }
    defer { apus_gif_close(decoder) }
    var header = apus_gif_header()
    try check(apus_gif_read_header(decoder, &header), header)
    return try body(decoder, &header)
  }

  private func decode(_ decoder: OpaquePointer, _ header: inout apus_gif_header) throws(ApusError) -> Raster {
    let place = try Place(header)
    let width = place.screenWidth, height = place.screenHeight
    let area = try limits.checkedArea(
      width: UInt32(clamping: width), height: UInt32(clamping: height), format: .gif)
    let transparent = UInt8(exactly: header.transparent)
    var indices = [UInt8](repeating: transparent ?? 0, count: area)
    try readRows(decoder, &header, place, into: &indices, width: width)
    let palette = Self.palette(of: header)
    let alpha = AlphaChannel(
      isPresent: transparent != nil, colour: transparent.map { palette.colour($0) }, options)
    let pixels = palette.pixels(
      indices, transparent: transparent, withAlpha: alpha.isNeeded)
    return Raster(
      image: RGBImage(sound: width, height, alpha.rgb(pixels)), format: .gif, colour: Self.name(of: header),
      notes: alpha.notes, hasAlpha: alpha.isPresent)
  }

  /// Where the picture lies on the screen.
  private struct Place {
    let left, top, width, height: Int
    /// A picture that reaches beyond the screen makes it larger, as in Pillow.
    let screenWidth, screenHeight: Int

    init(_ header: apus_gif_header) throws(ApusError) {
      left = Int(header.left)
      top = Int(header.top)
      width = Int(header.width)
      height = Int(header.height)
      screenWidth = max(Int(header.screen_width), left + width)
      screenHeight = max(Int(header.screen_height), top + height)
      guard left >= 0, top >= 0, (1...65535).contains(width), (1...65535).contains(height) else {
        throw ApusError(
          .image, "a GIF whose picture has \(width)×\(height) pixels", expected: "at least one")
      }
    }
  }

  private func readRows(
    _ decoder: OpaquePointer, _ header: inout apus_gif_header, _ place: Place, into indices: inout [UInt8],
    width: Int
  ) throws(ApusError) {
    var row = [UInt8](repeating: 0, count: place.width)
    for y in Self.order(ofRows: place.height, isInterlaced: header.is_interlaced != 0) {
      try check(apus_gif_read_row(decoder, &header, &row), header)
      let start = (place.top + y) * width + place.left
      indices.replaceSubrange(start..<(start + place.width), with: row)
    }
  }

  /// The rows in the order that the file has them in: interlaced, in four passes.
  private static func order(ofRows count: Int, isInterlaced: Bool) -> [Int] {
    guard isInterlaced else { return Array(0..<count) }
    return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0, to: count, by: $1)) }
  }

  private static func palette(of header: apus_gif_header) -> Palette {
    withUnsafeBytes(of: header.palette) { Palette(rgb: $0.prefix(max(Int(header.palette_count), 0) * 3)) }
  }

  private static func name(of header: apus_gif_header) -> String {
    (header.palette_count > 0 ? "palette of \(header.palette_count)" : "grey")
      + (header.transparent >= 0 ? " with transparency" : "")
      + (header.is_interlaced != 0 ? ", interlaced" : "")
  }

  private func check(_ status: Int32, _ header: apus_gif_header) throws(ApusError) {
    try library.check(
      status, CMessage.text(header.message),
      unsupported: ApusError(.image, "a GIF without a picture", expected: "one at least"))
  }
}
