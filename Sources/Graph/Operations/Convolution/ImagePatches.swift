import TensorCore

/// The windows of images as rows of a matrix for each group of channels: their product with filters is a convolution.
///
/// Operands: images [N, H, W, C] in elements of one byte, and the one element that stands around them. Result
/// [N, G, P, T · C / G] of P windows with T taps: the row of a window has its taps one after another, each with the channels
/// of the group.
package struct ImagePatches: Operation {
  package let filterHeight: Int
  package let filterWidth: Int
  package let groups: Int
  /// How windows lie over the images; the activation plays no part.
  package let attributes: ConvolutionAttributes
  package var name: String { "imagePatches" }

  package init(filterHeight: Int, filterWidth: Int, groups: Int, _ attributes: ConvolutionAttributes) {
    self.filterHeight = filterHeight
    self.filterWidth = filterWidth
    self.groups = groups
    self.attributes = attributes
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let images = try operands.input(0, "the images", of: [.int8, .uint8], rank: 4)
    try operands.requireSameType([0, 1])
    let around = try operands.input(1).shape
    guard around.elementCount == 1 else {
      throw ApusError(.malformedModel, "an element of shape \(around)", expected: "one element")
    }
    return [try TensorType(images.dataType, ImageWindows(self, images.shape).shape).limited()]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let windows = try ImageWindows(self, context.operands.input(0).shape)
    let grain = max(1, (1 << 16) / max(1, windows.rowBytes))
    return Lowering("image patches") { arguments in
      guard let source = arguments.input(0, as: UInt8.self).baseAddress,
        let target = arguments.output(0, as: UInt8.self).baseAddress
      else { return }
      let around = arguments.input(1, as: UInt8.self)[0]
      arguments.parallel(windows.rows, grain: grain) { range in
        for row in range { windows.gather(row, from: source, around: around, to: target) }
      }
    }
  }
}

/// Where the bytes of windows lie in images.
private struct ImageWindows: Sendable {
  private let batch: Int
  private let channels: Int
  private let groups: Int
  private let vertical: SpatialWindow
  private let horizontal: SpatialWindow

  init(_ patches: ImagePatches, _ images: Shape) throws(ApusError) {
    (batch, channels, groups) = (images[0], images[3], patches.groups)
    guard groups > 0, channels % groups == 0 else {
      throw ApusError(
        .malformedModel, "\(groups) groups of \(channels) channels", expected: "a divisor of the channels")
    }
    let attributes = patches.attributes
    vertical = try SpatialWindow(
      inputSize: images[1], filterSize: patches.filterHeight, stride: attributes.strideY,
      dilation: attributes.dilationY, padding: attributes.padding, axis: .height)
    horizontal = try SpatialWindow(
      inputSize: images[2], filterSize: patches.filterWidth, stride: attributes.strideX,
      dilation: attributes.dilationX, padding: attributes.padding, axis: .width)
  }

  var shape: Shape {
    get throws(ApusError) {
      let windows = [vertical.outputSize, horizontal.outputSize].saturatingProduct
      let depth = [vertical.filterSize, horizontal.filterSize, channels / groups].saturatingProduct
      return try Shape([batch, groups, windows, depth])
    }
  }

  private var depth: Int { vertical.filterSize * horizontal.filterSize * (channels / groups) }

  /// Rows of windows: of all groups of all images.
  var rows: Int { batch * groups * vertical.outputSize }

  /// Bytes of a row of windows.
  var rowBytes: Int { horizontal.outputSize * depth }

  /// - Parameter row: of all rows of windows, which are in the order of the result.
  func gather(
    _ row: Int, from source: UnsafePointer<UInt8>, around: UInt8, to target: UnsafeMutablePointer<UInt8>
  ) {
    let (plane, y) = row.quotientAndRemainder(dividingBy: vertical.outputSize)
    let (image, group) = plane.quotientAndRemainder(dividingBy: groups)
    let size = channels / groups
    let start = source + image * vertical.inputSize * horizontal.inputSize * channels + group * size
    let rows = vertical.taps(y)
    var place = target + row * rowBytes
    let lineBytes = horizontal.filterSize * size
    for x in 0..<horizontal.outputSize {
      let columns = horizontal.taps(x)
      for tap in 0..<vertical.filterSize {
        defer { place += lineBytes }
        guard rows.contains(tap), !columns.isEmpty else {
          place.update(repeating: around, count: lineBytes)
          continue
        }
        let line = start + vertical.position(y, tap: tap) * horizontal.inputSize * channels
        place.update(repeating: around, count: columns.lowerBound * size)
        for column in columns {
          (place + column * size).update(
            from: line + horizontal.position(x, tap: column) * channels, count: size)
        }
        let end = columns.upperBound * size
        (place + end).update(repeating: around, count: lineBytes - end)
      }
    }
  }
}
