import Apus
import CApus
import CLibrary

extension apus_image {
  /// The picture.
  /// - Throws: ``ApusError`` of kind `argument` for a kind, a size or an address that cannot be.
  func picture() throws(ApusError) -> Picture {
    guard let data else { throw Arguments.missing("a picture's data") }
    switch kind {
    case Int32(bitPattern: APUS_IMAGE_PATH.rawValue): return .file(FileName.text(try bytes(data)))
    case Int32(bitPattern: APUS_IMAGE_ENCODED.rawValue):
      guard length >= 0 else { throw ApusError(.argument, "a length of \(length)", expected: "0 or more") }
      return .encoded([UInt8](try bytes(data)))
    case Int32(bitPattern: APUS_IMAGE_RGB.rawValue): return .pixels(try pixels(data, channels: 3))
    case Int32(bitPattern: APUS_IMAGE_RGBA.rawValue): return .pixels(try pixels(data, channels: 4))
    case Int32(bitPattern: APUS_IMAGE_GREY.rawValue): return .pixels(try pixels(data, channels: 1))
    default: throw ApusError(.argument, "a picture of kind \(kind)", expected: "an apus_image_kind")
    }
  }

  private func bytes(_ data: UnsafeRawPointer) throws(ApusError) -> UnsafeRawBufferPointer {
    guard length >= -1 else {
      throw ApusError(.argument, "a length of \(length)", expected: "-1 or more")
    }
    let count = length < 0 ? strlen(data.assumingMemoryBound(to: CChar.self)) : Int(length)
    return UnsafeRawBufferPointer(start: data, count: count)
  }

  private func pixels(_ data: UnsafeRawPointer, channels: Int) throws(ApusError) -> RGBImage {
    let most: Int64 = 1 << 24
    guard (1...most).contains(width), (1...most).contains(height), width * height <= 1 << 32 else {
      throw ApusError(.argument, "\(width) × \(height) pixels", expected: "1 × 1 or more, and at most 2³²")
    }
    let row = Int(width) * channels
    let stride = row_stride == 0 ? Int64(row) : row_stride
    guard stride >= Int64(row), stride <= Int64(Int.max) / height else {
      throw ApusError(
        .argument, "rows \(row_stride) bytes apart", expected: "\(row) or more, or 0",
        at: "a picture of \(width) × \(height) pixels")
    }
    let (width, height) = (Int(width), Int(height))
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 3) { pixels, count in
      for y in 0..<height {
        let from = (data + y * Int(stride)).assumingMemoryBound(to: UInt8.self)
        let to = pixels.baseAddress.map { $0 + y * width * 3 }
        guard let to else { continue }
        if channels == 3 {
          to.initialize(from: from, count: row)
        } else {
          let next = channels == 4 ? 1 : 0
          for x in 0..<width {
            (to + x * 3).initialize(to: from[x * channels])
            (to + x * 3 + 1).initialize(to: from[x * channels + next])
            (to + x * 3 + 2).initialize(to: from[x * channels + 2 * next])
          }
        }
      }
      count = width * height * 3
    }
    return try RGBImage(width: width, height: height, pixels: pixels)
  }
}
