import CIntrinsics
import Kernels
import TensorCore
import TestSupport
import Testing

/// The attention kernels that no model reaches on every processor.
@Suite struct AttentionKernelTests {
  /// Elements at random, a head at column 3 of rows of `columns`.
  private struct Head {
    let (queryCount, keyCount, width): (Int, Int, Int)
    let columns: Int
    let matrix: [Float]

    init(queries: Int, keys: Int, width: Int, _ random: inout SeededRandom) {
      (queryCount, keyCount, self.width) = (queries, keys, width)
      columns = width + 5
      matrix = random.floats(max(queries, keys) * columns)
    }

    /// The result of a kernel, in rows of `width`.
    func run(
      _ kernel: (UnsafePointer<ApusAttention>) -> Void, _ scratchByteCount: (Int, Int) -> Int
    ) throws -> [Float] {
      let scratch = try TensorStorage(byteCount: scratchByteCount(queryCount, width))
      var result = [Float](repeating: .nan, count: queryCount * width)
      matrix.withUnsafeBytes { matrix in
        result.withUnsafeMutableBytes { result in
          guard let base = matrix.baseAddress, let target = result.baseAddress else { return }
          var call = ApusAttention(
            queries: base + 12, queryStride: 4 * columns, keys: base + 8, keyStride: 4 * columns,
            values: base + 4, valueStride: 4 * columns, result: target, resultStride: 4 * width,
            queryCount: queryCount, keyCount: keyCount, headWidth: width, firstQuery: 0, isCausal: 0,
            scale: 0.25, mask: nil, maskStride: 0, zeroesHidden: 0, scratch: scratch.base)
          kernel(&call)
        }
      }
      return result
    }
  }

  /// bfloat16 products lose what they must and no more, whether the processor does them or not.
  @Test(arguments: KernelSet.available.map(\.name)) func bfloat16(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for keys in [1, 2, 3, 17, 40, 259, 513] {
      for width in [1, 2, 7, 16, 33, 64, 72] {
        let head = Head(queries: 1 + keys % 37, keys: keys, width: width, &random)
        let narrow = try head.run(kernels.bfloat16.attention, kernels.bfloat16.attentionScratchByteCount)
        let wide = try head.run(kernels.float.attention, kernels.float.attentionScratchByteCount)
        // Scores are sums of at most `width` products below ¼; see the bound of the operation.
        let bound = (1 + 2 * Float(width) / 4) / 256
        let error = zip(narrow, wide).map { abs($0 - $1) }.max() ?? 0
        #expect(error <= bound, "\(name): \(keys) keys, width \(width): \(error), seed \(random.seed)")
      }
    }
  }

  /// With one key the result is its value, rounded to bfloat16 where products are.
  @Test(arguments: KernelSet.available.map(\.name)) func oneKeyIsItsValue(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    for width in 1...40 {
      var random = SeededRandom()
      let head = Head(queries: 3, keys: 1, width: width, &random)
      let wanted = Array(head.matrix[1..<(1 + width)])
      let wide = try head.run(kernels.float.attention, kernels.float.attentionScratchByteCount)
      #expect(wide == wanted + wanted + wanted, "\(name) width \(width)")
      let rounded = try head.run(kernels.bfloat16.attention, kernels.bfloat16.attentionScratchByteCount)
      #expect(zip(rounded, wide).allSatisfy { abs($0 - $1) <= abs($1) / 256 }, "\(name) width \(width)")
    }
  }
}
