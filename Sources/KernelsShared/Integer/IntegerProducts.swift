import CIntrinsics

/// 8-bit A and B, 8-bit result.
@inline(never)
func gemmInteger8(_ arguments: UnsafePointer<ApusGemm>) {
  let arguments = arguments.pointee
  switch (arguments.isSigned != 0, arguments.tiesAway != 0) {
  case (true, true): gemm(Signed8Product.self, arguments, requantizingEpilogue(TiesAway.self))
  case (true, false): gemm(Signed8Product.self, arguments, requantizingEpilogue(TiesUp.self))
  case (false, true): gemm(Unsigned8Product.self, arguments, requantizingEpilogue(TiesAway.self))
  case (false, false): gemm(Unsigned8Product.self, arguments, requantizingEpilogue(TiesUp.self))
  }
}

/// 8-bit A with a scale for each row, float32 result.
@inline(never)
func gemmInteger8ToFloat32(_ arguments: UnsafePointer<ApusGemm>) {
  let arguments = arguments.pointee
  if arguments.isSigned != 0 {
    gemm(Signed8Product.self, arguments, scalingEpilogue)
  } else {
    gemm(Unsigned8Product.self, arguments, scalingEpilogue)
  }
}

@inline(__always)
private func requantizingEpilogue<T: Ties>(_: T.Type) -> (ApusGemm, Int, Int) -> RequantizingEpilogue<T> {
  { g, row, column in
    RequantizingEpilogue<T>(
      result: g.c + (row &* g.cStride &+ column), resultStride: g.cStride,
      rowSums: g.rowSums.map { $0 + row },
      low: Int32Vector(repeating: g.lowQuantum), high: Int32Vector(repeating: g.highQuantum),
      columnCount: g.columns &- column)
  }
}

@inline(__always)
private func scalingEpilogue(_ g: ApusGemm, row: Int, column: Int) -> ScalingEpilogue {
  // The caller of this epilogue always gives scales.
  let scales = g.rowScales.unsafelyUnwrapped
  return ScalingEpilogue(
    result: g.c + (row &* g.cStride &+ column &* 4), resultStride: g.cStride,
    rowZeroPoints: g.rowSums.map { $0 + row }, rowScales: scales + row,
    columnsFirst: g.scalesColumnsFirst != 0,
    residual: g.residual.map { UnsafeRawPointer($0) + (row &* g.residualStride &+ column &* 4) },
    residualStride: g.residualStride, low: FloatVector(repeating: g.low),
    high: FloatVector(repeating: g.high), columnCount: g.columns &- column)
}
