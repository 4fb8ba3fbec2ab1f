import Images

extension Fuzzing {
  /// Decodes bytes with small limits, resizes what they give, and reads them as a file's metadata and as EXIF data.
  package static func pictures(_ bytes: [UInt8]) {
    metadata(bytes)
    let limits = ImageLimits(pixels: 1 << 18, fileBytes: 1 << 20, scans: 16, chunkBytes: 1 << 16)
    let options = ImageOptions(transparency: .over(.white), grey16: .highByte)
    for option in [ImageOptions.standard, options] {
      let decoded = bytes.withUnsafeBytes { try? ImageDecoder.decode($0, limits: limits, options: option) }
      guard let decoded else { continue }
      _ = try? PillowResize.resize(decoded.image, width: 7, height: 5, filter: .bicubic)
    }
  }

  /// Reads bytes as a file's metadata, as the EXIF data of one, and as a raw photograph.
  package static func metadata(_ bytes: [UInt8]) {
    for file in [bytes, jpeg(exif: bytes)] {
      guard let metadata = try? PictureMetadata(of: file) else { continue }
      _ = (metadata.camera, metadata.taken?.secondsSince1970())
    }
    _ = try? RawPicture(in: bytes)
  }

  /// The headers of a JPEG of 3×2 grey pixels with EXIF data, in as many segments as it takes.
  package static func jpeg(exif: [UInt8]) -> [UInt8] {
    let segments = stride(from: 0, to: exif.count, by: 65_000).flatMap { start -> [UInt8] in
      let content = Array("Exif\0\0".utf8) + exif[start..<min(start + 65_000, exif.count)]
      return [0xFF, 0xE1, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }
    let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0]
    return [0xFF, 0xD8] + segments + frame + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
  }
}
