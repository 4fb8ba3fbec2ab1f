import TensorCore

/// Where the slices with a scale of their own lie in a tensor that is quantized per channel.
struct ChannelLayout: Sendable {
  let channels: Int
  /// Neighbouring elements of one slice.
  let inner: Int

  /// - Throws: ``ApusError`` when the axis is not one of the shape's, or its extent is not the number of
  ///   scales.
  init(_ quantization: Quantization, _ shape: Shape) throws(ApusError) {
    let axis = try shape.axis(quantization.axis ?? 0)
    guard shape[axis] == quantization.scales.count else {
      throw ApusError(
        .malformedModel, "\(quantization.scales.count) scales along axis \(axis) of shape \(shape)",
        expected: "\(shape[axis])")
    }
    channels = shape[axis]
    inner = shape.strides[axis]
  }

  /// The slice that an element belongs to.
  @inline(__always)
  func channel(ofRun run: Int) -> Int { run % channels }
}
