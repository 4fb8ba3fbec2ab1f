import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

private let buckets = 5

/// Attention to whose products numbers of queries and keys are added by buckets of distances: the bits of a mask that says
/// the same of each position.
@Suite struct BucketedAttentionTests {
  /// The numbers of all queries and all keys, and the bucket of each distance.
  private struct Terms {
    let ofQueries: [Float]
    let ofKeys: [Float]
    let table: [Int32]
    let length: Int

    init(_ test: AttentionCase, length: Int, _ random: inout SeededRandom) {
      ofQueries = random.floats(test.heads * test.queryRows * buckets, -4...4)
      ofKeys = random.floats(test.heads * test.keyRows * buckets, -4...4)
      table = (0..<(2 * length - 1)).map { _ in Int32.random(in: 0..<Int32(buckets), using: &random) }
      self.length = length
    }

    func operands(_ test: AttentionCase, queries: Bool, keys: Bool) throws -> [Tensor?] {
      [
        queries ? try floats(ofQueries, [test.heads, test.queryRows, buckets]) : nil,
        keys ? try floats(ofKeys, [test.heads, test.keyRows, buckets]) : nil, try integers(table),
      ]
    }

    /// A mask by positions, [segments, heads, queries, keys] of the longest segment.
    func mask(_ test: AttentionCase, queries: Bool, keys: Bool) throws -> Tensor {
      let segments = test.querySegments.count - 1
      let longest = (0..<segments).map { Int(test.querySegments[$0 + 1] - test.querySegments[$0]) }.max() ?? 0
      var numbers = [Float](repeating: 0, count: segments * test.heads * longest * length)
      for segment in 0..<segments {
        let (firstQuery, firstKey) = (Int(test.querySegments[segment]), Int(test.keySegments[segment]))
        for head in 0..<test.heads {
          for query in 0..<(Int(test.querySegments[segment + 1]) - firstQuery) {
            for key in 0..<(Int(test.keySegments[segment + 1]) - firstKey) {
              let bucket = Int(table[length - 1 + key - query])
              let row = (head * test.queryRows + firstQuery + query) * buckets + bucket
              let column = (head * test.keyRows + firstKey + key) * buckets + bucket
              let sum = (queries ? ofQueries[row] : 0) + (keys ? ofKeys[column] : 0)
              numbers[((segment * test.heads + head) * longest + query) * length + key] = sum
            }
          }
        }
      }
      return try floats(numbers, [segments, test.heads, longest, length])
    }
  }

  @Test(arguments: [1, 2, 9, 131, 300])
  func termsStandForAMask(_ length: Int) throws {
    var random = SeededRandom()
    let cases = [
      AttentionCase(lengths: [length, (length + 1) / 2, 1]),
      // So few heads and segments that the queries of one are shared out.
      AttentionCase(lengths: [length]),
      // The first row of each sequence alone.
      AttentionCase(queries: [1, 1, 1], keys: [length, 1, (length + 1) / 2]),
    ]
    for var test in cases {
      (test.heads, test.headWidth, test.trailingRows) = (3, 9, 2)
      let matrices = test.matrices(&random)
      // Buckets may be there for longer segments.
      let terms = Terms(test, length: length + 3, &random)
      for (queries, keys) in [(true, true), (true, false), (false, true)] {
        let operands: [Tensor?] = try test.operands(matrices)
        let (own, mask) = (
          try terms.operands(test, queries: queries, keys: keys),
          try terms.mask(test, queries: queries, keys: keys)
        )
        for kernels in KernelSet.available {
          for precision in [Precision.float32, .bfloat16] where precision.isAvailable(with: kernels) {
            test.maskForm = .positions
            let wanted = try run(test, operands + [mask], kernels, precision)
            test.maskForm = .buckets
            for threads in [1, 4] {
              let found = try run(test, operands + own, kernels, precision, threads: threads)
              #expect(found == wanted, "\(kernels.name) \(precision) \(threads): \(test)")
            }
          }
        }
      }
    }
  }

  @Test func refusalsSayWhatIsWrong() throws {
    var test = AttentionCase(lengths: [2])
    test.maskForm = .buckets
    let operation = test.operation
    let operands = try test.operands([])
    let terms = try floats([Float](repeating: 0, count: 12), [2, 2, 3])
    func problem(_ a: Tensor, _ b: Tensor, _ table: [Int32]) throws -> String {
      let error = try refusal(operation, operands + [a, b, integers(table)])
      return "\(error.problem), expected \(error.expected ?? "")"
    }
    #expect(try problem(terms, terms, [0, 1, 2, 0]).contains("an odd number"))
    #expect(try problem(terms, terms, [0, 1, 3]).contains("the bucket 3"))
    #expect(try problem(terms, terms, [0, -1, 2]).contains("the bucket -1"))
    #expect(try problem(terms, terms, [0]).contains("segment 0 has 2 queries and 2 keys"))
    let other = try floats([Float](repeating: 0, count: 8), [2, 2, 2])
    #expect(try problem(terms, other, [0, 1, 2]).contains("[2, 2, 3]"))
    let heads = try floats([Float](repeating: 0, count: 6), [1, 2, 3])
    #expect(try problem(heads, terms, [0, 1, 2]).contains("[2, 2, buckets]"))
    #expect(try refusal(operation, operands + [terms]).expected == "8")
  }

  private func run(
    _ test: AttentionCase, _ operands: [Tensor?], _ kernels: KernelSet, _ precision: Precision,
    threads: Int = 1
  ) throws -> [Float] {
    var builder = GraphBuilder(kernels: kernels)
    var (inputs, values): ([Tensor], [Value?]) = ([], [])
    for (index, tensor) in operands.enumerated() {
      guard let tensor else {
        values.append(nil)
        continue
      }
      if index == 7 {
        values.append(builder.constant("buckets", tensor))
      } else {
        values.append(builder.input("\(index)", tensor.type))
        inputs.append(tensor)
      }
    }
    builder.output(try builder.add(test.operation, values, results: [.init("result")], label: "attention")[0])
    var options = CompileOptions()
    (options.kernels, options.precision, options.threads) = (kernels, precision, threads)
    return try Compiler.compile(builder.graph, options).run(inputs)[0].elements(of: Float.self)
  }
}
