import CIntrinsics

private let counts = Array(0...19) + [31, 32, 33, 63, 64, 65, 200]

/// Functions of each element, over all exponents, and what is no number.
func functionCases(_ results: KernelResults, _ kernels: ApusFloatKernels) {
  let special: [Float] = [0, -0.0, .infinity, -.infinity, .nan, 0x1p-149, 88.8, -104, 9.1, 0x1p126]
  for function in APUS_IDENTITY...APUS_SWISH {
    for count in counts {
      let x = Block.floats(count, &results.random, times: count > 32 ? 100 : 5)
      for index in 0..<count where count > 33 && index % 7 == 0 {
        x.pointer(Float.self)[index] = special[index / 7 % special.count]
      }
      let y = Block(byteCount: 4 * count)
      kernels.map(function, x.address, y.base, count)
      results.record("map", y, .sameNumbers, (Int(function), count, 0))
    }
  }
}

/// Softmax, normalizations and means of rows.
func rowCases(_ results: KernelResults, _ kernels: ApusFloatKernels) {
  for width in counts where width > 0 {
    let rows = 3
    let x = Block.floats(rows * width, &results.random, times: 4)
    let scale = Block.floats(width, &results.random)
    let offset = Block.floats(width, &results.random)
    let y = Block(byteCount: 4 * rows * width)
    kernels.softmax(x.address, y.base, rows, width, 1.25)
    results.record("softmax", y, .sameNumbers, (width, 0, 0))
    kernels.normalizeLayer(x.address, y.base, scale.address, offset.address, rows, width, 1e-5)
    results.record("layer normalization", y, .sameNumbers, (width, 0, 0))
    kernels.normalizeRootMeanSquare(x.address, y.base, scale.address, rows, width, 1e-6)
    results.record("RMS normalization", y, .sameNumbers, (width, 0, 0))
    kernels.scaleRows(x.address, y.base, scale.address, offset.address, rows, width, -0.5, 2)
    results.record("scale and offset", y, .sameNumbers, (width, 0, 0))
    for rows in [0, 1, 3, 32, 33, 70] {
      let x = Block.floats(rows * (width + 1), &results.random)
      let mean = Block(byteCount: 4 * width)
      kernels.meanOfRows(x.address, mean.base, 4 * (width + 1), rows, width)
      results.record("mean of rows", mean, .sameNumbers, (width, rows, 0))
    }
    let image = Block.floats(6 * width, &results.random)
    let pooled = Block(byteCount: 4 * width)
    var pool = ApusPool(
      input: image.address, rowStride: 12 * width, columnStride: 4 * width, output: pooled.base, rows: 2,
      columns: 3,
      channels: width, low: -0.4, high: 0.3, lowQuantum: 0, highQuantum: 0, isSigned: 0)
    kernels.averagePool(&pool)
    results.record("means of a window", pooled, .sameNumbers, (width, 0, 0))
    kernels.maxPool(&pool)
    results.record("greatest of a window", pooled, .sameNumbers, (width, 0, 0))
  }
}

/// All float16 and bfloat16 numbers, and memory.
func wideningCases(_ results: KernelResults, _ kernels: ApusFloatKernels) {
  for count in counts + [1 << 16] {
    let x = Block(byteCount: 2 * count)
    for index in 0..<count { x.pointer(UInt16.self)[index] = UInt16(truncatingIfNeeded: 65_535 &- index) }
    let y = Block(byteCount: 4 * count)
    kernels.widenFloat16(x.address, y.base, count)
    results.record("float16", y, .sameNumbers, (count, 0, 0))
    kernels.widenBFloat16(x.address, y.base, count)
    results.record("bfloat16", y, .exact, (count, 0, 0))
  }
  let bytes = Block.bytes(64 * vectorBytes, &results.random)
  let words = Block(byteCount: 8)
  words.pointer(Int32.self)[0] = kernels.readBytes(bytes.address, bytes.byteCount, 1)
  words.pointer(Int32.self)[1] = kernels.readBytes(bytes.address, bytes.byteCount, 2)
  results.record("bytes read", words, .exact)
  kernels.writeBytes(bytes.base, bytes.byteCount)
  results.record("bytes written", bytes, .exact)
}
