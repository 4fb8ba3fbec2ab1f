import TensorCore

/// Decodes any bytes with small limits and forgets the outcome: the body of a fuzz target for both decoders,
/// the EXIF reader and the resize.
package func fuzzImageDecoders(_ bytes: UnsafeRawBufferPointer) {
  let limits = ImageLimits(pixels: 1 << 18, fileBytes: 1 << 20, scans: 16, chunkBytes: 1 << 16)
  let options = ImageOptions(transparency: .over(.white), grey16: .highByte)
  for option in [ImageOptions.standard, options] {
    guard let decoded = try? ImageDecoder.decode(bytes, limits: limits, options: option) else { continue }
    _ = try? PillowResize.resize(decoded.image, width: 7, height: 5, filter: .bicubic)
  }
}
