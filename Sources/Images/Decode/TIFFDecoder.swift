import CCodecs
import TensorCore

/// The first picture of a TIFF through libtiff, in strips or tiles, with every compression that libtiff has. What the
/// samples mean is told here, so that colours are those of Pillow.
struct TIFFDecoder {
  private let library: SystemLibrary
  private let limits: ImageLimits
  private let options: ImageOptions

  init(_ library: SystemLibrary, _ limits: ImageLimits, _ options: ImageOptions) {
    (self.library, self.limits, self.options) = (library, limits, options)
  }

  func decode(_ bytes: UnsafeRawBufferPointer) throws(ApusError) -> Raster {
    try opened(bytes) { (decoder, header) throws(ApusError) in try decode(decoder, &header) }
  }

  /// What the file's first directory says. It is EXIF data too, but in a file of more than 4 GiB.
  func header(of bytes: UnsafeRawBufferPointer) throws(ApusError) -> PictureHeader {
    try opened(bytes) { (_, header) throws(ApusError) in
      PictureHeader(
        width: Int(header.width), height: Int(header.height), orientation: Self.orientation(header),
        exif: ExifMetadata(in: bytes), workingBytes: 4, hasAlpha: header.extra_count > 0)
    }
  }

  private static func orientation(_ header: apus_tiff_header) -> Orientation {
    Orientation(rawValue: Int(header.orientation)) ?? .upright
  }

  /// Runs `body` with a decoder that has read the first directory.
  private func opened<Result>(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (OpaquePointer, inout apus_tiff_header) throws(ApusError) -> Result
  ) throws(ApusError) -> Result {
    if let refusal = RawPhotograph.refusal(of: bytes) { throw refusal }
    let handle = try library.loaded()
    let base = bytes.bindMemory(to: UInt8.self).baseAddress
    guard let decoder = apus_tiff_open(handle, base, bytes.count, memory) else {
      throw ApusError(.resources, "no memory for a TIFF decoder")
    }
    defer { apus_tiff_close(decoder) }
    var header = apus_tiff_header()
    try library.check(apus_tiff_read_header(decoder, &header), CMessage.text(header.message))
    return try body(decoder, &header)
  }

  private func decode(_ decoder: OpaquePointer, _ header: inout apus_tiff_header) throws(ApusError) -> Raster
  {
    let area = try limits.checkedArea(width: header.width, height: header.height, format: .tiff)
    guard max(header.width, header.height) <= ImageLimits.side else {
      throw ApusError(
        .image, "a TIFF of \(header.width)×\(header.height) pixels",
        expected: "sides of at most \(ImageLimits.side)")
    }
    let layout = try TIFFLayout(header, options)
    try checkTile(header)
    try library.check(apus_tiff_start(decoder, &header), CMessage.text(header.message))
    let alpha = AlphaChannel(
      isPresent: layout.alphaSample != nil, isAssociated: layout.isAssociated, options)
    var pixels = TIFFPixels(header, TIFFSamples(layout, alpha), layout.samples, channels: alpha.channels)
    try checkBlock(header, layout)
    try readBlocks(decoder, &header, layout, into: &pixels)
    var notes = alpha.notes
    if case .grey16 = layout.model { notes.append(Grey16.note) }
    let colours = pixels.finished(area: area)
    return Raster(
      image: RGBImage(sound: Int(header.width), Int(header.height), alpha.rgb(colours)), format: .tiff,
      colour: layout.name, orientation: Self.orientation(header),
      notes: notes, hasAlpha: alpha.isPresent,
      damage: header.errors > 0
        ? "damaged TIFF data was passed over (libtiff: \(CMessage.text(header.message)))" : nil)
  }

  /// What libtiff may take at a time: the samples of the largest picture, of up to 7 samples of 16 bits.
  private var memory: Int {
    let (bytes, overflow) = max(limits.pixels, 1 << 20).multipliedReportingOverflow(by: 14)
    return overflow ? Int.max : bytes
  }

  private func checkTile(_ header: apus_tiff_header) throws(ApusError) {
    guard header.is_tiled != 0 else { return }
    let area = UInt64(header.tile_width) * UInt64(header.tile_height)
    guard area > 0, area <= UInt64(clamping: max(limits.pixels, 1 << 20)) else {
      throw ApusError(
        .image, "a TIFF of tiles of \(header.tile_width)×\(header.tile_height) pixels",
        expected: "tiles within the limit of \(limits.pixels) pixels")
    }
  }

  /// A row, or tile, has the bytes that its samples need.
  private func checkBlock(_ header: apus_tiff_header, _ layout: TIFFLayout) throws(ApusError) {
    let samples = header.is_separate != 0 ? 1 : layout.samples
    let width = Int(header.is_tiled != 0 ? header.tile_width : header.width)
    let rowBytes = (width * samples * layout.bits + 7) / 8
    let expected = header.is_tiled != 0 ? rowBytes * Int(header.tile_height) : rowBytes
    guard header.block_bytes == expected else {
      throw ApusError(
        .image, "a TIFF whose rows or tiles have \(header.block_bytes) bytes", expected: "\(expected)")
    }
  }

  private func readBlocks(
    _ decoder: OpaquePointer, _ header: inout apus_tiff_header, _ layout: TIFFLayout,
    into pixels: inout TIFFPixels
  ) throws(ApusError) {
    let planes = UInt16(header.is_separate != 0 ? layout.samples : 1)
    let isTiled = header.is_tiled != 0
    let width = isTiled ? header.tile_width : header.width, height = isTiled ? header.tile_height : 1
    let rowBytes = header.block_bytes / Int(height)
    var block = [UInt8](repeating: 0, count: header.block_bytes)
    for plane in 0..<planes {
      for top in stride(from: 0, to: header.height, by: Int(height)) {
        for left in stride(from: 0, to: header.width, by: Int(width)) {
          let status =
            isTiled
            ? apus_tiff_read_tile(decoder, &header, left, top, plane, &block)
            : apus_tiff_read_row(decoder, &header, top, plane, &block)
          try library.check(status, CMessage.text(header.message))
          let count = Int(min(width, header.width - left))
          for y in 0..<Int(min(height, header.height - top)) {
            pixels.put(
              block[(y * rowBytes)..<((y + 1) * rowBytes)], count: count, x: Int(left), y: Int(top) + y,
              plane: Int(plane))
          }
        }
      }
    }
  }
}
