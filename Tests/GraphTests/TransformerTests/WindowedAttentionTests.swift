import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Attention whose queries see the keys near them only.
@Suite struct WindowedAttentionTests {
  private static let precisions = [Precision.float32, .bfloat16].filter(\.isAvailable)

  /// Texts shorter than the window, as long, and over several pieces of work.
  @Test(arguments: [0, 1, 4, 63, 64, 65, 130, 300], [false, true])
  func windowsGiveTheDefinition(_ window: Int, _ isCausal: Bool) throws {
    var random = SeededRandom()
    var test = AttentionCase(lengths: [1, 300, 0, window + 1, window + 2, 128, 129])
    (test.heads, test.headWidth, test.window, test.isCausal) = (2, 9, window, isCausal)
    test.trailingRows = 3
    let matrices = test.matrices(&random)
    let wanted = test.reference(matrices)
    for kernels in KernelSet.available {
      for precision in Self.precisions where precision.isAvailable(with: kernels) {
        let found = try test.run(matrices, kernels: kernels, precision: precision)
        let error = zip(found, wanted).map { abs(Double($0) - $1) }.max() ?? 0
        #expect(error <= (precision == .float32 ? 4e-6 : 0.03), "\(kernels.name) \(precision): \(error)")
      }
    }
  }

  /// Later queries of a piece see none of the keys that its first ones begin with.
  @Test(arguments: [130, 257, 300], [false, true])
  func piecesInTheMiddleGiveTheDefinition(_ window: Int, _ isCausal: Bool) throws {
    var random = SeededRandom()
    var test = AttentionCase(lengths: window < 256 ? [600, 800] : [1024 + window, 1025 + 3 * window, 2500])
    (test.heads, test.headWidth, test.window, test.isCausal) = (1, 4, window, isCausal)
    let matrices = test.matrices(&random)
    let wanted = test.reference(matrices)
    for kernels in KernelSet.available {
      for precision in Self.precisions where precision.isAvailable(with: kernels) {
        let found = try test.run(matrices, kernels: kernels, precision: precision)
        let error = zip(found, wanted).map { abs(Double($0) - $1) }.max() ?? 0
        #expect(error <= (precision == .float32 ? 4e-6 : 0.03), "\(kernels.name) \(precision): \(error)")
      }
    }
  }

  /// What a row gives depends neither on other segments nor on threads, bit for bit.
  @Test(arguments: precisions) func segmentsAreIndependent(_ precision: Precision) throws {
    var random = SeededRandom()
    var test = AttentionCase(lengths: [3, 0, 700, 6, 131, 5])
    (test.headWidth, test.window) = (12, 4)
    let matrices = test.matrices(&random)
    for kernels in KernelSet.available where precision.isAvailable(with: kernels) {
      let batch = try test.run(matrices, kernels: kernels, precision: precision)
      #expect(try test.run(matrices, kernels: kernels, threads: 5, precision: precision) == batch)
      for index in 0..<(test.querySegments.count - 1) {
        let (alone, part) = test.segment(index, matrices)
        let rows = Int(test.querySegments[index])..<Int(test.querySegments[index + 1])
        let found = try alone.run(part, kernels: kernels, precision: precision)
        let inBatch = Array(batch[(rows.lowerBound * test.width)..<(rows.upperBound * test.width)])
        #expect(found == inBatch, "\(kernels.name), segment \(index)")
      }
    }
  }

  /// The first row of each segment alone, as a model's last layer has it.
  @Test func singleQueriesSeeTheFirstKeys() throws {
    var random = SeededRandom()
    var test = AttentionCase(queries: [1, 1, 1], keys: [300, 1, 7])
    (test.headWidth, test.window) = (16, 5)
    let matrices = test.matrices(&random)
    let wanted = test.reference(matrices)
    for kernels in KernelSet.available {
      let found = try test.run(matrices, kernels: kernels)
      let error = zip(found, wanted).map { abs(Double($0) - $1) }.max() ?? 0
      #expect(error <= 4e-6, "\(kernels.name): \(error)")
    }
  }

  /// Work and memory follow the window: as much for each row of a text a hundred times as long.
  @Test func workGrowsWithTheWindow() throws {
    func cost(_ length: Int, _ window: Int?) throws -> Int {
      var test = AttentionCase(lengths: [length])
      test.window = window
      let types = try test.operands([]).map(\.type)
      let operands = Operands(inputs: types, constants: types.map { _ in nil }, declared: [])
      return test.operation.multiplyAccumulates(operands, results: []) / length
    }
    #expect(try cost(300, 8) == cost(30_000, 8))
    #expect(try cost(300, nil) * 100 == cost(30_000, nil))
    #expect(try cost(300, 1000) == cost(300, nil))
  }

  @Test func refusalsSayWhatIsWrong() throws {
    var test = AttentionCase(queries: [4], keys: [3])
    test.window = 1
    let error = try refusal(test.operation, test.operands([]))
    #expect(error.kind == .argument && error.problem.contains("segment 0 has 4 queries and 3 keys"))
    test = AttentionCase(lengths: [2])
    test.window = 1
    let mask = try floats([0, 0], [1, 1, 1, 2])
    let both = try refusal(test.operation, test.operands([]) + [mask])
    #expect(both.problem.contains("a window of 1 beside a mask"))
    test.window = -1
    let negative = try refusal(test.operation, test.operands([]))
    #expect(negative.problem.contains("a window of -1"))
  }
}
