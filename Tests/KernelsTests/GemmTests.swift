import Kernels
import TensorCore
import TestSupport
import Testing

/// Matrix products of every instruction set against plain loops, over every tail of rows, columns and depth.
@Suite struct GemmTests {
  /// Rows around every tile height, columns around every panel width, depths around every group.
  static let rowCounts = [1, 2, 3, 5, 7, 11, 12, 13, 25]
  static let columnCounts = [1, 3, 4, 5, 8, 9, 15, 16, 17, 31, 32, 33, 47, 64, 70]
  static let depths = [1, 2, 3, 4, 5, 8, 27, 64]

  @Test(arguments: KernelSet.available.map(\.name))
  func float32(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for columns in Self.columnCounts {
      for depth in Self.depths {
        let weights = random.floats(columns * depth)
        let bias = random.floats(columns)
        let tensor = try Tensor(weights, shape: .vector(weights.count))
        let product = try tensor.withBytes { (bytes) throws(ApusError) in
          try MatrixProduct(
            .float32, of: bytes, .float32, groups: 1, columns: columns, depth: depth, bias: bias, low: -1,
            high: 2,
            kernels: kernels)
        }
        for rows in Self.rowCounts {
          let a = random.floats(rows * depth)
          let found = try run(product, a, rows: rows, depth: depth, columns: columns, result: Float.self)
          for row in 0..<rows {
            for column in 0..<columns {
              var sum = Double(bias[column])
              for k in 0..<depth { sum += Double(a[row * depth + k]) * Double(weights[column * depth + k]) }
              let wanted = max(-1, min(2, sum))
              let error = abs(Double(found[row * columns + column]) - wanted)
              #expect(error < 1e-5, "\(name) \(rows)x\(depth)x\(columns) seed \(random.seed)")
            }
          }
        }
      }
    }
  }

  struct IntegerCase: Sendable {
    let inputIsSigned: Bool
    let weightsAreSigned: Bool
    let relu: Bool
  }

  static let integerCases = [
    IntegerCase(inputIsSigned: true, weightsAreSigned: true, relu: false),
    IntegerCase(inputIsSigned: true, weightsAreSigned: true, relu: true),
    IntegerCase(inputIsSigned: false, weightsAreSigned: false, relu: false),
    IntegerCase(inputIsSigned: false, weightsAreSigned: false, relu: true),
  ]

