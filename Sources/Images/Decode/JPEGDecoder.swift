import CJPEG
import TensorCore

/// JPEG through libjpeg: exact integer DCT, smooth chroma upsampling; in a half, a quarter or an eighth of its sides
/// where that is enough, which the DCT gives for less work than the whole.
enum JPEGDecoder {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, limits: ImageLimits, options: ImageOptions
  ) throws(ApusError) -> Raster {
    try opened(bytes, limits) { (decoder, header) throws(ApusError) in
      try decode(bytes, decoder, &header, limits, options)
    }
  }

  /// What the file says before its first scan.
  static func header(of bytes: UnsafeRawBufferPointer) throws(ApusError) -> PictureHeader {
    try opened(bytes, .standard) { (_, header) throws(ApusError) in
      PictureHeader(
        width: Int(header.width), height: Int(header.height),
        exif: ExifMetadata(EmbeddedMetadata(inJPEG: bytes)),
        // All coefficients, 16 bits each.
        workingBytes: header.is_progressive != 0 ? 6 : 0)
    }
  }

  /// Runs `body` with a decoder that has read up to the first scan.
  private static func opened<Result>(
    _ bytes: UnsafeRawBufferPointer, _ limits: ImageLimits,
    _ body: (OpaquePointer, inout apus_jpeg_header) throws(ApusError) -> Result
  ) throws(ApusError) -> Result {
    let memory = Int(
      clamping: UInt64(clamping: limits.pixels).multipliedReportingOverflow(by: 32).partialValue)
    let decoder = apus_jpeg_open(
      bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, Int32(clamping: limits.scans),
      min(max(memory, minimumMemory), maximumMemory))
    guard let decoder else { throw ApusError(.resources, "no memory for a JPEG decoder") }
    defer { apus_jpeg_close(decoder) }
    var header = apus_jpeg_header()
    try check(apus_jpeg_read_header(decoder, &header), header, limits)
    return try body(decoder, &header)
  }

  private static func decode(
    _ bytes: UnsafeRawBufferPointer, _ decoder: OpaquePointer, _ header: inout apus_jpeg_header,
    _ limits: ImageLimits, _ options: ImageOptions
  ) throws(ApusError) -> Raster {
    let stored = try limits.checkedArea(width: header.width, height: header.height, format: .jpeg)
    try checkDensity(area: stored, byteCount: bytes.count, isHuffman: header.is_arithmetic == 0)
    let reduction = reduction(ofSide: min(header.width, header.height), options)
    try check(apus_jpeg_start(decoder, &header, reduction), header, limits)
    let width = Int(header.output_width), height = Int(header.output_height), area = width * height
    var status = Int32(APUS_JPEG_OK)
    let pixels = [UInt8](unsafeUninitializedCapacity: area * 3) { pixels, count in
      guard let base = pixels.baseAddress else { return }
      status = readRows(decoder, &header, into: base)
      if status == APUS_JPEG_OK { count = area * 3 }
    }
    try check(status, header, limits)
    let end = apus_jpeg_finish(decoder, &header)
    return Raster(
      image: RGBImage(sound: width, height, pixels), format: .jpeg, colour: name(of: header),
      orientation: Orientation(exif: EmbeddedMetadata(inJPEG: bytes).exif),
      notes: reduction > 1 ? ["decoded at 1/\(reduction) of its sides"] : [],
      damage: damage(header, end: end), stored: (Int(header.width), Int(header.height)))
  }

  /// By how much the sides may be divided so that the shorter one keeps the length that is asked for.
  static func reduction(ofSide side: UInt32, _ options: ImageOptions) -> UInt32 {
    guard let least = options.minimumShortSide else { return 1 }
    let lengths: [(UInt32, Int)] = [(8, options.minimumShortSideAtEighth ?? least), (4, least), (2, least)]
    return lengths.first { Int((side + $0.0 - 1) / $0.0) >= $0.1 }?.0 ?? 1
  }

  /// What is wrong with data that gave all rows.
  private static func damage(_ header: apus_jpeg_header, end: Int32) -> String? {
    switch (Int(end), header.warnings) {
    case (APUS_JPEG_OK, 0): nil
    case (APUS_JPEG_OK, 1): "a corrupt place in the JPEG data was passed over"
    case (APUS_JPEG_OK, let count): "\(count) corrupt places in the JPEG data were passed over"
    case (APUS_JPEG_TRUNCATED, _): "the JPEG data does not end after its last row"
    default: "the JPEG data is damaged after its last row (libjpeg: \(CMessage.text(header.message)))"
    }
  }

  /// Refuses a picture that its file is too short to hold, before memory is taken for it: a Huffman code
  /// has at least one bit, and each block of 64 pixels at least one code.
  private static func checkDensity(area: Int, byteCount: Int, isHuffman: Bool) throws(ApusError) {
    guard isHuffman, area / (64 * 8) > byteCount else { return }
    throw ApusError(
      .image, "a JPEG of \(area) pixels in \(byteCount) bytes", expected: "at least one bit for 64 pixels",
      advice: "The header or the data is damaged.")
  }

  /// libjpeg's own tables need a few hundred kilobytes, whatever the picture.
  private static let minimumMemory = 1 << 22
  private static let maximumMemory = 1 << 40

  /// Reads all rows, widening grey and CMYK to RGB row by row.
  private static func readRows(
    _ decoder: OpaquePointer, _ header: inout apus_jpeg_header, into pixels: UnsafeMutablePointer<UInt8>
  ) -> Int32 {
    let width = Int(header.output_width)
    var row = [UInt8](repeating: 0, count: header.channels == 3 ? 0 : width * Int(header.channels))
    for y in 0..<Int(header.output_height) {
      let target = pixels + y * width * 3
      guard header.channels != 3 else {
        let status = apus_jpeg_read_row(decoder, &header, target)
        if status != APUS_JPEG_OK { return status }
        continue
      }
      let status = apus_jpeg_read_row(decoder, &header, &row)
      if status != APUS_JPEG_OK { return status }
      if header.channels == 1 {
        widenGrey(row, into: target)
      } else {
        CMYK.convert(row, count: width, isInverted: true, into: target)
      }
    }
    return Int32(APUS_JPEG_OK)
  }

  private static func widenGrey(_ row: [UInt8], into target: UnsafeMutablePointer<UInt8>) {
    for x in row.indices {
      target[x * 3] = row[x]
      target[x * 3 + 1] = row[x]
      target[x * 3 + 2] = row[x]
    }
  }

  private static func name(of header: apus_jpeg_header) -> String {
    let model =
      switch Int(header.colour) {
      case APUS_JPEG_GREY: "grey"
      case APUS_JPEG_RGB: "RGB"
      case APUS_JPEG_YCBCR: "YCbCr"
      case APUS_JPEG_CMYK: "CMYK (taken as inverted, as Adobe writes it)"
      default: "YCCK (taken as inverted, as Adobe writes it)"
      }
    return header.is_progressive != 0 ? model + ", progressive" : model
  }

  private static func check(
    _ status: Int32, _ header: apus_jpeg_header, _ limits: ImageLimits
  ) throws(ApusError) {
    let message = CMessage.text(header.message)
    switch Int(status) {
    case APUS_JPEG_OK:
      return
    case APUS_JPEG_TRUNCATED:
      throw .truncated(.jpeg)
    case APUS_JPEG_TOO_MANY_SCANS:
      throw ApusError(
        .image, "a JPEG of more than \(limits.scans) scans", expected: "at most \(limits.scans)",
        advice: "If you trust this file, save it again; programs can raise ImageLimits.scans.")
    case APUS_JPEG_UNSUPPORTED:
      throw ApusError(
        .image, "a kind of JPEG that is not read\(message.isEmpty ? "" : " (libjpeg: \(message))")",
        expected: "8 bits and grey, YCbCr, RGB, CMYK or YCCK",
        advice: "Save the picture as ordinary JPEG or PNG.")
    case APUS_JPEG_NO_MEMORY:
      throw ApusError(.resources, "no memory to decode a JPEG (libjpeg: \(message))")
    default:
      throw .broken(.jpeg, "libjpeg: \(message)")
    }
  }
}
