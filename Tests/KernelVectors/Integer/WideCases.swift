import CIntrinsics

/// Products and depthwise convolutions of int16.
func wideCases(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  forEachProduct(elements: 2) { rows, columns, groups in
    wideProduct(results, kernels, rows: rows, columns: columns, groups: groups)
  }
  // Sums of more than one block of depth.
  for groups in [255, 256, 511] { wideProduct(results, kernels, rows: 15, columns: 9, groups: groups) }
  wideDepthwise(results, kernels)
}

private func wideProduct(
  _ results: KernelResults, _ kernels: ApusIntegerKernels, rows: Int, columns: Int, groups: Int
) {
  let panels = Panels(columns: columns, depth: 2 * groups, elements: 2, tableBytes: wideScalingTableBytes)
  panels.forEach { header, _, width in
    for index in 0..<2 * width * groups {
      let weight = Int16(truncatingIfNeeded: results.random.integer(-128...127))
      header.storeBytes(of: weight, toByteOffset: 4 * width + 2 * index, as: Int16.self)
    }
    for vector in 0..<width / lanes {
      writeScaling(header + 4 * width * (1 + groups) + vector * wideScalingTableBytes, &results.random)
    }
  }
  let stride = 4 * groups + 2
  let a = Block.bytes(rows * stride, &results.random)
  let c = Block(byteCount: 2 * rows * (columns + 1))
  var gemm = ApusGemm(
    a: a.address, aStride: stride, panels: panels.block.address, panelStride: panels.stride, c: c.base,
    cStride: 2 * (columns + 1), rows: rows, columns: columns, depth: groups, residual: nil, residualStride: 0,
    low: 0, high: 0, rowSums: nil, rowScales: nil, scalesColumnsFirst: 0, lowQuantum: -32768,
    highQuantum: 32000, isSigned: 1, activation: APUS_IDENTITY)
  kernels.gemm16(&gemm)
  results.record("int16 gemm", c, .exact, (rows, columns, groups))
}

private func wideDepthwise(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  forEachDepthwise { shape in
    let taps = shape.kernel * shape.kernel
    let blockBytes = taps * vectorBytes + wideScalingTableBytes
    let blocks = (shape.channels + lanes - 1) / lanes
    let weights = Block(byteCount: blocks * blockBytes)
    for block in 0..<blocks {
      let target = weights.base + block * blockBytes
      for index in 0..<taps * lanes {
        let weight = Int32(results.random.integer(-128...127)) & 0xffff
        target.storeBytes(of: weight, toByteOffset: 4 * index, as: Int32.self)
      }
      writeScaling(target + taps * vectorBytes, &results.random)
    }
    let input = Block.bytes(2 * shape.height * shape.width * shape.channels + 64, &results.random)
    let padding = Block.bytes(2 * shape.channels + 64, &results.random)
    let output = Block(byteCount: 2 * shape.outputHeight * shape.outputWidth * shape.channels)
    var depthwise = shape.arguments(input, padding, weights, output)
    (depthwise.lowQuantum, depthwise.highQuantum) = (-32000, 32767)
    kernels.depthwise16(&depthwise)
    results.record("int16 depthwise", output, .exact, (shape.kernel, shape.stride, shape.channels))
  }
}

/// Factors of 16 and of 31 bits, any addends, and shifts that leave about 16 bits, or a few.
private func writeScaling(_ table: UnsafeMutableRawPointer, _ random: inout Random) {
  for lane in 0..<lanes {
    let isNarrow = lane % 2 == 0
    let factor = isNarrow ? random.integer(0x4000...0x7fff) : random.integer(0x4000_0000...0x7fff_ffff)
    let shift = random.integer(isNarrow ? 15...46 : 31...62)
    for (part, number) in [factor, random.integer(-1 << 30...1 << 30) << 12, shift].enumerated() {
      table.storeBytes(of: Int64(number), toByteOffset: 8 * (part * lanes + lane), as: Int64.self)
    }
  }
}
