import Foundation
import Kernels
import TensorCore
import TestSupport
import Testing

/// Linear layers of every instruction set against plain loops, over every tail of rows, columns and depth.
@Suite struct MatrixProductTests {
  static let sets = KernelSet.available.map(\.name)
  static let shapes = [
    (1, 1, 1), (3, 2, 5), (5, 3, 16), (7, 5, 17), (12, 17, 33), (13, 32, 40), (25, 33, 47), (14, 66, 64),
    (2, 131, 70), (700, 9, 35),
  ]

  /// Sums of 8-bit products are exact, and the rounding of rows and columns is one everywhere: every bit agrees.
  @Test(arguments: sets)
  func integer8(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for (rows, depth, columns) in Self.shapes {
      let test = DenseCase(rows: rows, depth: depth, columns: columns, &random)
      let wanted = test.integer8()
      for threads in [1, 2] {
        let found = try test.run(.int8, kernels, threads: threads)
        #expect(found == wanted, "\(name) \(rows)x\(depth)x\(columns) seed \(random.seed)")
      }
    }
  }

  /// bfloat16 operands are rounded to the nearest, and sums are as exact as float32's.
  @Test(arguments: sets)
  func bfloat16(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for (rows, depth, columns) in Self.shapes {
      var test = DenseCase(rows: rows, depth: depth, columns: columns, &random)
      let found = try test.run(.bfloat16, kernels, threads: 2)
      test.x = test.x.map(DenseCase.rounded)
      test.weights = test.weights.map(DenseCase.rounded)
      let wanted = test.sums()
      let error = zip(found, wanted).map { abs(Double($0) - $1) }.max() ?? 0
      #expect(error < 2e-6 * Double(depth + 4), "\(name) \(rows)x\(depth)x\(columns) seed \(random.seed)")
    }
  }

  /// Rows that are a multiple of 4096 bytes apart are moved first, which must change nothing.
  @Test(arguments: sets)
  func float32RowsAtEveryDistance(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for (rows, depth) in [(3, 1024), (5, 1025), (210, 8)] {
      let test = DenseCase(rows: rows, depth: depth, columns: 20, &random)
      let found = try test.run(.float32, kernels, threads: 2)
      let error = zip(found, test.sums()).map { abs(Double($0) - $1) }.max() ?? 0
      #expect(error < 1e-5 * Double(depth).squareRoot(), "\(name) \(rows)x\(depth) seed \(random.seed)")
    }
  }

  /// A row with an element that is not finite gives NaN, and no other row does.
  @Test(arguments: sets, [Float.nan, .infinity, -.infinity])
  func rowsThatAreNotFinite(_ name: String, _ bad: Float) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for position in [0, 18, 36] {
      var test = DenseCase(rows: 3, depth: 37, columns: 19, &random)
      test.x[37 + position] = bad
      let found = try test.run(.int8, kernels, threads: 1)
      for row in 0..<3 {
        let results = found[(row * 19)..<((row + 1) * 19)]
        #expect(results.allSatisfy { $0.isNaN == (row == 1) }, "\(name) \(position) seed \(random.seed)")
      }
    }
  }

  /// The same for a column of weights.
  @Test(arguments: sets, [Float.nan, .infinity, -.infinity])
  func columnsThatAreNotFinite(_ name: String, _ bad: Float) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    var test = DenseCase(rows: 3, depth: 37, columns: 19, &random)
    test.weights[37 * 4 + 36] = bad
    let found = try test.run(.int8, kernels, threads: 1)
    for (index, result) in found.enumerated() { #expect(result.isNaN == (index % 19 == 4)) }
  }

  /// Rows without a range, and rows too small to have one, give the bias.
  @Test(arguments: sets)
  func rowsWithoutRange(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    var test = DenseCase(rows: 2, depth: 20, columns: 5, &random)
    for k in 0..<20 {
      test.x[k] = 0
      test.x[20 + k] = k == 3 ? .leastNonzeroMagnitude : 0
    }
    #expect(try test.run(.int8, kernels, threads: 1) == test.bias + test.bias)
  }
}
