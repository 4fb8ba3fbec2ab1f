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

  /// Of int16, whose sums are held for some columns at a time.
  @Test(arguments: [1, 63, 64, 65, 150], [false, true])
  func products16OfManyColumns(_ n: Int, _ tb: Bool) throws {
    var random = SeededRandom(seed: UInt64(n))
    let (m, k) = (5, 7)
    func whole(_ count: Int) -> [Int16] {
      (0..<count).map { _ in Int16.random(in: -60...60, using: &random) }
    }
    let (a, b) = (whole(3 * m * k), whole(3 * k * n))
    let product = try evaluate(
      BatchMatMul(transposeB: tb),
      [integers(a, [3, m, k], scale: 1), integers(b, [3] + (tb ? [n, k] : [k, n]), scale: 1)],
      result: quantized(.int16, scale: 1))
    var expected: [Int] = []
    for batch in 0..<3 {
      for (row, column) in (0..<m).flatMap({ row in (0..<n).map { (row, $0) } }) {
        expected.append(
          (0..<k).reduce(0) {
            let place = batch * k * n + (tb ? column * k + $1 : $1 * n + column)
            return $0 + Int(a[batch * m * k + row * k + $1]) * Int(b[place])
          })
      }
    }
    #expect(try product.integers() == expected)
  }

  /// Products of whole numbers are exact in any order of their sums: by the kernels of every instruction set and by OpenBLAS,
  /// with operands that are known and such that are not.
  @Test(arguments: 0..<60)
  func floatProductsOfRandomShapes(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    // Of more rows the kernels are asked, of few OpenBLAS is.
    let m = Int.random(in: 1...130, using: &random)
    let (n, k) = (Int.random(in: 1...40, using: &random), Int.random(in: 1...40, using: &random))
    let (ta, tb) = (Bool.random(using: &random), Bool.random(using: &random))
    let outer =
      [([Int](), [Int]()), ([3], []), ([], [3]), ([2, 1], [1, 3]), ([2, 3], [2, 3]), ([3], [1])]
      .randomElement(using: &random) ?? ([], [])
    func whole(_ shape: [Int]) throws -> Tensor {
      try floats((0..<shape.reduce(1, *)).map { _ in Float(Int.random(in: -9...9, using: &random)) }, shape)
    }
    let inputs = [
      try whole(outer.0 + (ta ? [k, m] : [m, k])), try whole(outer.1 + (tb ? [n, k] : [k, n])),
    ]
    let operation = BatchMatMul(transposeA: ta, transposeB: tb)
    let wanted = try expected(inputs, operation)
    #expect(try evaluate(operation, inputs).elements(of: Float.self) == wanted, "seed \(seed)")
    for kernels in KernelSet.available {
      for threads in [1, 2] {
        let found = try evaluateComputed(operation, inputs, kernels, threads: threads)
        #expect(found == wanted, "seed \(seed), \(kernels.name)")
      }
    }
  }

  /// The result, pair of matrices by pair.
  private func expected(_ inputs: [Tensor], _ operation: BatchMatMul) throws -> [Float] {
    let shapes = inputs.map { [Int](repeating: 1, count: 4 - $0.shape.rank) + $0.shape.dimensions }
    let (a, b) = (try inputs[0].elements(of: Float.self), try inputs[1].elements(of: Float.self))
    let (ta, tb) = (operation.transposeA, operation.transposeB)
    let (rows, depth) = (shapes[0][ta ? 3 : 2], shapes[0][ta ? 2 : 3])
    let columns = shapes[1][tb ? 2 : 3]
    var result: [Float] = []
    for first in 0..<max(shapes[0][0], shapes[1][0]) {
      for second in 0..<max(shapes[0][1], shapes[1][1]) {
        let (one, other) = (
          matrix(first, second, shapes[0]) * rows * depth, matrix(first, second, shapes[1]) * depth * columns
        )
        for row in 0..<rows {
          for column in 0..<columns {
            result.append(
              (0..<depth).reduce(0) { sum, k in
                sum + a[one + (ta ? k * rows + row : row * depth + k)]
                  * b[other + (tb ? column * depth + k : k * columns + column)]
              })
          }
        }
      }
    }
    return result
  }

  /// Which matrix of a stack meets those of a result, where extents of 1 broadcast.
  private func matrix(_ first: Int, _ second: Int, _ shape: [Int]) -> Int {
    (shape[0] == 1 ? 0 : first) * shape[1] + (shape[1] == 1 ? 0 : second)
  }

  /// The result for operands that are known only when the model runs.
  private func evaluateComputed(
    _ operation: BatchMatMul, _ inputs: [Tensor], _ kernels: KernelSet, threads: Int
  ) throws -> [Float] {
    let unknown = Operands(inputs: inputs.map(\.type), constants: [], declared: [])
    let types = try operation.outputTypes(unknown)
    let context = LoweringContext(operands: unknown, results: types, kernels: kernels, threads: threads)
    let results = try Evaluator.evaluate(
      operation.lowering(context),
      operands: Operands(inputs: inputs.map(\.type), constants: inputs, declared: []),
      results: types, threads: threads)
    return try #require(results.first).elements(of: Float.self)
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
