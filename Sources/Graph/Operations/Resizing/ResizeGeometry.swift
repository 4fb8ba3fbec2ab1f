import TensorCore

/// What the two kinds of resizing agree on: which pixels of an NHWC picture a new size asks for.
struct ResizeGeometry: Sendable {
  let batch: Int
  let inputHeight: Int
  let inputWidth: Int
  let height: Int
  let width: Int
  let depth: Int
  /// Whether the corner pixels of both pictures lie on each other.
  let alignCorners: Bool
  /// Whether pixels are sampled at their middle.
  let halfPixelCenters: Bool

  /// - Throws: ``ApusError`` when operand 0 is not a picture with pixels, operand 1 not a size, or a side is
  ///   so long that float32 could not number its pixels.
  init(_ operands: Operands, alignCorners: Bool, halfPixelCenters: Bool) throws(ApusError) {
    try operands.requireCount(2...2)
    let shape = try operands.input(0, rank: 4).shape
    let size = try operands.requireIntegers(1, "the size", count: 2)
    let sides = 1...Self.maximumSide
    guard [shape[1], shape[2], size[0], size[1]].allSatisfy(sides.contains) else {
      throw ApusError(
        .malformedModel, "shape \(shape) resized to \(size)", expected: "sides of 1 to \(sides.upperBound)")
    }
    batch = shape[0]
    inputHeight = shape[1]
    inputWidth = shape[2]
    height = size[0]
    width = size[1]
    depth = shape[3]
    self.alignCorners = alignCorners
    self.halfPixelCenters = halfPixelCenters
  }

  /// float32 holds integers up to this exactly.
  private static let maximumSide = 1 << 24

  func resultShape() throws(ApusError) -> Shape { try Shape([batch, height, width, depth]) }

  /// Calls `body` for every row of the result, on several threads when there are many pixels.
  func forEachRow(_ arguments: borrowing KernelArguments, _ body: (_ batch: Int, _ y: Int) -> Void) {
    arguments.parallel(batch * height, grain: max(1, (1 << 14) / max(width * depth, 1))) { rows in
      for row in rows { body(row / height, row % height) }
    }
  }
}
