import Kernels
import TensorCore

/// What multiplying quantized matrices takes.
struct QuantizedMatMul: Sendable {
  private let aZeroPoint: Int32
  private let bZeroPoint: Int32
  private let output: FixedPointMultiplier
  private let outputZeroPoint: Int32

  init(_ a: TensorType, _ b: TensorType, _ result: TensorType) throws(ApusError) {
    let one = try a.uniformQuantization("input 0")
    let two = try b.uniformQuantization("input 1")
    let out = try result.uniformQuantization("the result")
    aZeroPoint = one.zeroPoint
    bZeroPoint = two.zeroPoint
    output = FixedPointMultiplier(Double(one.scale * two.scale) / Double(out.scale))
    outputZeroPoint = out.zeroPoint
  }

  /// Bytes of working memory for the sums of one row of the result.
  static func scratchByteCount(_ layout: MatrixLayout) -> Int {
    layout.matrices == 0 ? 0 : layout.columns * MemoryLayout<Int64>.stride
  }

  /// Sums that are kept at once, at most.
  private static let sumLimit = 1 << 26

  /// int8 by int8, the sums by the kernel for products of bytes; nil where there are too many of them.
  func lowering8(_ layout: MatrixLayout, _ context: LoweringContext) -> Lowering? {
    let sumCount = [layout.matrices, layout.rows, layout.columns].saturatingProduct
    guard sumCount <= Self.sumLimit, layout.depth > 0 else { return nil }
    let bytes = ComputedByteProduct(
      matrices: layout.matrices, rows: layout.rows, columns: layout.columns, depth: layout.depth,
      a: (layout.aSteps.row, layout.aSteps.depth), b: (layout.bSteps.column, layout.bSteps.depth),
      areSigned: true, threads: context.threads, kernels: context.kernels)
    let sumBytes = TensorStorage.padded(4 * sumCount)
    let totalBytes = TensorStorage.padded(4 * layout.matrices * layout.columns)
    let product = self
    return Lowering(
      "batchMatMul int8 \(bytes.name)", products: .int8,
      scratchByteCount: sumBytes + totalBytes + bytes.scratchByteCount
    ) { arguments in
      guard let a = arguments.inputAddress(0), let b = arguments.input(1, as: Int8.self).baseAddress else {
        return
      }
      let sums = arguments.scratch.bindMemory(to: Int32.self, capacity: sumCount)
      let totals = (arguments.scratch + sumBytes).bindMemory(
        to: Int32.self, capacity: layout.matrices * layout.columns)
      bytes.multiply(
        ComputedByteProduct.Operands(a: a, b: b, c: sums, scratch: arguments.scratch + sumBytes + totalBytes),
        threads: arguments.threads, origins: layout.origins)
      arguments.parallel(layout.matrices, grain: 1) { matrices in
        for matrix in matrices {
          product.addColumns(
            b + layout.origins(ofMatrix: matrix).b, layout, to: totals + matrix * layout.columns)
        }
      }
      let result = arguments.output(0, as: Int8.self)
      let rowGrain = max(1, 16_384 / max(1, layout.columns))
      arguments.parallel(layout.matrices * layout.rows, grain: rowGrain) { rows in
        for index in rows {
          let (matrix, row) = index.quotientAndRemainder(dividingBy: layout.rows)
          let start = layout.origins(ofMatrix: matrix).a + row * layout.aSteps.row
          let first = product.start(a.assumingMemoryBound(to: Int8.self) + start, layout)
          let totals = totals + matrix * layout.columns
          for column in 0..<layout.columns {
            let sum = sums[index * layout.columns + column] &+ first &- product.aZeroPoint &* totals[column]
            result[index * layout.columns + column] = Int8(
              clamping: product.output.apply(sum) &+ product.outputZeroPoint)
          }
        }
      }
    }
  }

