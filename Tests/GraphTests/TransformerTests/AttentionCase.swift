import Foundation
import Kernels
import TensorCore
import TestSupport

@testable import Graph

/// One call of attention with random elements: queries, keys and values lie in one matrix [T, …] when
/// `isSelfAttention`, else in three of their own.
struct AttentionCase {
  var heads = 2
  var headWidth = 8
  var scale: Float = 0.3
  var isCausal = false
  var querySegments: [Int32]
  var keySegments: [Int32]
  var isSelfAttention = false
  /// Columns before the first head of the queries, keys and values.
  var offsets = [0, 0, 0]
  /// Rows after those of the last segment.
  var trailingRows = 0
  /// Bound of the random elements.
  var magnitude: Float = 1

  /// Keys and queries alike, in segments of these lengths.
  init(lengths: [Int]) {
    querySegments = Self.bounds(lengths)
    keySegments = querySegments
    isSelfAttention = true
  }

  init(queries: [Int], keys: [Int]) {
    querySegments = Self.bounds(queries)
    keySegments = Self.bounds(keys)
  }

  static func bounds(_ lengths: [Int]) -> [Int32] {
    lengths.reduce(into: [Int32(0)]) { $0.append($0[$0.count - 1] + Int32($1)) }
  }

  var width: Int { heads * headWidth }
  var queryRows: Int { Int(querySegments.last ?? 0) + trailingRows }
  var keyRows: Int { Int(keySegments.last ?? 0) + trailingRows }

  /// Columns of the queries', keys' and values' matrices, the first three being one when self-attending.
  var columns: [Int] {
    isSelfAttention ? [3 * width, 3 * width, 3 * width] : offsets.map { $0 + width + 1 }
  }

  var operation: Attention {
    let places = isSelfAttention ? [0, width, 2 * width] : offsets
    return Attention(
      heads: heads, headWidth: headWidth, scale: scale, isCausal: isCausal, queryOffset: places[0],
      keyOffset: places[1], valueOffset: places[2])
  }

  /// The three matrices; one thrice when self-attending.
  func matrices(_ random: inout SeededRandom) -> [[Float]] {
    if isSelfAttention {
      let one = random.floats(queryRows * columns[0], -magnitude...magnitude)
      return [one, one, one]
    }
    return zip([queryRows, keyRows, keyRows], columns).map { random.floats($0 * $1, -magnitude...magnitude) }
  }

  func operands(_ matrices: [[Float]]) throws -> [Tensor] {
    var tensors: [Tensor] = []
    for (index, elements) in matrices.enumerated() {
      let rows = index == 0 ? queryRows : keyRows
      tensors.append(try Tensor(elements, shape: Shape([rows, columns[index]])))
    }
    return tensors + [
      try Tensor(querySegments, shape: .vector(querySegments.count)),
      try Tensor(keySegments, shape: .vector(keySegments.count)),
    ]
  }

  /// What the definition gives in double precision.
  func reference(_ matrices: [[Float]]) -> [Double] {
    let (q, k, v) = (matrices[0], matrices[1], matrices[2])
    let operation = operation
    var result = [Double](repeating: 0, count: queryRows * width)
    for segment in 0..<(querySegments.count - 1) {
      let queries = Int(querySegments[segment])..<Int(querySegments[segment + 1])
      let keys = Int(keySegments[segment])..<Int(keySegments[segment + 1])
      for (position, row) in queries.enumerated() {
        let seen = isCausal ? keys.prefix(position + 1) : keys
        for head in 0..<heads {
          let start = head * headWidth
          let scores = seen.map { key in
            Double(scale)
              * (0..<headWidth).reduce(0.0) {
                $0 + Double(q[row * columns[0] + operation.queryOffset + start + $1])
                  * Double(k[key * columns[1] + operation.keyOffset + start + $1])
              }
          }
          let greatest = scores.max() ?? 0
          let weights = scores.map { exp($0 - greatest) }
          let sum = weights.reduce(0, +)
          for column in 0..<headWidth {
            result[row * width + start + column] = zip(seen, weights).reduce(0.0) {
              $0 + $1.1 / sum * Double(v[$1.0 * columns[2] + operation.valueOffset + start + column])
            }
          }
        }
      }
    }
    return result
  }

  /// The result of a run on these kernels.
  func run(_ matrices: [[Float]], kernels: KernelSet = .best, threads: Int = 1) throws -> [Float] {
    var builder = GraphBuilder(kernels: kernels)
    let operands = try operands(matrices)
    let inputs = operands.enumerated().map { builder.input("\($0)", $1.type) }
    builder.output(try builder.add(operation, inputs, results: [.init("result")], label: "attention")[0])
    var options = CompileOptions()
    options.kernels = kernels
    options.threads = threads
    return try Compiler.compile(builder.graph, options).run(operands)[0].elements(of: Float.self)
  }
}

extension AttentionCase: CustomStringConvertible {
  var description: String {
    "\(heads) heads of \(headWidth)\(isCausal ? " causal" : ""), queries \(querySegments), keys \(keySegments)"
  }
}
