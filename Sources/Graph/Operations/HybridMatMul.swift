import TensorCore

/// The product of float32 and quantized int8 matrices: each row of the first is brought to int8 with a scale
/// of its own, and the integer sums are scaled back.
struct HybridMatMul: Sendable {
  /// One scale, or one for each column of the result.
  private let scales: [Float]
  private let isAsymmetric: Bool

  init(
    _ b: TensorType, _ layout: MatrixLayout, transposeB: Bool, isAsymmetric: Bool
  ) throws(ApusError) {
    guard let quantization = b.quantization, quantization.zeroPoints.allSatisfy({ $0 == 0 }) else {
      throw ApusError(
        .unsupportedModel, "int8 input 1 without scale, or with a zero point", expected: "zero point 0")
    }
    let columnAxis = b.shape.rank - (transposeB ? 2 : 1)
    if quantization.isPerChannel {
      guard let axis = quantization.axis, try b.shape.axis(axis) == columnAxis,
        quantization.scales.count == layout.columns
      else {
        throw ApusError(
          .unsupportedModel,
          "\(quantization.scales.count) scales of input 1, along axis \(quantization.axis ?? 0)",
          expected: "one for each of the \(layout.columns) columns of the result")
      }
    }
    scales = quantization.scales
    self.isAsymmetric = isAsymmetric
  }

  func body(_ layout: MatrixLayout) -> Lowering.Body {
    let hybrid = self
    return { arguments in
      let (a, b) = (arguments.input(0, as: Float.self), arguments.input(1, as: Int8.self))
      let result = arguments.output(0, as: Float.self)
      let row = UnsafeMutableBufferPointer(
        start: arguments.scratch.bindMemory(to: Int8.self, capacity: layout.depth), count: layout.depth)
      for matrix in 0..<layout.matrices {
        let origins = layout.origins(ofMatrix: matrix)
        for index in 0..<layout.rows {
          let origin = origins.a + index * layout.aSteps.row
          let quantizer = RowQuantizer(
            a, origin, layout.aSteps.depth, layout.depth, isAsymmetric: hybrid.isAsymmetric)
          for k in 0..<layout.depth { row[k] = quantizer(a[origin + k * layout.aSteps.depth]) }
          hybrid.multiply(
            row, quantizer, b, origins.b, layout, result, (matrix * layout.rows + index) * layout.columns)
        }
      }
    }
  }

  @inline(__always)
  private func multiply(
    _ row: UnsafeMutableBufferPointer<Int8>, _ quantizer: RowQuantizer, _ b: UnsafeBufferPointer<Int8>,
    _ origin: Int, _ layout: MatrixLayout, _ result: UnsafeMutableBufferPointer<Float>, _ start: Int
  ) {
    for column in 0..<layout.columns {
      var sum: Int32 = 0
      var columnSum: Int32 = 0
      for k in 0..<layout.depth {
        let right = Int32(b[origin + column * layout.bSteps.column + k * layout.bSteps.depth])
        sum &+= Int32(row[k]) &* right
        columnSum &+= right
      }
      let total = sum &- columnSum &* quantizer.zeroPoint
      let scale = scales.count == 1 ? quantizer.scale * scales[0] : quantizer.scale * scales[column]
      result[start + column] = scale * Float(total)
    }
  }
}
