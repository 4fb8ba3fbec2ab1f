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

  /// int8 by int8, the sums by the kernel for products of bytes.
  func lowering8(_ layout: MatrixLayout, _ context: LoweringContext) -> Lowering {
    let sumCount = [layout.matrices, layout.rows, layout.columns].saturatingProduct
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

  /// int16 by int16 or int8, summed in 64 bits, some columns of a row at a time.
  func body16<Second: QuantizedElement>(_ layout: MatrixLayout, _: Second.Type) -> Lowering.Body {
    let (zeroA, zeroB) = (Int64(aZeroPoint), Int64(bZeroPoint))
    let (output, outputZeroPoint) = (output, outputZeroPoint)
    let grain = max(1, 65_536 / max(1, [layout.columns, layout.depth].saturatingProduct))
    return { arguments in
      let (a, b) = (arguments.input(0, as: Int16.self), arguments.input(1, as: Second.self))
      let result = arguments.output(0, as: Int16.self)
      arguments.parallel(layout.matrices * layout.rows, grain: grain) { rows in
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: Self.columnsAtOnce) { sums in
          for index in rows {
            let (matrix, row) = index.quotientAndRemainder(dividingBy: layout.rows)
            let origins = layout.origins(ofMatrix: matrix)
            for first in stride(from: 0, to: layout.columns, by: Self.columnsAtOnce) {
              let count = min(Self.columnsAtOnce, layout.columns - first)
              sums.update(repeating: 0)
              for k in 0..<layout.depth {
                let left = Int64(a[origins.a + row * layout.aSteps.row + k * layout.aSteps.depth]) &- zeroA
                let start = origins.b + k * layout.bSteps.depth + first * layout.bSteps.column
                for column in 0..<count {
                  let right = Int64(truncatingIfNeeded: b[start + column * layout.bSteps.column]) &- zeroB
                  sums[column] &+= left &* right
                }
              }
              for column in 0..<count {
                result[index * layout.columns + first + column] = Int16(
                  clamping: output.apply(wide: sums[column]) &+ outputZeroPoint)
              }
            }
          }
        }
      }
    }
  }

  /// Their sums are on the stack.
  private static let columnsAtOnce = 64
}
