/// Pixels of four inks.
enum CMYK {
  /// Converts a row of four channels to RGB with Pillow's rule: paper white less the black ink, less the share of
  /// each ink in what is left, each product divided by 255 and rounded.
  /// - Parameter isInverted: whether 255 stands for no ink, as Adobe programs write it into JPEG.
  static func convert(
    _ row: UnsafePointer<UInt8>, count: Int, isInverted: Bool, into target: UnsafeMutablePointer<UInt8>
  ) {
    let inversion: UInt8 = isInverted ? 0xFF : 0
    for pixel in 0..<count {
      let light = Int(255 - (row[pixel * 4 + 3] ^ inversion))
      for channel in 0..<3 {
        let ink = Int(row[pixel * 4 + channel] ^ inversion)
        let product = ink * light + 128
        let covered = ((product >> 8) + product) >> 8
        target[pixel * 3 + channel] = UInt8(clamping: light - covered)
      }
    }
  }
}
