import CIntrinsics

/// 8-bit A and B, 8-bit result.
@inline(never)
func gemmInteger8(_ arguments: UnsafePointer<ApusGemm>) {
  let arguments = arguments.pointee
  #if WIDENS_BYTES
    gemmRequantizing(WidenedProduct.self, arguments)
  #else
    if arguments.isSigned != 0 {
      gemmRequantizing(Signed8Product.self, arguments)
    } else {
      gemmRequantizing(Unsigned8Product.self, arguments)
    }
  #endif
}

/// Each panel with the requantization that its table holds.
@inline(__always)
private func gemmRequantizing<P: PanelProduct>(_: P.Type, _ g: ApusGemm) where P.Accumulator == Int32Vector {
  forEachPanel(g) { block in
    if isLine(block.panel + (1 &+ g.depth) &* block.vectors &* vectorBytes) {
      panelRows(P.self, g, block, requantizing(LineRequantizer.self))
    } else {
      panelRows(P.self, g, block, requantizing(CheckedLineRequantizer.self))
    }
  }
}

/// 8-bit A with a scale for each row, float32 result.
@inline(never)
func gemmInteger8ToFloat32(_ arguments: UnsafePointer<ApusGemm>) {
  let arguments = arguments.pointee
  #if WIDENS_BYTES
    gemm(WidenedProduct.self, arguments, scalingEpilogue)
  #else
    if arguments.isSigned != 0 {
      gemm(Signed8Product.self, arguments, scalingEpilogue)
    } else {
      gemm(Unsigned8Product.self, arguments, scalingEpilogue)
    }
  #endif
}

/// 8-bit A, int32 result.
@inline(never)
func gemmInteger8ToInteger32(_ arguments: UnsafePointer<ApusGemm>) {
  let arguments = arguments.pointee
  #if WIDENS_BYTES
    gemm(WidenedProduct.self, arguments, sumEpilogue)
  #else
    if arguments.isSigned != 0 {
      gemm(Signed8Product.self, arguments, sumEpilogue)
    } else {
      gemm(Unsigned8Product.self, arguments, sumEpilogue)
    }
  #endif
}

@inline(__always)
private func sumEpilogue(_ g: ApusGemm, row: Int, column: Int) -> SumEpilogue {
  SumEpilogue(
    result: g.c + (row &* g.cStride &+ column &* 4), resultStride: g.cStride, addsUp: g.residual != nil,
    columnCount: g.columns &- column)
}

@inline(__always)
private func requantizing<R: Requantizer>(
  _: R.Type
) -> (_ g: ApusGemm, _ row: Int, _ column: Int) -> RequantizingEpilogue<R> {
  { g, row, column in
    RequantizingEpilogue<R>(
      result: g.c + (row &* g.cStride &+ column), resultStride: g.cStride,
      rowSums: g.rowSums.map { $0 + row }, range: QuantumRange(low: g.lowQuantum, high: g.highQuantum),
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
