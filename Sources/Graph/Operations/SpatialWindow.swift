import TensorCore

/// What stands around an image while a window slides over it.
package enum Padding: Hashable, Sendable {
  /// As many zeros as make the result `ceil(input / stride)` wide; the odd one goes after.
  case same
  /// None: only windows that lie wholly in the image.
  case valid
  /// Rows and columns stated one by one.
  case explicit(top: Int, bottom: Int, left: Int, right: Int)
}

/// How a filter's taps lie over one axis of an image: the size of the result, and the padding.
///
/// Tap `t` of output position `o` reads input position `o × stride − padBefore + t × dilation`. The sizes
/// follow TFLite's `ComputeOutSize` and `ComputePaddingWithOffset`.
package struct SpatialWindow: Hashable, Sendable {
  package enum Axis: String, Sendable { case height, width }

  package let inputSize: Int
  package let filterSize: Int
  package let stride: Int
  package let dilation: Int
  package let outputSize: Int
  package let padBefore: Int
  package let padAfter: Int

  /// Filters, strides, dilations and explicit padding over this are refused, so that no position overflows.
  private static let limit = 1 << 31

  /// - Throws: ``ApusError`` when the filter, stride or dilation is not positive, the padding is negative,
  ///   or the dilated filter does not fit into the padded image.
  package init(
    inputSize: Int, filterSize: Int, stride: Int = 1, dilation: Int = 1, padding: Padding, axis: Axis
  ) throws(ApusError) {
    for (what, size) in [("filter", filterSize), ("stride", stride), ("dilation", dilation)]
    where size < 1 || size >= Self.limit {
      throw ApusError(.malformedModel, "\(what) \(axis.rawValue) \(size)", expected: "a positive number")
    }
    let extent = (filterSize - 1) * dilation + 1
    let pads: (before: Int, after: Int)
    let outputSize: Int
    switch padding {
    case .same:
      outputSize = (inputSize + stride - 1) / stride
      let total = max(0, (outputSize - 1) * stride + extent - inputSize)
      pads = (total / 2, total - total / 2)
    case .valid:
      pads = (0, 0)
      outputSize = try Self.fitted(inputSize, extent, stride, axis)
    case .explicit(let top, let bottom, let left, let right):
      pads = axis == .height ? (top, bottom) : (left, right)
      guard (0..<Self.limit).contains(pads.before), (0..<Self.limit).contains(pads.after) else {
        throw ApusError(
          .malformedModel, "padding \(pads) along the \(axis.rawValue)", expected: "no negative number")
      }
      outputSize = try Self.fitted(inputSize + pads.before + pads.after, extent, stride, axis)
    }
    self.inputSize = inputSize
    self.filterSize = filterSize
    self.stride = stride
    self.dilation = dilation
    self.outputSize = outputSize
    self.padBefore = pads.before
    self.padAfter = pads.after
  }

  /// The positions at which a filter of `extent` lies wholly in `size`.
  private static func fitted(_ size: Int, _ extent: Int, _ stride: Int, _ axis: Axis) throws(ApusError) -> Int
  {
    guard extent <= size else {
      throw ApusError(
        .malformedModel, "a filter of \(axis.rawValue) \(extent) over an image of \(axis.rawValue) \(size)",
        expected: "a filter that fits into the padded image")
    }
    return (size - extent) / stride + 1
  }

  /// The taps of output position `output` that fall on the image rather than on padding; empty when none
  /// does.
  @inline(__always)
  package func taps(_ output: Int) -> Range<Int> {
    let origin = output &* stride &- padBefore
    let first = origin >= 0 ? 0 : (dilation &- 1 &- origin) / dilation
    let rest = inputSize &- origin
    let end = rest <= 0 ? 0 : min(filterSize, (rest &+ dilation &- 1) / dilation)
    return first < end ? first..<end : 0..<0
  }

  /// The input position that tap `tap` of output position `output` reads; outside the image for padding.
  @inline(__always)
  package func position(_ output: Int, tap: Int) -> Int {
    output &* stride &- padBefore &+ tap &* dilation
  }
}
