import TensorCore

/// Moves blocks of channels into the plane: [n, h, w, b²·c] becomes [n, h·b, w·b, c].
package struct DepthToSpace: Operation {
  package let blockSize: Int
  package var name: String { "depthToSpace" }

  package init(blockSize: Int) { self.blockSize = blockSize }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let shape = try operands.input(0, rank: 4).shape
    // The bound keeps the square and the products from overflowing.
    guard (1...(1 << 15)).contains(blockSize), shape[3] % (blockSize * blockSize) == 0 else {
      throw ApusError(
        .malformedModel, "\(shape[3]) channels for blocks of \(blockSize) × \(blockSize)",
        expected: "a multiple of that many channels")
    }
    return [
      try operands.result(
        Shape([
          shape[0], shape[1].times(blockSize), shape[2].times(blockSize), shape[3] / (blockSize * blockSize),
        ]), like: 0)
    ]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let shape = try context.operands.input(0).shape
    let depth = context.results[0].shape[3]
    let s = shape.strides
    let b = blockSize
    return try .copy(
      StridedCopy(
        dense: [shape[0], shape[1], b, shape[2], b, depth], source: [s[0], s[1], b * depth, s[2], depth, 1]),
      context)
  }
}

/// Moves blocks of the plane into the channels: [n, h·b, w·b, c] becomes [n, h, w, b²·c].
package struct SpaceToDepth: Operation {
  package let blockSize: Int
  package var name: String { "spaceToDepth" }

  package init(blockSize: Int) { self.blockSize = blockSize }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let shape = try operands.input(0, rank: 4).shape
    let b = blockSize
    guard (1...(1 << 15)).contains(b), shape[1] % b == 0, shape[2] % b == 0 else {
      throw ApusError(
        .malformedModel, "blocks of \(b) in shape \(shape)", expected: "a height and width that are multiples"
      )
    }
    return [
      try operands.result(Shape([shape[0], shape[1] / b, shape[2] / b, shape[3].times(b * b)]), like: 0)
    ]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let shape = try context.operands.input(0).shape
    let result = context.results[0].shape
    let s = shape.strides
    let b = blockSize
    return try .copy(
      StridedCopy(
        dense: [shape[0], result[1], result[2], b, b, shape[3]],
        source: [s[0], s[1].times(b), s[2].times(b), s[1], s[2], 1]),
      context)
  }
}

extension Int {
  /// The product, or the greatest number when that overflows, which no shape accepts.
  func times(_ other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}
