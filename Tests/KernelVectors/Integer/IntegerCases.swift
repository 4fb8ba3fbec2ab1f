import CIntrinsics

/// Every kernel of the integer family, to the bit.
func integerCases(_ results: KernelResults) {
  let kernels = kernelTable(writeIntegerKernels)
  results.random = Random(seed: 1)
  requantizedProducts(results, kernels)
  scaledProducts(results, kernels)
  sums(results, kernels)
  packingCases(results, kernels)
  quantizationCases(results, kernels)
  wideningCases(results, kernels)
  sumCases(results, kernels)
  integerDepthwise(results, kernels)
  wideCases(results, kernels)
  additionCases(results, kernels)
  multiplicationCases(results, kernels)
  lookupCases(results, kernels)
  followedLineCases(results, kernels)
  poolingCases(results, kernels)
  lineCases(results, kernels)
  pictureCases(results, kernels)
}

/// 8-bit results, by fixed-point multiplications and by lines.
private func requantizedProducts(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  forEachProduct(elements: 4) { rows, columns, groups in
    let depth = 4 * groups - (columns % 3)
    let panels = Panels(columns: columns, depth: depth, elements: 4, tableBytes: requantizationTableBytes)
    panels.pack(kernels.pack, Block.bytes(columns * depth, &results.random), ApusStoredInteger8, depth: depth)
    let isLine = (rows + groups) % 2 == 0
    let isSigned = rows % 2 == 0
    panels.forEach { header, _, width in
      for lane in 0..<width {
        header.storeBytes(
          of: Int32(results.random.integer(-9999...9999)), toByteOffset: 4 * lane, as: Int32.self)
      }
      for vector in 0..<width / lanes {
        writeTable(
          header + 4 * width * (1 + groups) + vector * requantizationTableBytes, isLine: isLine,
          areSigned: isSigned, &results.random)
      }
    }
    let a = Block.bytes(rows * (depth + 5) + 3, &results.random)
    let sums = Block.integers(rows, -5000...5000, &results.random)
    let c = Block(byteCount: rows * (columns + 1))
    let operand = Rows(a, stride: depth + 5, rows, depth: depth, areSigned: isSigned, kernels)
    var gemm = ApusGemm(
      a: operand.block.address, aStride: operand.stride, panels: panels.block.address,
      panelStride: panels.stride,
      c: c.base, cStride: columns + 1, rows: rows, columns: columns, depth: groups, residual: nil,
      residualStride: 0, low: 0, high: 0, rowSums: groups % 3 == 0 ? UnsafePointer(sums.pointer()) : nil,
      rowScales: nil,
      scalesColumnsFirst: 0, lowQuantum: isSigned ? -128 : 0, highQuantum: isSigned ? 127 : 255,
      isSigned: isSigned ? 1 : 0, activation: APUS_IDENTITY)
    kernels.gemm(&gemm)
    results.record("integer gemm", c, .exact, (rows, columns, groups))
  }
}

/// Float32 results of rows and columns with scales.
private func scaledProducts(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  forEachProduct(elements: 4) { rows, columns, groups in
    let depth = 4 * groups - (rows % 4)
    let panels = Panels(columns: columns, depth: depth, elements: 4, tableBytes: 3 * vectorBytes)
    panels.pack(kernels.pack, Block.bytes(columns * depth, &results.random), ApusStoredInteger8, depth: depth)
    panels.forEach { header, _, width in
      let table = header + 4 * width * (1 + groups)
      for vector in 0..<width / lanes {
        for lane in 0..<lanes {
          let place = table + vector * 3 * vectorBytes + 4 * lane
          place.storeBytes(of: results.random.float() * 0.01, as: Float.self)
          place.storeBytes(of: results.random.float(), toByteOffset: vectorBytes, as: Float.self)
          place.storeBytes(
            of: Int32(results.random.integer(-5000...5000)), toByteOffset: 2 * vectorBytes, as: Int32.self)
        }
      }
    }
    let stride = (depth + 3) / 4 * 4
    let a = Block.bytes(rows * stride, &results.random)
    let zeroPoints = Block.integers(rows, 0...255, &results.random)
    let scales = Block.floats(rows, &results.random)
    let residual = Block.floats(rows * columns, &results.random)
    let c = Block(byteCount: 4 * rows * (columns + 1))
    let operand = Rows(a, stride: stride, rows, depth: depth, areSigned: groups & 1 != 0, kernels)
    var gemm = ApusGemm(
      a: operand.block.address, aStride: operand.stride, panels: panels.block.address,
      panelStride: panels.stride, c: c.base,
      cStride: 4 * (columns + 1), rows: rows, columns: columns, depth: groups,
      residual: groups % 2 == 0 ? UnsafePointer(residual.pointer()) : nil, residualStride: 4 * columns,
      low: -100,
      high: .infinity, rowSums: rows % 3 == 0 ? nil : UnsafePointer(zeroPoints.pointer()),
      rowScales: UnsafePointer(scales.pointer()), scalesColumnsFirst: Int32(columns % 2), lowQuantum: 0,
      highQuantum: 0, isSigned: Int32(groups & 1),
      activation: groups % 5 == 0 ? APUS_GELU_TANH : APUS_IDENTITY)
    kernels.gemmToFloat32(&gemm)
    results.record("integer gemm to float32", c, .sameNumbers, (rows, columns, groups))
  }
}

