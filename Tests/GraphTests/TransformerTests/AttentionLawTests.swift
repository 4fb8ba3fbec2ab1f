import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// What attention promises beyond its numbers: independence of everything that a row does not see.
@Suite struct AttentionLawTests {
  private static let precisions = [Precision.float32, .bfloat16].filter(\.isAvailable)

  /// A segment's rows are bit for bit the same alone and in any batch, empty segments among it.
  @Test(arguments: precisions) func segmentsAreIndependent(_ precision: Precision) throws {
    var random = SeededRandom()
    var test = AttentionCase(lengths: [0, 17, 1, 0, 33, 64, 2, 0])
    test.headWidth = 20
    for isCausal in [false, true] {
      test.isCausal = isCausal
      let matrices = test.matrices(&random)
      for kernels in KernelSet.available where precision.isAvailable(with: kernels) {
        let batch = try test.run(matrices, kernels: kernels, precision: precision)
        for index in 0..<(test.querySegments.count - 1) {
          let (alone, part) = test.segment(index, matrices)
          let rows = Int(test.querySegments[index])..<Int(test.querySegments[index + 1])
          let found = try alone.run(part, kernels: kernels, precision: precision)
          let inBatch = batch[(rows.lowerBound * test.width)..<(rows.upperBound * test.width)]
          #expect(found == Array(inBatch), "\(kernels.name), segment \(index), seed \(random.seed)")
        }
      }
    }
  }

  /// Threads share the work in other pieces, and the result stays the same bit for bit.
  @Test(arguments: precisions) func threadsDoNotMatter(_ precision: Precision) throws {
    var random = SeededRandom()
    for lengths in [[700], [3, 300, 1, 40], [1]] {
      var test = AttentionCase(lengths: lengths)
      test.headWidth = 16
      test.heads = 3
      for isCausal in [false, true] {
        test.isCausal = isCausal
        let matrices = test.matrices(&random)
        let one = try test.run(matrices, precision: precision)
        for threads in [2, 7] {
          let found = try test.run(matrices, threads: threads, precision: precision)
          #expect(found == one, "\(threads) threads, \(test)")
        }
      }
    }
  }

  /// A query's row does not depend on which other queries there are, nor on its place among them.
  @Test func queriesAreIndependent() throws {
    var random = SeededRandom()
    var test = AttentionCase(queries: [150], keys: [600])
    test.headWidth = 13
    let matrices = test.matrices(&random)
    for kernels in KernelSet.available {
      let all = try test.run(matrices, kernels: kernels)
      for first in [1, 15, 37, 149] {
        var fewer = test
        fewer.querySegments = [0, Int32(150 - first)]
        let rows = [Array(matrices[0].dropFirst(first * test.columns[0])), matrices[1], matrices[2]]
        let found = try fewer.run(rows, kernels: kernels)
        #expect(found == Array(all.dropFirst(first * test.width)), "\(kernels.name) from \(first)")
      }
    }
  }

  /// Causal rows do not depend on later keys and values, as long as these are finite.
  @Test func causalRowsIgnoreWhatFollows() throws {
    var random = SeededRandom()
    var test = AttentionCase(queries: [330], keys: [330])
    test.isCausal = true
    let matrices = test.matrices(&random)
    for kernels in KernelSet.available {
      let found = try test.run(matrices, kernels: kernels)
      for seen in [1, 5, 32, 100, 299] {
        var changed = matrices
        for (index, columns) in [(1, test.columns[1]), (2, test.columns[2])] {
          for place in (seen * columns)..<changed[index].count { changed[index][place] = 1e6 }
        }
        let other = try test.run(changed, kernels: kernels)
        #expect(other.prefix(seen * test.width) == found.prefix(seen * test.width), "\(kernels.name) \(seen)")
      }
    }
  }

  /// Rows of no segment and rows that see no key are zero, and what lies outside the segments is not read.
  @Test func rowsOutsideAreZero() throws {
    var random = SeededRandom()
    var test = AttentionCase(queries: [3, 4, 5], keys: [6, 0, 2])
    test.querySegments = [2, 5, 9, 14]
    test.keySegments = [1, 7, 7, 9]
    test.trailingRows = 3
    var matrices = test.matrices(&random)
    for index in 1...2 {
      let columns = test.columns[index]
      for row in [0, 9, 10, 11] {
        for column in 0..<columns { matrices[index][row * columns + column] = .nan }
      }
    }
    let found = try test.run(matrices)
    let rows = (0..<test.queryRows).map { found[($0 * test.width)..<(($0 + 1) * test.width)] }
    for row in [0, 1, 5, 6, 7, 8, 14, 15, 16] { #expect(rows[row].allSatisfy { $0 == 0 }, "row \(row)") }
    for row in [2, 3, 4, 9, 13] { #expect(rows[row].allSatisfy { $0.isFinite && $0 != 0 }, "row \(row)") }
  }

  /// With one score far above the others the result is that key's value, exactly, and nothing overflows.
  @Test func theGreatestScoreTakesAll() throws {
    for kernels in KernelSet.available {
      for scale in [Float(1e4), 1e30] {
        var test = AttentionCase(queries: [3], keys: [300])
        (test.heads, test.headWidth, test.scale) = (1, 4, scale)
        var keys = [Float](repeating: 0, count: 300 * 5)
        keys[277 * 5] = 2
        let queries: [Float] = [1, 0, 0, 0, 9, 3, 0, 0, 0, 9, 1, 0, 0, 0, 9]
        let values = (0..<1500).map { Float($0) }
        let found = try test.run([queries, keys, values], kernels: kernels)
        let row: [Float] = [1385, 1386, 1387, 1388]
        #expect(found == row + row + row, "\(kernels.name) \(scale)")
      }
    }
  }

  /// Numbers that are none spread to the rows that see them and to no others.
  @Test(arguments: [Float.nan, .infinity, -.infinity]) func whatIsNoNumber(_ bad: Float) throws {
    var random = SeededRandom()
    let test = AttentionCase(queries: [40, 9], keys: [23, 30])
    let matrices = test.matrices(&random)
    for kernels in KernelSet.available {
      let good = try test.run(matrices, kernels: kernels)
      var queries = matrices
      queries[0][7 * test.columns[0] + 2] = bad
      let first = try test.run(queries, kernels: kernels)
      let row = 7 * test.width
      #expect(first[row..<(row + test.headWidth)].allSatisfy { $0.isNaN }, "\(kernels.name)")
      let end = row + test.headWidth
      #expect(first[..<row] == good[..<row])
      #expect(first[end...] == good[end...])
      var values = matrices
      values[2][30 * test.columns[2]] = bad
      let second = try test.run(values, kernels: kernels)
      #expect(second[..<(40 * test.width)] == good[..<(40 * test.width)])
      for row in 40..<49 { #expect(!second[row * test.width].isFinite, "\(kernels.name) row \(row)") }
    }
  }
}
