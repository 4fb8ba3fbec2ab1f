import TensorCore

/// A tensor seen as rows along its last axis.
struct LastAxis: Sendable {
  let rows: Int
  let length: Int

  /// - Throws: ``ApusError`` for a scalar, which has no axis.
  init(_ shape: Shape) throws(ApusError) {
    guard let length = shape.dimensions.last else {
      throw ApusError(.malformedModel, "a scalar", expected: "a tensor with at least one axis")
    }
    self.length = length
    rows = length == 0 ? 0 : shape.elementCount / length
  }
}

extension KernelArguments {
  /// Calls `body` with each row of operand 0 and the same row of the result.
  @inline(__always)
  func forEachRow<Operand: BitwiseCopyable, Result: BitwiseCopyable>(
    _ layout: LastAxis,
    _ body: (UnsafeBufferPointer<Operand>, UnsafeMutableBufferPointer<Result>) -> Void
  ) {
    let operand = input(0, as: Operand.self)
    let result = output(0, as: Result.self)
    parallel(layout.rows, grain: max(1, 4096 / max(layout.length, 1))) { rows in
      for row in rows {
        let range = row * layout.length..<(row + 1) * layout.length
        body(
          UnsafeBufferPointer(rebasing: operand[range]), UnsafeMutableBufferPointer(rebasing: result[range]))
      }
    }
  }
}
