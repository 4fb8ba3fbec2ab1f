import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Attention against its definition in double precision, on every instruction set.
@Suite struct AttentionTests {
  /// The bound in float32, for values up to 1 and S the greatest sum of absolute products of a score.
  private func float32Bound(_ magnitude: Double) -> Double { 2e-6 * max(1, magnitude / 8) }

  /// The bound with bfloat16 products: weights and values are rounded by 2⁻⁹ each, scores are off by 2⁻⁸ S,
  /// which moves as much as twice that of the weights.
  private func bfloat16Bound(_ magnitude: Double) -> Double { (1 + 2 * magnitude) / 256 + 2e-6 }

  private func check(
    _ test: AttentionCase, _ random: inout SeededRandom, precision: Precision = .float32
  ) throws {
    let matrices = test.matrices(&random)
    let wanted = test.reference(matrices)
    let magnitude = test.scoreMagnitude(matrices)
    let greatest = Double(matrices[2].map(abs).max() ?? 0)
    for kernels in KernelSet.available where precision.isAvailable(with: kernels) {
      let found = try test.run(matrices, kernels: kernels, precision: precision)
      let bound = precision == .float32 ? float32Bound(magnitude) : bfloat16Bound(magnitude)
      let error = zip(found, wanted).map { abs(Double($0) - $1) }.max() ?? 0
      #expect(found.count == wanted.count)
      #expect(error <= bound * greatest, "\(kernels.name): \(error) in \(test), seed \(random.seed)")
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

  /// One head of keys for all, one for each, and what is between, in both precisions; segments with and without a window.
  @Test(arguments: [(1, 1), (4, 1), (4, 2), (4, 4), (6, 1), (6, 2), (6, 3), (6, 6), (16, 8)])
  func headsOfQueriesShareThoseOfKeys(_ heads: Int, _ keyHeads: Int) throws {
    var random = SeededRandom()
    for isCausal in [false, true] {
      for window in [nil, 3] as [Int?] {
        var test = AttentionCase(lengths: [17, 0, 40, 1])
        (test.heads, test.keyHeads, test.headWidth) = (heads, keyHeads, 12)
        (test.isCausal, test.window) = (isCausal, window)
        try check(test, &random)
        try check(test, &random, precision: .bfloat16)
      }
      var test = AttentionCase(queries: [5, 9], keys: [33, 9])
      (test.heads, test.keyHeads, test.isCausal) = (heads, keyHeads, isCausal)
      test.offsets = [3, 8, 1]
      try check(test, &random)
    }
  }

  /// More keys than a block and more queries than a piece of work, causal and not, one query for many keys.
  @Test func longSegments() throws {
    var random = SeededRandom()
    for (queries, keys) in [(300, 300), (150, 517), (1, 1024), (513, 7)] {
      var test = AttentionCase(queries: [queries], keys: [keys])
      test.heads = 1
      test.headWidth = 24
      try check(test, &random)
      test.isCausal = true
      try check(test, &random)
    }
  }

  /// Shapes, offsets, scales and magnitudes at random.
  @Test(arguments: 0..<40) func randomCases(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let segments = Int.random(in: 0...4, using: &random)
    func lengths(_ greatest: Int) -> [Int] {
      (0..<segments).map { _ in Int.random(in: 0...greatest, using: &random) }
    }
    let greatest = Int.random(in: 1...90, using: &random)
    var test = AttentionCase(queries: lengths(greatest), keys: lengths(greatest))
    if Bool.random(using: &random) { test = AttentionCase(lengths: lengths(greatest)) }
    test.heads = Int.random(in: 1...6, using: &random)
    test.keyHeads = (1...6).filter { test.heads % $0 == 0 }.randomElement(using: &random)
    test.headWidth = Int.random(in: 1...80, using: &random)
    test.isCausal = Bool.random(using: &random)
    test.offsets = (0..<3).map { _ in Int.random(in: 0...20, using: &random) }
    test.scale = Float.random(in: -0.5...0.5, using: &random)
    test.magnitude = Float.random(in: 0.1...4, using: &random)
    test.trailingRows = Int.random(in: 0...2, using: &random)
    try check(test, &random)
    try check(test, &random, precision: .bfloat16)
  }

  /// A product of bfloat16 is used where the processor has it, for int8 models too, and named in reports.
  @Test(arguments: Precision.allCases) func precisionDecidesTheKernel(_ precision: Precision) throws {
    let test = AttentionCase(lengths: [3])
    let types = try test.operands([]).map(\.type)
    let operands = Operands(inputs: types, constants: types.map { _ in nil }, declared: [])
    let results = try test.operation.outputTypes(operands)
    for kernels in KernelSet.available where precision.isAvailable(with: kernels) {
      let isNarrow = precision != .float32 && kernels.bfloat16.hasProducts
      let lowering = try test.operation.lower(
        LoweringContext(operands: operands, results: results, kernels: kernels, precision: precision))
      #expect(lowering.kernel == "attention \(isNarrow ? "bf16" : "f32")")
      #expect(lowering.products == (isNarrow ? .bfloat16 : .float32))
    }
  }
}
