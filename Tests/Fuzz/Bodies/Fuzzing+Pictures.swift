import Images

extension Fuzzing {
  /// Decodes bytes with small limits: both decoders, the EXIF reader and the resize.
  package static func pictures(_ bytes: [UInt8]) {
    let limits = ImageLimits(pixels: 1 << 18, fileBytes: 1 << 20, scans: 16, chunkBytes: 1 << 16)
    let options = ImageOptions(transparency: .over(.white), grey16: .highByte)
    for option in [ImageOptions.standard, options] {
      let decoded = bytes.withUnsafeBytes { try? ImageDecoder.decode($0, limits: limits, options: option) }
      guard let decoded else { continue }
      _ = try? PillowResize.resize(decoded.image, width: 7, height: 5, filter: .bicubic)
    }
  }
}
