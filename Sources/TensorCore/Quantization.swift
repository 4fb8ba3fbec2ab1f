/// How integers stand for real numbers: `real = scale × (stored − zeroPoint)`, with one pair for the whole
/// tensor or one for each slice along ``axis``.
public struct Quantization: Hashable, Sendable {
  /// One positive, finite scale, or one for each slice.
  public let scales: [Float]
  /// As many zero points as scales.
  public let zeroPoints: [Int32]
  /// The axis whose slices have a scale each; nil when one scale serves all.
  public let axis: Int?

  /// - Throws: ``ApusError`` when there is no scale, the counts differ, or a scale is not a positive
  ///   finite number.
  public init(scales: [Float], zeroPoints: [Int32], axis: Int? = nil) throws(ApusError) {
    guard !scales.isEmpty, scales.count == zeroPoints.count else {
      throw ApusError(
        .malformedModel, "\(scales.count) quantization scales and \(zeroPoints.count) zero points",
        expected: "as many of one as of the other, at least one")
    }
    if let bad = scales.first(where: { !($0.isFinite && $0 > 0) }) {
      throw ApusError(.malformedModel, "quantization scale \(bad)", expected: "a positive finite number")
    }
    self.scales = scales
    self.zeroPoints = zeroPoints
    self.axis = scales.count == 1 ? nil : axis
  }

  /// The scale of a tensor that has just one.
  public var scale: Float { scales[0] }
  /// The zero point of a tensor that has just one.
  public var zeroPoint: Int32 { zeroPoints[0] }
  /// Whether there is more than one scale.
  public var isPerChannel: Bool { scales.count > 1 }
}