/// The sums of rows and columns.
private func sums(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  forEachProduct(elements: 4) { rows, columns, groups in
    let depth = 4 * groups - (rows % 4)
    let panels = Panels(columns: columns, depth: depth, elements: 4)
    panels.pack(kernels.pack, Block.bytes(columns * depth, &results.random), ApusStoredInteger8, depth: depth)
    panels.forEach { header, _, width in
      for lane in 0..<width {
        let start = Int32(results.random.integer(-5000...5000))
        header.storeBytes(of: start, toByteOffset: 4 * lane, as: Int32.self)
      }
    }
    let stride = (depth + 3) / 4 * 4
    let a = Block.bytes(rows * stride, &results.random)
    let c = Block.integers(rows * (columns + 1), -9...9, &results.random)
    let operand = Rows(a, stride: stride, rows, depth: depth, areSigned: groups & 1 != 0, kernels)
    var gemm = ApusGemm(
      a: operand.block.address, aStride: operand.stride, panels: panels.block.address,
      panelStride: panels.stride, c: c.base, cStride: 4 * (columns + 1), rows: rows, columns: columns,
      depth: groups, residual: rows % 2 == 0 ? nil : UnsafePointer(c.pointer()), residualStride: 0, low: 0,
      high: 0, rowSums: nil, rowScales: nil,
      scalesColumnsFirst: 0, lowQuantum: 0, highQuantum: 0, isSigned: Int32(groups & 1),
      activation: APUS_IDENTITY)
    kernels.gemmToInteger32(&gemm)
    results.record("integer gemm to int32", c, .exact, (rows, columns, groups))
  }
}

/// Rows of bytes as a product wants them.
private struct Rows {
  let block: Block
  let stride: Int

  init(
    _ bytes: Block, stride: Int, _ count: Int, depth: Int, areSigned: Bool, _ kernels: ApusIntegerKernels
  ) {
    guard kernels.widensRows else {
      (block, self.stride) = (bytes, stride)
      return
    }
    self.stride = (depth + 2 * lanes - 1) / (2 * lanes) * 4 * lanes
    block = Block(byteCount: count * self.stride)
    var staging = ApusRowStaging(
      source: bytes.address, sourceStride: stride, target: block.base, targetStride: self.stride, rows: count,
      depth: depth, scales: nil, zeroPoints: nil, isSigned: areSigned ? 1 : 0)
    kernels.widenRows(&staging)
  }
}

private func integerDepthwise(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  forEachDepthwise { shape in
    let side = shape.kernel
    let isSquare = [3, 5, shape.stride == 1 ? 7 : 5].contains(side) && shape.dilation == 1
    /// Of four rows of a column, or of those that there are.
    func bytes(_ vector: Int) -> Int {
      let rows = min(4, side - 4 * (vector / side % ((side + 3) / 4)))
      return Int(results.random.next() & (1 << (8 * UInt64(rows)) - 1))
    }
    for kind in 0..<4 {
      let hasSecondPart = isSquare && kind % 2 == 1
      let taps = isSquare ? (side + 3) / 4 * side * (hasSecondPart ? 2 : 1) : side * side
      let blockBytes = (1 + taps) * vectorBytes + requantizationTableBytes
      let blocks = (shape.channels + lanes - 1) / lanes
      let weights = Block(byteCount: blocks * blockBytes)
      for block in 0..<blocks {
        let target = weights.base + block * blockBytes
        for index in 0..<(1 + taps) * lanes {
          let weight =
            index < lanes
            ? results.random.integer(-9999...9999)
            : isSquare ? bytes(index / lanes - 1) : results.random.integer(-255...255)
          target.storeBytes(of: Int32(truncatingIfNeeded: weight), toByteOffset: 4 * index, as: Int32.self)
        }
        writeTable(
          target + (1 + taps) * vectorBytes, isLine: kind >= 2, areSigned: kind % 2 == 0, &results.random)
      }
      let isSigned = kind % 2 == 0
      let input = Block.bytes(shape.height * shape.width * shape.channels + 64, &results.random)
      let padding = Block.bytes(shape.channels + 64, &results.random)
      let output = Block(byteCount: shape.outputHeight * shape.outputWidth * shape.channels)
      var depthwise = shape.arguments(input, padding, weights, output)
      (depthwise.lowQuantum, depthwise.highQuantum) = isSigned ? (-128, 127) : (0, 255)
      (depthwise.isSigned, depthwise.hasSecondPart) = (isSigned ? 1 : 0, hasSecondPart ? 1 : 0)
      if isSquare { kernels.depthwiseSquare(&depthwise) } else { kernels.depthwise(&depthwise) }
      results.record("integer depthwise", output, .exact, (shape.kernel, shape.stride, shape.channels))
    }
  }
}
