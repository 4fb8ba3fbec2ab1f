import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Linear layers against sums in double precision.
@Suite struct LinearTests {
  static let activations: [LinearActivation] = [
    .none, .relu, .tanh, .gelu(.exact), .gelu(.tanh), .gelu(.sigmoid), .swish, .hardSwish,
  ]

  @Test(arguments: [DataType.float32, .float16, .bfloat16, .int8])
  func everyStoredType(_ storage: DataType) throws {
    var random = SeededRandom()
    for (shape, columns) in [
      ([1, 5], [3]), ([2, 3, 7], [16, 33]), ([50, 64], [32, 32, 32]), ([13, 130], [70, 1]),
    ] {
      for hasBias in [true, false] {
        let test = LinearCase(shape: shape, columns: columns, storage: storage, hasBias: hasBias)
        try expectClose(test, 1e-5, &random)
      }
    }
  }

  @Test(arguments: activations)
  func everyActivation(_ activation: LinearActivation) throws {
    var random = SeededRandom()
    for columns in [[5], [32], [47]] {
      try expectClose(LinearCase(shape: [14, 40], columns: columns, activation: activation), 2e-5, &random)
    }
  }

  /// Each element of a result is off by no more than the roundings of its operands can add up to.
  @Test(arguments: [Precision.bfloat16, .int8], KernelSet.available.map(\.name))
  func everyPrecision(_ precision: Precision, _ name: String) throws {
    var random = SeededRandom()
    let kernels = try KernelSet.named(name)
    guard precision.isAvailable(with: kernels) else { return }
    for (shape, columns) in [
      ([1, 5], [3]), ([7, 65], [16, 33]), ([50, 64], [32, 32]), ([1200, 37], [40, 1]),
    ] {
      for storage in [DataType.float32, .float16, .bfloat16, .int8] {
        for threads in [1, 2] {
          let test = LinearCase(
            shape: shape, columns: columns, storage: storage, precision: precision, kernels: kernels,
            threads: threads)
          try expectClose(test, 0.012 * Double(test.depth).squareRoot(), &random)
        }
      }
    }
  }

  private func expectClose(_ test: LinearCase, _ tolerance: Double, _ random: inout SeededRandom) throws {
    let operands = try test.operands(&random)
    let found = try test.run(operands)
    for (found, wanted) in zip(found, try test.expected(operands)) {
      #expect(abs(Double(found) - wanted) <= tolerance * max(1, abs(wanted)), "\(test) seed \(random.seed)")
    }
  }
}
