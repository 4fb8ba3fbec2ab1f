/// CMYK as Adobe programs write it into JPEG, 255 for no ink.
enum InvertedCMYK {
  /// Converts a row of four channels to RGB with Pillow's rule for CMYK: paper white less the black ink,
  /// less the share of each ink in what is left, each product divided by 255 and rounded.
  static func convert(_ row: [UInt8], into target: UnsafeMutablePointer<UInt8>) {
    for pixel in 0..<(row.count / 4) {
      let light = Int(row[pixel * 4 + 3])
      for channel in 0..<3 {
        let ink = 255 - Int(row[pixel * 4 + channel])
        let product = ink * light + 128
        let covered = ((product >> 8) + product) >> 8
        target[pixel * 3 + channel] = UInt8(clamping: light - covered)
      }
    }
  }
}
