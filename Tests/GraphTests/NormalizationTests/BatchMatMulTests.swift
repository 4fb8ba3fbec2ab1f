import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Matrix products worked by hand, against nested loops, and what they refuse.
@Suite struct BatchMatMulTests {
  @Test func productsOfSmallMatrices() throws {
    let a = try floats([1, 2, 3, 4, 5, 6], [2, 3])
    let b = try floats([1, 0, 0, 1, 1, 1], [3, 2])
    #expect(try evaluate(BatchMatMul(), [a, b]).elements(of: Float.self) == [4, 5, 10, 11])
    let transposed = try floats([1, 0, 1, 0, 1, 1], [2, 3])
    #expect(
      try evaluate(BatchMatMul(transposeB: true), [a, transposed]).elements(of: Float.self) == [4, 5, 10, 11])
  }

  /// Plain sums of stored numbers are those of nested loops, however the operands are laid out.
  @Test(arguments: 0..<50)
  func integerProductsOfRandomShapes(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let size = (0..<3).map { _ in Int.random(in: 0...6, using: &random) }
    let (m, n, k) = (size[0], size[1], size[2])
    let (ta, tb) = (Bool.random(using: &random), Bool.random(using: &random))
    let a = (0..<3 * m * k).map { _ in Int8.random(in: -128...127, using: &random) }
    let b = (0..<k * n).map { _ in Int8.random(in: -128...127, using: &random) }
    let product = try evaluate(
      BatchMatMul(transposeA: ta, transposeB: tb),
      [
        integers(a, [3] + (ta ? [k, m] : [m, k]), scale: 1),
        integers(b, [1] + (tb ? [n, k] : [k, n]), scale: 1),
      ], result: TensorType(.int32, .scalar))
    var expected: [Int] = []
    for batch in 0..<3 {
      for row in 0..<m {
        for column in 0..<n {
          expected.append(
            (0..<k).reduce(0) { sum, index in
              let left = a[batch * m * k + (ta ? index * m + row : row * k + index)]
              return sum + Int(left) * Int(b[tb ? column * k + index : index * n + column])
            })
        }
      }
    }
    #expect(product.shape.dimensions == [3, m, n])
    #expect(try product.integers() == expected, "seed \(seed)")
  }

  @Test func productsOverNothingAreZero() throws {
    let product = try evaluate(BatchMatMul(), [floats([], [2, 0]), floats([], [0, 3])])
    #expect(try product.elements(of: Float.self) == [0, 0, 0, 0, 0, 0])
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let a = try floats([1, 2], [1, 2])
    #expect(try refusal(BatchMatMul(), [a, a]).problem.contains("over 2 and 1"))
    #expect(try refusal(BatchMatMul(), [a, try floats([1, 2])]).expected?.contains("rank 2") == true)
    let stack = try floats([1, 2, 3, 4, 5, 6], [3, 2, 1])
    #expect(
      try refusal(BatchMatMul(), [try floats([1, 2, 3, 4], [2, 1, 2]), stack]).problem.contains(
        "do not broadcast"))
  }

  @Test func theLibraryRefusesWhatItCannotAddress() {
    var c: Float = 7
    let done = withUnsafeMutablePointer(to: &c) { c in
      let operand: Float = 1
      return withUnsafePointer(to: operand) {
        BLAS.gemm(m: 1, n: 1, k: 2, a: $0, leadingA: 1, b: $0, leadingB: 1, c: c, leadingC: 1)
      }
    }
    #expect(!done && c == 7)
    #expect(BLAS.coreName?.isEmpty == false)
  }
}
