import Foundation
import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Attention with a mask against its definition in double precision, on every instruction set.
@Suite struct MaskedAttentionTests {
  /// The axes of the mask that are not 1, of sequences, heads and queries.
  @Test(arguments: [[2, 3, 1], [1, 1, 1], [2, 1, 40], [1, 3, 40], [2, 3, 40]], [17, 300])
  func masksAreAdded(outer: [Int], keys: Int) throws {
    var random = SeededRandom()
    var test = AttentionCase(queries: [40, 40], keys: [keys, keys])
    (test.heads, test.headWidth) = (3, 9)
    let matrices = test.matrices(&random)
    let shape = outer + [keys]
    // Some keys are hidden, the first block of some queries' whole.
    let mask = random.floats(shape.reduce(1, *), -4...4).enumerated().map { index, number in
      number > 3 || index % keys < 260 && keys > 260 && index / keys % 3 == 0 ? -Float.infinity : number
    }
    let wanted = reference(test, matrices, mask, shape)
    for kernels in KernelSet.available {
      let found = try run(test, matrices, mask, shape, kernels)
      let error = zip(found, wanted).map { abs(Double($0) - $1) }.max() ?? 0
      #expect(error <= 4e-6, "\(kernels.name): \(error)")
    }
  }

  /// A query from which all keys are hidden by the least number sees them alike; by minus infinity, its result is none.
  @Test func hiddenRows() throws {
    let test = AttentionCase(queries: [2], keys: [3])
    var random = SeededRandom()
    let matrices = test.matrices(&random)
    for kernels in KernelSet.available {
      let least = [Float](repeating: -.greatestFiniteMagnitude, count: 3)
      let found = try run(test, matrices, least, [1, 1, 1, 3], kernels)
      let wanted = reference(test, matrices, [0, 0, 0], [1, 1, 1, 3], isUniform: true)
      #expect(zip(found, wanted).allSatisfy { abs(Double($0) - $1) < 1e-6 }, "\(kernels.name)")
      let infinite = [Float](repeating: -.infinity, count: 3)
      #expect(
        try run(test, matrices, infinite, [1, 1, 1, 3], kernels).allSatisfy(\.isNaN), "\(kernels.name)")
    }
  }

  @Test func masksThatAreTooSmall() throws {
    let test = AttentionCase(lengths: [4, 6])
    let operands = try test.operands([])
    let small = try floats([Float](repeating: 0, count: 20), [1, 1, 4, 5])
    #expect(
      try refusal(test.operation, operands + [small]).problem.contains("segment 1 has 6 queries and 6 keys"))
    let odd = try floats([Float](repeating: 0, count: 108), [3, 1, 6, 6])
    #expect(try refusal(test.operation, operands + [odd]).expected?.contains("1 or 2 segments") == true)
  }

  /// A mask by distances gives the bits of one by positions with the same numbers.
  @Test(arguments: [1, 2, 3, 17, 131, 300])
  func distancesStandForPositions(_ length: Int) throws {
    var random = SeededRandom()
    let distances = 2 * length - 1
    let numbers = random.floats(3 * distances, -4...4)
    var positions: [Float] = []
    for head in 0..<3 {
      for query in 0..<length {
        for key in 0..<length { positions.append(numbers[head * distances + length - 1 + key - query]) }
      }
    }
    let cases = [
      AttentionCase(lengths: [length, (length + 1) / 2, 1]),
      // So few heads and segments that the queries of one are shared out.
      AttentionCase(lengths: [length]),
      // The first row of each sequence alone.
      AttentionCase(queries: [1, 1, 1], keys: [length, 1, (length + 1) / 2]),
    ]
    for var test in cases {
      (test.heads, test.headWidth) = (3, 9)
      let matrices = test.matrices(&random)
      for kernels in KernelSet.available {
        for precision in [Precision.float32, .bfloat16] where precision.isAvailable(with: kernels) {
          test.maskForm = .distances
          let found = try run(test, matrices, numbers, [1, 3, 1, distances], kernels, precision)
          test.maskForm = .positions
          let wanted = try run(test, matrices, positions, [1, 3, length, length], kernels, precision)
          #expect(found == wanted, "\(kernels.name) \(precision): \(test)")
        }
      }
    }
  }

  /// Masks that segments take in an order, over and over, give the bits of one for each segment.
  @Test(arguments: [[0, 1, 1, 2], [2, 0], [1]])
  func segmentsTakeMasksInOrder(_ order: [Int]) throws {
    var random = SeededRandom()
    var test = AttentionCase(lengths: [5, 5, 3, 5, 0, 5, 1, 5])
    (test.heads, test.headWidth) = (3, 9)
    let matrices = test.matrices(&random)
    // For each of three heads and 5 × 5 positions.
    let size = 75
    let masks = random.floats(3 * size, -4...4)
    var repeated: [Float] = []
    for segment in 0..<8 {
      let first = order[segment % order.count] * size
      repeated += masks[first..<first + size]
    }
    for kernels in KernelSet.available {
      for precision in [Precision.float32, .bfloat16] where precision.isAvailable(with: kernels) {
        test.maskOrder = order
        let found = try run(test, matrices, masks, [3, 3, 5, 5], kernels, precision)
        test.maskOrder = []
        let wanted = try run(test, matrices, repeated, [8, 3, 5, 5], kernels, precision)
        #expect(found == wanted, "\(kernels.name) \(precision): \(order)")
      }
    }
  }

  @Test func ordersThatNameNoMask() throws {
    var test = AttentionCase(lengths: [2, 2, 2, 2])
    let operands = try test.operands([])
    let masks = try floats([Float](repeating: 0, count: 8), [2, 1, 2, 2])
    for order in [[0, 2], [0, -1], [0, 1, 1]] {
      test.maskOrder = order
      let error = try refusal(test.operation, operands + [masks])
      #expect(error.problem == "an order of \(order.count) masks for 4 segments")
    }
    test.maskOrder = [0, 1]
    let heads = try refusal(
      test.operation, operands + [floats([Float](repeating: 0, count: 24), [2, 3, 2, 2])])
    #expect(heads.expected == "1 or 2 heads")
    let missing = try refusal(test.operation, operands)
    #expect(missing.problem == "an order of masks" && missing.expected == "a mask with it")
  }

  @Test func distancesThatAreTooFew() throws {
    var test = AttentionCase(lengths: [2])
    test.maskForm = .distances
    let operands = try test.operands([])
    let one = try floats([0], [1, 1, 1, 1])
    #expect(
      try refusal(test.operation, operands + [one]).problem.contains("segment 0 has 2 queries and 2 keys"))
    let even = try floats([Float](repeating: 0, count: 4), [1, 1, 1, 4])
    #expect(try refusal(test.operation, operands + [even]).expected?.contains("an odd number") == true)
    let rows = try floats([Float](repeating: 0, count: 6), [1, 1, 2, 3])
    #expect(try refusal(test.operation, operands + [rows]).expected?.contains("an odd number") == true)
  }

  private func run(
    _ test: AttentionCase, _ matrices: [[Float]], _ mask: [Float], _ shape: [Int], _ kernels: KernelSet,
    _ precision: Precision = .float32
  ) throws -> [Float] {
    let tensors = try test.operands(matrices) + [floats(mask, shape)]
    var builder = GraphBuilder(kernels: kernels)
    let inputs = tensors.enumerated().map { builder.input("\($0)", $1.type) }
    builder.output(try builder.add(test.operation, inputs, results: [.init("result")], label: "attention")[0])
    var options = CompileOptions()
    options.kernels = kernels
    options.precision = precision
    return try Compiler.compile(builder.graph, options).run(tensors)[0].elements(of: Float.self)
  }

  private func reference(
    _ test: AttentionCase, _ matrices: [[Float]], _ mask: [Float], _ shape: [Int], isUniform: Bool = false
  ) -> [Double] {
    let (queries, keys, width) = (Int(test.querySegments[1]), Int(test.keySegments[1]), test.headWidth)
    let steps = [shape[1] * shape[2] * keys, shape[2] * keys, keys]
    var result: [Double] = []
    for row in 0..<test.queryRows {
      let (segment, query) = row.quotientAndRemainder(dividingBy: queries)
      for head in 0..<test.heads {
        let place = zip([segment, head, query], zip(steps, shape)).reduce(0) {
          $0 + ($1.1.1 == 1 ? 0 : $1.0 * $1.1.0)
        }
        let scores = (0..<keys).map { key in
          let sum = (0..<width).reduce(0.0) { sum, column in
            sum + Double(matrices[0][row * test.columns[0] + head * width + column])
              * Double(matrices[1][(segment * keys + key) * test.columns[1] + head * width + column])
          }
          return isUniform ? 0 : sum * Double(test.scale) + Double(mask[place + key])
        }
        let greatest = scores.max() ?? 0
        let weights = scores.map { exp($0 - greatest) }
        let total = weights.reduce(0, +)
        for column in 0..<width {
          result.append(
            (0..<keys).reduce(0.0) { sum, key in
              sum + weights[key] / total
                * Double(matrices[2][(segment * keys + key) * test.columns[2] + head * width + column])
            })
        }
      }
    }
    return result
  }
}