  /// The sums of the columns of a matrix.
  private func addColumns(
    _ b: UnsafePointer<Int8>, _ layout: MatrixLayout, to totals: UnsafeMutablePointer<Int32>
  ) {
    totals.update(repeating: 0, count: layout.columns)
    guard aZeroPoint != 0 else { return }
    for k in 0..<layout.depth {
      let line = b + k * layout.bSteps.depth
      for column in 0..<layout.columns { totals[column] &+= Int32(line[column * layout.bSteps.column]) }
    }
  }

  /// What both zero points and the elements of a row add to each sum: K · a · b − b · Σ A.
  private func start(_ row: UnsafePointer<Int8>, _ layout: MatrixLayout) -> Int32 {
    guard bZeroPoint != 0 else { return 0 }
    var total: Int32 = 0
    for k in 0..<layout.depth { total &+= Int32(row[k * layout.aSteps.depth]) }
    return bZeroPoint &* (Int32(truncatingIfNeeded: layout.depth) &* aZeroPoint &- total)
  }

  /// int8 by int8, summed in 32 bits.
  func body8(_ layout: MatrixLayout) -> Lowering.Body {
    let product = self
    return { arguments in
      let result = arguments.output(0, as: Int8.self)
      arguments.forEachSumRow(layout, Int8.self, Int8.self, zeroPoints: product.zeroPoints) {
        (start, sums: UnsafeMutableBufferPointer<Int32>) in
        for column in 0..<sums.count {
          let value = product.output.apply(sums[column]) &+ product.outputZeroPoint
          result[start + column] = Int8(clamping: value)
        }
      }
    }
  }

  /// int16 by int16 or int8, summed in 64 bits.
  func body16<Second: QuantizedElement>(_ layout: MatrixLayout, _: Second.Type) -> Lowering.Body {
    let product = self
    return { arguments in
      let result = arguments.output(0, as: Int16.self)
      arguments.forEachSumRow(layout, Int16.self, Second.self, zeroPoints: product.zeroPoints) {
        (start, sums: UnsafeMutableBufferPointer<Int64>) in
        for column in 0..<sums.count {
          let value = product.output.apply(wide: sums[column]) &+ product.outputZeroPoint
          result[start + column] = Int16(clamping: value)
        }
      }
    }
  }

  private var zeroPoints: (a: Int32, b: Int32) { (aZeroPoint, bZeroPoint) }
}

extension KernelArguments {
  /// Calls `body` for each row of the result with where it starts and the sums of products of its elements.
  @inline(__always)
  fileprivate func forEachSumRow<A: QuantizedElement, B: QuantizedElement, Sum: FixedWidthInteger>(
    _ layout: MatrixLayout, _: A.Type, _: B.Type, zeroPoints: (a: Int32, b: Int32),
    _ body: (Int, UnsafeMutableBufferPointer<Sum>) -> Void
  ) where Sum: BitwiseCopyable {
    let (a, b) = (input(0, as: A.self), input(1, as: B.self))
    let sums = UnsafeMutableBufferPointer(
      start: scratch.bindMemory(to: Sum.self, capacity: layout.columns), count: layout.columns)
    let (zeroA, zeroB) = (Sum(truncatingIfNeeded: zeroPoints.a), Sum(truncatingIfNeeded: zeroPoints.b))
    for matrix in 0..<layout.matrices {
      let origins = layout.origins(ofMatrix: matrix)
      for row in 0..<layout.rows {
        for column in 0..<sums.count { sums[column] = 0 }
        for k in 0..<layout.depth {
          let position = origins.a + row * layout.aSteps.row + k * layout.aSteps.depth
          let left = Sum(truncatingIfNeeded: a[position]) &- zeroA
          let start = origins.b + k * layout.bSteps.depth
          if layout.bSteps.column == 1 {
            let line = UnsafeBufferPointer(rebasing: b[start..<start + sums.count])
            for column in 0..<sums.count {
              sums[column] &+= left &* (Sum(truncatingIfNeeded: line[column]) &- zeroB)
            }
          } else {
            for column in 0..<sums.count {
              let right = Sum(truncatingIfNeeded: b[start + column * layout.bSteps.column]) &- zeroB
              sums[column] &+= left &* right
            }
          }
        }
        body((matrix * layout.rows + row) * layout.columns, sums)
      }
    }
  }
}
