import CIntrinsics

/// Sums by fixed-point multiplications, by planes, and by planes to sums that no integer holds; differences.
func additionCases(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  for count in Array(1...19) + [64, 100] {
    for kind in 0..<8 {
      let isSigned = kind % 2 == 0
      let (a, b) = (Block.bytes(count + 16, &results.random), Block.bytes(count + 16, &results.random))
      let c = Block(byteCount: count)
      let tables = Block(byteCount: 3 * fixedPointTableBytes)
      for index in 0..<3 {
        writeTable(
          tables.base + index * fixedPointTableBytes, isLine: false, areSigned: isSigned, &results.random)
      }
      var add = ApusQuantizedAdd(
        a: a.address, b: b.address, c: c.base, count: count, zeroPointA: 3, zeroPointB: -7, leftShift: 12,
        lowQuantum: isSigned ? -128 : 0, highQuantum: isSigned ? 127 : 255, isSigned: isSigned ? 1 : 0,
        subtracts: kind < 6 ? 0 : 1, tables: kind < 2 || kind > 5 ? tables.address : nil,
        slopeA: kind < 4 ? 0.7 : 3e7,
        slopeB: kind < 4 ? 0.9 : -1e7, offset: -150)
      kernels.add(&add)
      results.record("integer add", c, .exact, (count, kind, 0))
    }
  }
}

/// Products by a fixed-point multiplication, by a line, and by a line to results that no integer holds.
func multiplicationCases(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  for count in Array(1...19) + [64, 100] {
    for kind in 0..<6 {
      let isSigned = kind % 2 == 0
      let (a, b) = (Block.bytes(count + 16, &results.random), Block.bytes(count + 16, &results.random))
      let c = Block(byteCount: count)
      let table = Block(byteCount: fixedPointTableBytes)
      writeTable(table.base, isLine: false, areSigned: isSigned, &results.random)
      var multiply = ApusQuantizedMultiply(
        a: a.address, b: b.address, c: c.base, count: count, zeroPointA: 3, zeroPointB: -7,
        lowQuantum: isSigned ? -128 : 0, highQuantum: isSigned ? 127 : 255, isSigned: isSigned ? 1 : 0,
        table: kind < 2 ? table.address : nil, slope: kind < 4 ? 0.003 : 3e7, offset: -15)
      kernels.multiply(&multiply)
      results.record("integer multiply", c, .exact, (count, kind, 0))
    }
  }
}

/// Every byte, and rests of vectors.
func lookupCases(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  let table = Block.bytes(256, &results.random)
  for count in Array(0...19) + [63, 64, 65, 127, 128, 200, 300] {
    let x = Block.bytes(count, &results.random)
    if count == 300 { for index in 0..<256 { x.pointer(UInt8.self)[index] = UInt8(index) } }
    let y = Block(byteCount: count)
    kernels.mapBytes(table.address, x.address, y.base, count)
    results.record("lookup", y, .exact, (count, 0, 0))
  }
}

/// Rows through lines, some of which lead beyond every byte, with a bend among the bytes and beyond them.
func followedLineCases(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  for width in Array(1...19) + [64, 100] {
    for (rows, bend) in [(1, Float(100)), (8, 0), (19, 256)] {
      let vectors = (width + lanes - 1) / lanes
      let lines = Block(byteCount: 20 * lanes * vectors)
      let x = Block.bytes(rows * width + 16, &results.random)
      for isSigned in [false, true] {
        let y = Block(byteCount: rows * width)
        // The same numbers for every width of vectors.
        for column in 0..<vectors * lanes {
          let place = lines.pointer(Float.self) + column / lanes * 5 * lanes + column % lanes
          for part in 0..<5 {
            let number = Float((column * 7 + part * 31) % 64 - 32)
            place[part * lanes] = part == 0 || part == 3 ? number / 25 : number * 4
          }
        }
        var arguments = ApusByteLines(
          x: x.address, y: y.base, rows: rows, width: width, lines: lines.address, bend: bend,
          isSigned: isSigned ? 1 : 0)
        kernels.followLines(&arguments)
        results.record("lines of bytes", y, .exact, (width, rows, isSigned ? 1 : 0))
      }
    }
  }
}

/// Means and greatest of windows of bytes, up to more taps than 16 bits can sum up.
func poolingCases(_ results: KernelResults, _ kernels: ApusIntegerKernels) {
  for channels in Array(1...19) + [64, 100] {
    for (rows, columns) in [(1, 1), (1, 2), (2, 3), (3, 3), (7, 7), (15, 17), (16, 16)] {
      let stride = columns * channels + 5
      let image = Block.bytes(rows * stride + 64, &results.random)
      for isSigned in [false, true] {
        let pooled = Block(byteCount: channels)
        var pool = ApusPool(
          input: image.address, rowStride: stride, columnStride: channels, output: pooled.base, rows: rows,
          columns: columns, channels: channels, low: 0, high: 0, lowQuantum: isSigned ? -20 : 3,
          highQuantum: isSigned ? 127 : 200, isSigned: isSigned ? 1 : 0)
        kernels.averagePool(&pool)
        results.record("means of bytes", pooled, .exact, (channels, rows * columns, isSigned ? 1 : 0))
        kernels.maxPool(&pool)
        results.record("greatest of bytes", pooled, .exact, (channels, rows * columns, isSigned ? 1 : 0))
      }
    }
  }
}
