import CIntrinsics

/// Columns of every stored type, their sums and magnitudes.
func packingCases(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  for type in [ApusStoredFloat32, ApusStoredFloat16, ApusStoredBFloat16, ApusStoredInteger8] {
    for depth in [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 50] {
      for columns in [1, 4, 5, 8, 11] {
        let count = columns * depth
        let stored =
          type == ApusStoredFloat32
          ? Block.floats(count, &results.random) : Block.bytes(count * storedBytes(type), &results.random)
        if storedBytes(type) == 2 {
          // Small numbers alone, for bytes that fit.
          for index in 0..<count {
            stored.pointer(UInt16.self)[index] &= type == ApusStoredFloat16 ? 0x83ff : 0x807f
            stored.pointer(UInt16.self)[index] |= type == ApusStoredFloat16 ? 0x3800 : 0x3f00
          }
        }
        let panels = Panels(columns: columns, depth: depth, elements: 4)
        let sums = Block(byteCount: 4 * (columns + 2 * lanes))
        panels.pack(kernels.pack, stored, type, depth: depth, scale: 120, sums: sums.pointer())
        results.record("integer pack", panels.block, .exact, (Int(type.rawValue), columns, depth))
        results.record("sums of columns", sums, .exact, (Int(type.rawValue), columns, depth))
        let magnitudes = Block(byteCount: 4 * (columns + 2 * lanes))
        panels.forEach { _, column, width in
          panels.withPacking(stored, type, depth: depth, scale: 0.3, column, width) { packing in
            kernels.largestMagnitudes(&packing, magnitudes.pointer(Float.self) + column)
          }
        }
        results.record("magnitudes", magnitudes, .sameNumbers, (Int(type.rawValue), columns, depth))
      }
    }
  }
}

/// Float32 to bytes, with numbers that are none or too large.
func quantizationCases(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  for count in Array(1...19) + [64, 101] {
    for factor in [Float(0.5), 200, 1e12] {
      let x = Block.floats(2 * count, &results.random, times: factor)
      for kind in 0..<2 {
        let y = Block(byteCount: count)
        kernels.quantize(x.address, y.base, count, 0.5, kind == 0 ? 3 : 250, kind == 0)
        results.record("quantize", y, .exact, (count, kind, 0))
        kernels.quantizeEven(x.address, y.base, count, 0.5, kind == 0 ? 3 : 250, kind == 0)
        results.record("quantize to even", y, .exact, (count, kind, 0))
      }
      let width = (count + 15) / 16 * 16
      let target = Block(byteCount: 2 * width)
      let (scales, zeroPoints) = (Block(byteCount: 8), Block(byteCount: 8))
      var staging = ApusRowStaging(
        source: x.address, sourceStride: 4 * count, target: target.base, targetStride: width, rows: 2,
        depth: count, scales: scales.pointer(), zeroPoints: zeroPoints.pointer(), isSigned: 0)
      kernels.quantizeRows(&staging)
      results.record("quantized rows", target, .exact, (count, 0, 0))
      results.record("scales of rows", scales, .sameNumbers, (count, 0, 0))
      results.record("zero points of rows", zeroPoints, .exact, (count, 0, 0))
      dynamicCases(results, kernels, x, count)
      let special: [Float] = [.nan, .infinity, -.infinity, 0x1p31, -0x1p31, 1e30, -0.0, 0.49999997 * 0.5]
      for index in 0..<count { x.pointer(Float.self)[index] = special[index % special.count] }
      let y = Block(byteCount: count)
      kernels.quantize(x.address, y.base, count, 0.5, -5, true)
      results.record("quantize what is no number", y, .exact, (count, 0, 0))
      kernels.quantizeEven(x.address, y.base, count, 0.5, -5, true)
      results.record("quantize to even what is no number", y, .exact, (count, 0, 0))
      dynamicCases(results, kernels, x, count)
    }
  }
}

/// Bytes as numbers of 16 bits, elsewhere and in the second half of their own target.
func wideningCases(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  for depth in Array(1...35) + [64, 100] {
    let width = (depth + 2 * lanes - 1) / (2 * lanes) * 2 * lanes
    for kind in 0..<4 {
      let source = Block.bytes(3 * (width + 5), &results.random)
      let target = Block(byteCount: 3 * 2 * width)
      var staging = ApusRowStaging(
        source: source.address, sourceStride: width + 5, target: target.base, targetStride: 2 * width,
        rows: 3,
        depth: depth, scales: nil, zeroPoints: nil, isSigned: Int32(kind % 2))
      if kind >= 2 {
        for row in 0..<3 {
          (target.base + (2 * row + 1) * width).copyMemory(
            from: source.address + row * (width + 5), byteCount: width)
        }
        (staging.source, staging.sourceStride) = (target.address + width, 2 * width)
      }
      kernels.widenRows(&staging)
      results.record("widened rows", target, .exact, (depth, kind, 0))
    }
  }
}

