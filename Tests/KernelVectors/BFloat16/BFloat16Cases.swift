import CIntrinsics

/// Every kernel of the bfloat16 family. A processor's products round their sums otherwise than float32's: once for several
/// of them, and not to the nearest.
func bfloat16Cases(_ results: KernelResults) {
  let kernels = kernelTable(writeBFloat16Kernels)
  results.random = Random(seed: 1)
  bfloat16Products(results, kernels)
  roundingCases(results, kernels)
  // A weight that is rounded to the other side is 2⁻⁸ of itself away.
  attentionCases(
    results, kernels.attention, kernels.attentionScratchByteCount, named: "bfloat16 attention",
    .within(0x1p-8))
}

private func bfloat16Products(_ results: KernelResults, _ kernels: ApusBFloat16Kernels) {
  forEachProduct(elements: 2) { rows, columns, depth in
    let panels = Panels(columns: columns, depth: depth, elements: 2)
    panels.pack(
      kernels.pack, Block.floats(columns * depth, &results.random), ApusStoredFloat32, depth: depth,
      scale: 0.75)
    results.record("bfloat16 pack", panels.block, .exact, (columns, depth, 0))
    let stride = (panels.groups + 1) * 4
    let a = Block(byteCount: rows * stride)
    for index in 0..<a.byteCount / 2 {
      a.pointer(UInt16.self)[index] = UInt16(truncatingIfNeeded: results.random.float().bitPattern >> 16)
    }
    let c = Block(byteCount: rows * 4 * (columns + 2))
    var gemm = ApusGemm(
      a: a.address, aStride: stride, panels: panels.block.address, panelStride: panels.stride, c: c.base,
      cStride: 4 * (columns + 2), rows: rows, columns: columns, depth: panels.groups, residual: nil,
      residualStride: 0, low: -.infinity, high: 2, rowSums: nil, rowScales: nil, scalesColumnsFirst: 0,
      lowQuantum: 0, highQuantum: 0, isSigned: 0, activation: APUS_IDENTITY)
    kernels.gemm(&gemm)
    // Operands are 1 at most: each addition errs by 2⁻²³ of a sum that is no greater than the depth.
    results.record("bfloat16 gemm", c, .within(Float(depth) * 0x1p-22), (rows, columns, depth))
  }
}

private func roundingCases(_ results: KernelResults, _ kernels: ApusBFloat16Kernels) {
  for depth in Array(1...19) + [64, 65] {
    let source = Block.floats(3 * depth, &results.random, times: 1e20)
    source.pointer(UInt32.self)[0] = 0x3f80_8000
    source.pointer(UInt32.self)[2 * depth] = 0x7f80_0001
    let width = (depth + 2 * lanes - 1) / (2 * lanes) * 2 * lanes
    let target = Block(byteCount: 3 * 2 * width)
    var staging = ApusRowStaging(
      source: source.address, sourceStride: 4 * depth, target: target.base, targetStride: 2 * width, rows: 3,
      depth: depth, scales: nil, zeroPoints: nil, isSigned: 0)
    kernels.roundRows(&staging)
    results.record("bfloat16 rounding", target, .exact, (depth, 0, 0))
  }
}
