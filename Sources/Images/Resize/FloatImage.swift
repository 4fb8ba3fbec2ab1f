/// A picture of 32-bit floats on the scale 0…255, laid out like ``RGBImage``.
public struct FloatImage: Sendable, Equatable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// `width × height × 3` values.
  public let pixels: [Float]
}