/// Sums of rows, scores of an index, and digests.
func sumCases(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  for bytes in Array(1...35) + [64, 100] {
    let a = Block.bytes(3 * (bytes + 2) + 64, &results.random)
    let sums = Block(byteCount: 12)
    kernels.sumRows(a.address, bytes + 2, 3, bytes, bytes % 2 == 0, -3, sums.pointer())
    results.record("sums of rows", sums, .exact, (bytes, 0, 0))
    let digest = Block(byteCount: 16)
    kernels.digest(a.address, bytes * 3, digest.pointer())
    results.record("digest", digest, .exact, (bytes, 0, 0))
  }
  for (count, stride) in [(1, 64), (2, 64), (5, 128), (8, 192)] {
    let rows = Block.bytes(count * stride, &results.random)
    let query = Block.bytes(stride, &results.random)
    for block in [rows, query] {
      let bytes = block.pointer(Int8.self)
      for index in 0..<block.byteCount where bytes[index] == -128 { bytes[index] = 127 }
    }
    let scales = Block.floats(count, &results.random)
    let places = Block.integers(count, 0...(count - 1), &results.random)
    for hasPlaces in [false, true] {
      let scores = Block(byteCount: 4 * count + 4)
      var scan = ApusRowScan(
        rows: rows.address, query: query.address, stride: stride,
        places: hasPlaces ? UnsafePointer(places.pointer()) : nil, count: count, scales: scales.pointer(),
        scores: scores.pointer())
      scores.pointer(Float.self)[count] = kernels.scanRows(&scan)
      results.record("scores", scores, .sameNumbers, (count, stride, hasPlaces ? 1 : 0))
    }
  }
}

/// Resampling in fixed point, and grey.
func pictureCases(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  for (columns, steps) in [(1, 1), (5, 2), (9, 4)] {
    for rows in [1, 3, 4, 6] {
      let stride = 3 * (columns + steps * 2 * lanes) + 16
      let source = Block.bytes(rows * stride, &results.random)
      let firsts = Block.integers(columns, 0...columns, &results.random)
      let weights = Block.integers(columns * steps * 2 * lanes, -1 << 31...1 << 31 - 1, &results.random)
      // Halves of weights: their lower 11 bits and the rest.
      for index in 0..<weights.byteCount / 2 { weights.pointer(Int16.self)[index] &= 0x7ff }
      for bytes in [3, 1] {
        let target = Block(byteCount: rows * columns * bytes)
        var resample = ApusColumnResample(
          source: source.address, sourceStride: stride, target: target.base, targetStride: columns * bytes,
          rows: rows, columns: columns, firsts: firsts.pointer(), weights: weights.address, steps: steps,
          lowBits: 11, start: 1 << 21, shift: 22)
        if bytes == 3 { kernels.resampleRGB(&resample) } else { kernels.resampleGrey(&resample) }
        results.record("resample", target, .exact, (columns, rows, bytes))
      }
    }
  }
  for bytes in Array(1...19) + [50] {
    for pairs in [1, 2, 5] {
      let source = Block.bytes(2 * pairs * bytes + 16, &results.random)
      let weights = Block.integers(2 * pairs, -1 << 26...1 << 26, &results.random)
      let target = Block(byteCount: bytes)
      withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: 2 * pairs) { lines in
        guard let lines = lines.baseAddress else { return }
        for index in 0..<2 * pairs { (lines + index).initialize(to: source.address + index * bytes) }
        var combination = ApusRowCombination(
          rows: lines, weights: weights.pointer(), pairs: pairs, target: target.base, bytes: bytes,
          lowBits: 11,
          start: 1 << 21, shift: 22)
        kernels.combineRows(&combination)
      }
      results.record("combined rows", target, .exact, (bytes, pairs, 0))
    }
    let pixels = Block.bytes(3 * bytes + 64, &results.random)
    let grey = Block(byteCount: bytes)
    kernels.lighten(pixels.address, grey.base, bytes)
    results.record("grey", grey, .exact, (bytes, 0, 0))
  }
}

/// The range of numbers, and their steps.
private func dynamicCases(
  _ results: KernelResults, _ kernels: ApusIntegerKernels, _ x: Block, _ count: Int
) {
  let ends = Block(byteCount: 8)
  kernels.range(x.address, count, ends.pointer(Float.self))
  results.record("range of numbers", ends, .sameNumbers, (count, 0, 0))
  let (bytes, steps) = (Block(byteCount: count), Block(byteCount: 4 * count))
  kernels.quantizeSteps(x.address, bytes.base, count, 37, -140, 115, 12)
  results.record("steps as bytes", bytes, .exact, (count, 0, 0))
  kernels.countSteps(x.address, steps.base, count, 37, -140, 115)
  results.record("steps", steps, .sameNumbers, (count, 0, 0))
}
