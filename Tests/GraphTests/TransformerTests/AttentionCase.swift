import Foundation
import Graph
import Kernels
import TensorCore
import TestSupport

/// One call of attention with random elements: queries, keys and values lie in one matrix [T, …] when
/// `isSelfAttention`, else in three of their own.
struct AttentionCase {
  var heads = 2
  /// Heads of keys and values; nil for as many.
  var keyHeads: Int?
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
  var maskForm = Attention.MaskForm.positions
  var maskOrder: [Int] = []
  var window: Int?

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
  var keyWidth: Int { (keyHeads ?? heads) * headWidth }
  var queryRows: Int { Int(querySegments.last ?? 0) + trailingRows }
  var keyRows: Int { Int(keySegments.last ?? 0) + trailingRows }

  /// Columns of the queries', keys' and values' matrices, the first three being one when self-attending.
  var columns: [Int] {
    isSelfAttention
      ? Array(repeating: width + 2 * keyWidth, count: 3)
      : zip(offsets, [width, keyWidth, keyWidth]).map { $0 + $1 + 1 }
  }

  var operation: Attention {
    let places = isSelfAttention ? [0, width, width + keyWidth] : offsets
    return Attention(
      heads: heads, keyHeads: keyHeads, headWidth: headWidth, scale: scale, isCausal: isCausal,
      queryOffset: places[0],
      keyOffset: places[1], valueOffset: places[2], maskForm: maskForm, maskOrder: maskOrder,
      window: window)
  }

  /// The three matrices; one thrice when self-attending.
  func matrices(_ random: inout SeededRandom) -> [[Float]] {
    if isSelfAttention {
      let one = random.floats(queryRows * columns[0], -magnitude...magnitude)
      return [one, one, one]
    }
    return zip([queryRows, keyRows, keyRows], columns).map { random.floats($0 * $1, -magnitude...magnitude) }
  }

  /// - Parameter matrices: zeros when empty.
  func operands(_ matrices: [[Float]]) throws -> [Tensor] {
    var tensors: [Tensor] = []
    for (index, rows) in [queryRows, keyRows, keyRows].enumerated() {
      let elements =
        matrices.isEmpty ? [Float](repeating: 0, count: rows * columns[index]) : matrices[index]
      tensors.append(try Tensor(elements, shape: Shape([rows, columns[index]])))
    }
    return tensors + [
      try Tensor(querySegments, shape: .vector(querySegments.count)),
      try Tensor(keySegments, shape: .vector(keySegments.count)),
    ]
  }

  /// What the definition gives in double precision.
  func reference(_ matrices: [[Float]]) -> [Double] {
    var result = [Double](repeating: 0, count: queryRows * width)
    forEachRow { row, head, seen in
      let weights = self.weights(matrices, row: row, head: head, seen)
      let first = operation.valueOffset + keyHead(of: head) * headWidth
      matrices[2].withUnsafeBufferPointer { values in
        for (key, weight) in zip(seen, weights) {
          for column in 0..<headWidth {
            result[row * width + head * headWidth + column] +=
              weight * Double(values[key * columns[2] + first + column])
          }
        }
      }
    }
    return result
  }

  /// The greatest sum of absolute products, scaled, that makes one score: what rounding errors grow with.
  func scoreMagnitude(_ matrices: [[Float]]) -> Double {
    var greatest = 0.0
    forEachRow { row, head, seen in
      let sums = products(matrices.map { $0.map(abs) }, row: row, head: head, seen)
      greatest = max(greatest, sums.max() ?? 0)
    }
    return greatest * Double(abs(scale))
  }

  /// Calls `body` for every query and head, with the keys that are seen.
  private func forEachRow(_ body: (_ row: Int, _ head: Int, _ seen: Range<Int>) -> Void) {
    for segment in 0..<(querySegments.count - 1) {
      let queries = Int(querySegments[segment])..<Int(querySegments[segment + 1])
      let keys = Int(keySegments[segment])..<Int(keySegments[segment + 1])
      for (position, row) in queries.enumerated() {
        let seen = seen(from: position, keys)
        for head in 0..<heads { body(row, head, seen) }
      }
    }
  }

  /// The head of the keys that a head of the queries attends: neighbours share one.
  private func keyHead(of head: Int) -> Int { head * (keyHeads ?? heads) / heads }

  /// The keys of a segment that its query at a position sees.
  private func seen(from position: Int, _ keys: Range<Int>) -> Range<Int> {
    let causal = isCausal ? keys.prefix(position + 1) : keys
    guard let window else { return causal }
    let place = keys.lowerBound + position
    return causal.clamped(to: place - window..<place + window + 1)
  }

  private func products(_ matrices: [[Float]], row: Int, head: Int, _ keys: Range<Int>) -> [Double] {
    let q = row * columns[0] + operation.queryOffset + head * headWidth
    let first = operation.keyOffset + keyHead(of: head) * headWidth
    return matrices[0].withUnsafeBufferPointer { queries in
      matrices[1].withUnsafeBufferPointer { rows in
        keys.map { key in
          var sum = 0.0
          let k = key * columns[1] + first
          for column in 0..<headWidth { sum += Double(queries[q + column]) * Double(rows[k + column]) }
          return sum
        }
      }
    }
  }

  private func weights(_ matrices: [[Float]], row: Int, head: Int, _ keys: Range<Int>) -> [Double] {
    let scores = products(matrices, row: row, head: head, keys).map { $0 * Double(scale) }
    let greatest = scores.max() ?? 0
    let powers = scores.map { exp($0 - greatest) }
    let sum = powers.reduce(0, +)
    return powers.map { $0 / sum }
  }

  /// The operation as a compiled model.
  func compile(
    kernels: KernelSet = .best, threads: Int = 1, precision: Precision = .float32
  ) throws -> CompiledModel {
    var builder = GraphBuilder(kernels: kernels)
    let types = try operands([]).map(\.type)
    let inputs = types.enumerated().map { builder.input("\($0)", $1) }
    builder.output(try builder.add(operation, inputs, results: [.init("result")], label: "attention")[0])
    var options = CompileOptions()
    options.kernels = kernels
    options.threads = threads
    options.precision = precision
    return try Compiler.compile(builder.graph, options)
  }

  /// The result of a run on these kernels.
  func run(
    _ matrices: [[Float]], kernels: KernelSet = .best, threads: Int = 1, precision: Precision = .float32
  ) throws -> [Float] {
    try compile(kernels: kernels, threads: threads, precision: precision).run(operands(matrices))[0]
      .elements(of: Float.self)
  }

  /// Only segment `index` of this case, with its part of the matrices.
  func segment(_ index: Int, _ matrices: [[Float]]) -> (AttentionCase, [[Float]]) {
    let queries = Int(querySegments[index])..<Int(querySegments[index + 1])
    let keys = Int(keySegments[index])..<Int(keySegments[index + 1])
    var test = self
    test.querySegments = [0, Int32(queries.count)]
    test.keySegments = [0, Int32(keys.count)]
    test.trailingRows = 0
    let parts = zip([queries, keys, keys], columns).enumerated().map { index, part in
      Array(matrices[index][(part.0.lowerBound * part.1)..<(part.0.upperBound * part.1)])
    }
    return (test, parts)
  }
}

extension AttentionCase: CustomStringConvertible {
  var description: String {
    "\(heads) heads of \(headWidth)\(keyHeads.map { ", \($0) of keys" } ?? "")\(isCausal ? " causal" : ""), queries \(querySegments), keys \(keySegments)"
  }
}
