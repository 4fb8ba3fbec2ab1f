/// Grey samples of 16 bits as Pillow makes 8 of them.
enum Grey16 {
  static let note = "16-bit grey clipped to 255, as Pillow does"

  /// min(value, 255) of the sample with these bytes.
  static func clipped(high: UInt8, low: UInt8) -> UInt8 { high == 0 ? low : 255 }
}