  @Test(arguments: KernelSet.available.map(\.name), integerCases)
  func integer8(_ name: String, _ test: IntegerCase) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for columns in Self.columnCounts {
      for depth in Self.depths {
        let weights = random.bytes(columns * depth)
        let bias = (0..<columns).map { _ in Int32.random(in: -3000...3000, using: &random) }
        let quantization = IntegerQuantization(
          inputZeroPoint: test.inputIsSigned ? -17 : 101, inputIsSigned: test.inputIsSigned,
          weightZeroPoint: test.weightsAreSigned ? 0 : 143, weightsAreSigned: test.weightsAreSigned,
          outputZeroPoint: test.inputIsSigned ? -5 : 120,
          low: test.relu ? (test.inputIsSigned ? -5 : 120) : (test.inputIsSigned ? -128 : 0),
          high: test.inputIsSigned ? 127 : 255,
          multipliers: (0..<columns).map { _ in
            FixedPointMultiplier(pow2(Int.random(in: -14...1, using: &random)) * 0.73)
          })
        let tensor = try Tensor(weights, shape: .vector(weights.count))
        let product = try tensor.withBytes { (bytes) throws(ApusError) in
          try MatrixProduct(
            integer8: bytes, groups: 1, columns: columns, depth: depth, bias: bias,
            quantization: quantization,
            kernels: kernels)
        }
        for rows in Self.rowCounts {
          let a = random.bytes(rows * depth)
          let found = try run(product, a, rows: rows, depth: depth, columns: columns, result: UInt8.self)
          let wanted = Self.reference(
            a, weights, bias, rows: rows, depth: depth, columns: columns, quantization)
          #expect(found == wanted, "\(name) \(rows)x\(depth)x\(columns) \(test) seed \(random.seed)")
        }
      }
    }
  }

  private static func reference(
    _ a: [UInt8], _ weights: [UInt8], _ bias: [Int32], rows: Int, depth: Int, columns: Int,
    _ q: IntegerQuantization
  ) -> [UInt8] {
    let input = { (byte: UInt8) in
      (q.inputIsSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)) - q.inputZeroPoint
    }
    let weight = { (byte: UInt8) in
      (q.weightsAreSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)) - q.weightZeroPoint
    }
    var result: [UInt8] = []
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = bias[column]
        for k in 0..<depth { sum += input(a[row * depth + k]) * weight(weights[column * depth + k]) }
        let scaled = q.multipliers[column].apply(sum) + q.outputZeroPoint
        result.append(UInt8(truncatingIfNeeded: max(q.low, min(q.high, scaled))))
      }
    }
    return result
  }

  @Test(arguments: KernelSet.available.map(\.name))
  func dynamicInteger8(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for (columns, depth, rows) in [(1, 3, 1), (16, 8, 5), (33, 27, 13), (70, 64, 12)] {
      let weights = random.bytes(columns * depth).map { Int8(bitPattern: $0) }
      let scales = random.floats(columns, 0.01...0.1)
      let bias = random.floats(columns)
      let a = random.bytes(rows * depth).map { Int8(bitPattern: $0) }
      let rowScales = random.floats(rows, 0.01...0.1)
      let zeros = (0..<rows).map { _ in Int32.random(in: -128...127, using: &random) }
      let tensor = try Tensor(weights, shape: .vector(weights.count))
      let product = try tensor.withBytes { (bytes) throws(ApusError) in
        try MatrixProduct(
          dynamicInteger8: bytes, groups: 1, columns: columns, depth: depth, scales: scales, bias: bias,
          low: -.infinity, high: .infinity, kernels: kernels)
      }
      let shifted = zeros.map { $0 + 128 }
      let found = try rowScales.withUnsafeBufferPointer { rowScales in
        try shifted.withUnsafeBufferPointer { shifted in
          try run(product, a, rows: rows, depth: depth, columns: columns, result: Float.self) {
            $0.scales = rowScales.baseAddress
            $0.zeroPoints = shifted.baseAddress
          }
        }
      }
      for row in 0..<rows {
        for column in 0..<columns {
          var sum = 0
          for k in 0..<depth {
            sum += (Int(a[row * depth + k]) - Int(zeros[row])) * Int(weights[column * depth + k])
          }
          let wanted = Double(sum) * Double(rowScales[row]) * Double(scales[column]) + Double(bias[column])
          let error = abs(Double(found[row * columns + column]) - wanted)
          #expect(error <= 1e-5 * max(1, abs(wanted)), "\(name) \(rows)x\(depth)x\(columns)")
        }
      }
    }
  }

  /// The result of the product on a copy of `a` with the slack that kernels may read.
  private func run<Element: TensorElement, Result: TensorElement>(
    _ product: MatrixProduct, _ a: [Element], rows: Int, depth: Int, columns: Int, result: Result.Type,
    _ configure: (inout MatrixProduct.Rows) -> Void = { _ in }
  ) throws -> [Result] {
    let input = try TensorStorage(copying: a)
    let sums = try TensorStorage(byteCount: rows * 4)
    let scratch = try GuardedScratch(product, rows: rows, threads: 2)
    let type = TensorType(Result.dataType, try Shape([rows, columns]))
    let output = try Tensor(type) { target in
      guard let base = target.baseAddress else { return }
      var block = MatrixProduct.Rows(
        count: rows, address: input.base, stride: depth * MemoryLayout<Element>.size, result: base,
        resultStride: columns * MemoryLayout<Result>.size)
      block.sums = sums.base.assumingMemoryBound(to: Int32.self)
      block.scratch = scratch.base
      configure(&block)
      product.multiply(group: 0, block, threads: 2)
    }
    #expect(scratch.isIntact, "\(product.name) \(rows) x \(depth) x \(columns)")
    withExtendedLifetime((input, sums)) {}
    return try output.elements()
  }
}

func pow2(_ exponent: Int) -> Double { Double(sign: .plus, exponent: exponent, significand: 1) }
