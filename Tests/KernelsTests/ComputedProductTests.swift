import Kernels
import TensorCore
import TestSupport
import Testing

/// Products of matrices that are packed as they are multiplied, on every instruction set, against sums in double precision.
@Suite struct ComputedProductTests {
  static let sets = KernelSet.available.map(\.name)

  /// Every tail of rows, columns and depth; rows at distances that are copied; depths of several blocks.
  static let shapes = [
    (1, 1, 1), (3, 2, 5), (5, 3, 16), (7, 5, 17), (12, 17, 33), (13, 32, 40), (25, 33, 47), (14, 66, 64),
    (2, 131, 70), (300, 9, 35), (60, 64, 197), (7, 1024, 3), (130, 1024, 9), (9, 321, 18), (3, 639, 18),
    (3, 640, 18),
    (2, 4100, 1),
    (1, 70, 600),
  ]

  @Test(arguments: sets)
  func everyShapeInEveryOrder(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for (rows, depth, columns) in Self.shapes {
      for transposes in [(false, false), (false, true), (true, false), (true, true)] {
        let test = ComputedCase(
          matrices: 3, rows: rows, depth: depth, columns: columns, transposes: transposes, &random)
        let found = try test.run(kernels, threads: 1)
        let error = zip(found, test.expected()).map { abs(Double($0) - $1) }.max() ?? 0
        #expect(
          error < 1e-6 * Double(depth + 4),
          "\(name) \(rows)x\(depth)x\(columns) \(transposes) seed \(random.seed)")
        // No bit depends on how work is shared.
        #expect(try test.run(kernels, threads: 2) == found, "\(name) \(rows)x\(depth)x\(columns)")
      }
    }
  }

  @Test(arguments: sets)
  func biasAndLimits(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for (rows, depth, columns) in [(5, 7, 39), (2, 4200, 35)] {
      var test = ComputedCase(
        matrices: 2, rows: rows, depth: depth, columns: columns, transposes: (false, true), &random)
      test.bias = random.floats(columns)
      test.limits = -0.5...1
      let found = try test.run(kernels, threads: 2)
      let error = zip(found, test.expected()).map { abs(Double($0) - $1) }.max() ?? 0
      #expect(error < 1e-6 * Double(depth + 4) && found.contains(-0.5) && found.contains(1))
    }
  }

  /// Sums of whole numbers are exact in any order, and no matrix meets another's.
  @Test(arguments: sets)
  func exactSumsOfManyMatrices(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for columns in [1, 16, 31, 90] {
      var test = ComputedCase(
        matrices: 40, rows: 11, depth: 21, columns: columns, transposes: (false, false), &random)
      test.a = test.a.map { ($0 * 8).rounded() }
      test.b = test.b.map { ($0 * 8).rounded() }
      #expect(try test.run(kernels, threads: 2).map(Double.init) == test.expected())
    }
  }

  @Test(arguments: sets)
  func overNothingResultsAreTheBias(_ name: String) throws {
    var random = SeededRandom()
    var test = ComputedCase(
      matrices: 2, rows: 3, depth: 0, columns: 20, transposes: (false, false), &random)
    #expect(try test.run(.named(name), threads: 1).allSatisfy { $0 == 0 })
    test.bias = random.floats(20)
    #expect(
      try test.run(.named(name), threads: 1) == Array(repeating: test.bias ?? [], count: 6).flatMap { $0 })
  }
}

/// Stacks of random matrices.
private struct ComputedCase {
  let matrices: Int
  let rows: Int
  let depth: Int
  let columns: Int
  let transposes: (a: Bool, b: Bool)
  var a: [Float]
  var b: [Float]
  var bias: [Float]?
  var limits: ClosedRange<Float> = -.infinity ... .infinity

  init(
    matrices: Int, rows: Int, depth: Int, columns: Int, transposes: (Bool, Bool),
    _ random: inout SeededRandom
  ) {
    self.matrices = matrices
    self.rows = rows
    self.depth = depth
    self.columns = columns
    self.transposes = transposes
    a = random.floats(matrices * rows * depth)
    b = random.floats(matrices * depth * columns)
  }

  private var aSteps: ComputedProduct.Steps { transposes.a ? (1, rows) : (depth, 1) }
  private var bSteps: ComputedProduct.Steps { transposes.b ? (depth, 1) : (1, columns) }

  func run(_ kernels: KernelSet, threads: Int) throws -> [Float] {
    let product = ComputedProduct(
      matrices: matrices, rows: rows, columns: columns, depth: depth, a: aSteps, b: bSteps, limits: limits,
      threads: threads, kernels: kernels)
    let scratch = try GuardedScratch(byteCount: product.scratchByteCount)
    // Matrices at an odd address, with not a number behind them.
    let (a, b) = ([0] + self.a, [0] + self.b)
    return try a.withUnsafeBufferPointer { a in
      try b.withUnsafeBufferPointer { b in
        try withBias { bias in
          let (first, second) = (try #require(a.baseAddress) + 1, try #require(b.baseAddress) + 1)
          let count = matrices * rows * columns
          return [Float](unsafeUninitializedCapacity: count) { result, written in
            if let c = result.baseAddress {
              product.multiply(
                ComputedProduct.Operands(a: first, b: second, c: c, bias: bias, scratch: scratch.base),
                threads: threads
              ) { (a: $0 * rows * depth, b: $0 * depth * columns) }
            }
            #expect(scratch.isIntact, "\(product.name) \(rows) x \(depth) x \(columns)")
            written = count
          }
        }
      }
    }
  }

  private func withBias(_ body: (UnsafePointer<Float>?) throws -> [Float]) rethrows -> [Float] {
    guard let bias else { return try body(nil) }
    return try bias.withUnsafeBufferPointer { try body($0.baseAddress) }
  }

  /// Sums in double precision.
  func expected() -> [Double] {
    var result: [Double] = []
    for matrix in 0..<matrices {
      let (firstA, firstB) = (matrix * rows * depth, matrix * depth * columns)
      for row in 0..<rows {
        for column in 0..<columns {
          var sum = 0.0
          for k in 0..<depth {
            let left = a[firstA + row * aSteps.line + k * aSteps.depth]
            sum += Double(left) * Double(b[firstB + column * bSteps.line + k * bSteps.depth])
          }
          sum += Double(bias?[column] ?? 0)
          result.append(min(max(sum, Double(limits.lowerBound)), Double(limits.upperBound)))
        }
      }
    }
    return result
  }
}
