import Kernels
import TensorCore
import TestSupport
import Testing

@testable import Graph

/// Attention against its definition in double precision, on every instruction set.
@Suite struct AttentionTests {
  /// The error in float32, relative to the largest value: |v| ≤ 1 in these cases.
  static let float32 = 2e-6

  private func check(_ test: AttentionCase, _ random: inout SeededRandom) throws {
    let matrices = test.matrices(&random)
    let wanted = test.reference(matrices)
    for kernels in KernelSet.available {
      let found = try test.run(matrices, kernels: kernels)
      let error = zip(found, wanted).map { abs(Double($0) - $1) }.max() ?? 0
      #expect(found.count == wanted.count)
      #expect(error <= Self.float32, "\(kernels.name): \(error) in \(test), seed \(random.seed)")
    }
  }

  @Test func lengthsUpToSeventy() throws {
    var random = SeededRandom()
    for length in 1...70 {
      var test = AttentionCase(lengths: [length])
      test.headWidth = 1 + length % 37
      test.isCausal = length % 2 == 0
      try check(test, &random)
    }
  }

  @Test func headWidthsUpToEighty() throws {
    var random = SeededRandom()
    for width in 1...80 {
      var test = AttentionCase(queries: [1 + width % 29], keys: [1 + width % 41])
      test.headWidth = width
      test.heads = 1 + width % 3
      test.offsets = [width % 5, width % 7, 3]
      try check(test, &random)
    }
  }
}
