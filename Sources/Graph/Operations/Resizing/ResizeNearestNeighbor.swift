import TensorCore

/// The NHWC picture in operand 0 at the height and width in operand 1, each pixel copied from the one that
/// TFLite's reference kernel picks, in float32: `floor((i + o)·s)`, where s is the ratio of the sizes and o is
/// 0.5 with half-pixel centres, else 0; rounded instead when corners are aligned.
package struct ResizeNearestNeighbor: Operation {
  package let alignCorners: Bool
  package let halfPixelCenters: Bool
  package var name: String { "resizeNearestNeighbor" }

  package init(alignCorners: Bool = false, halfPixelCenters: Bool = false) {
    self.alignCorners = alignCorners
    self.halfPixelCenters = halfPixelCenters
  }

  private func geometry(_ operands: Operands) throws(ApusError) -> ResizeGeometry {
    try ResizeGeometry(operands, alignCorners: alignCorners, halfPixelCenters: halfPixelCenters)
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    [try operands.result(geometry(operands).resultShape(), like: 0).limited()]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = context.results[0]
    return Lowering(
      "resize nearest", moving: type.dataType, NearestKernel(geometry: try geometry(context.operands)))
  }
}

private struct NearestKernel: WordKernel {
  let geometry: ResizeGeometry

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    guard let source = arguments.input(0, as: Word.self).baseAddress,
      let target = arguments.output(0, as: Word.self).baseAddress
    else { return }
    let g = geometry
    let xScale = scale(g.inputWidth, g.width)
    let yScale = scale(g.inputHeight, g.height)
    g.forEachRow(arguments) { batch, y in
      let from = source + (batch * g.inputHeight + nearest(y, yScale, g.inputHeight)) * g.inputWidth * g.depth
      let to = target + (batch * g.height + y) * g.width * g.depth
      for x in 0..<g.width {
        (to + x * g.depth).update(from: from + nearest(x, xScale, g.inputWidth) * g.depth, count: g.depth)
      }
    }
  }

  private func scale(_ input: Int, _ output: Int) -> Float {
    geometry.alignCorners && output > 1
      ? Float(input - 1) / Float(output - 1) : Float(input) / Float(output)
  }

  @inline(__always)
  private func nearest(_ index: Int, _ scale: Float, _ extent: Int) -> Int {
    let position = (Float(index) + (geometry.halfPixelCenters ? 0.5 : 0)) * scale
    let picked = position.rounded(geometry.alignCorners ? .toNearestOrAwayFromZero : .down)
    return max(0, min(Int(picked), extent - 1))
  }
}
