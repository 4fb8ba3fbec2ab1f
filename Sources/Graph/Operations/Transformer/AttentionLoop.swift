import Foundation
import TensorCore

/// Attention one query at a time.
struct AttentionLoop {
  let attention: Attention
  let queryColumns: Int
  let keyColumns: Int
  let valueColumns: Int

  /// Scratch: one score for each key.
  func run(_ arguments: borrowing KernelArguments, _ segments: AttentionSegments) {
    let output = arguments.output(0, as: Float.self)
    output.initialize(repeating: 0)
    for segment in 0..<segments.count {
      let keys = segments.keys(segment)
      for (position, row) in segments.queries(segment).enumerated() {
        let seen = attention.isCausal ? keys.prefix(position + 1) : keys
        for head in 0..<attention.heads { attend(arguments, row: row, head: head, seen) }
      }
    }
  }

  private func attend(_ arguments: borrowing KernelArguments, row: Int, head: Int, _ keys: Range<Int>) {
    let width = attention.headWidth
    let scores = arguments.scratch.assumingMemoryBound(to: Float.self)
    let q = row * queryColumns + attention.queryOffset + head * width
    let (queries, keyRows) = (arguments.input(0, as: Float.self), arguments.input(1, as: Float.self))
    var greatest = -Float.infinity
    for key in keys {
      let k = key * keyColumns + attention.keyOffset + head * width
      var score: Float = 0
      for column in 0..<width { score += queries[q + column] * keyRows[k + column] }
      scores[key] = score * attention.scale
      greatest = max(greatest, scores[key])
    }
    var sum: Float = 0
    for key in keys {
      scores[key] = exp(scores[key] - greatest)
      sum += scores[key]
    }
    let values = arguments.input(2, as: Float.self)
    let output = arguments.output(0, as: Float.self)
    for key in keys {
      let v = key * valueColumns + attention.valueOffset + head * width
      for column in 0..<width {
        output[row * attention.heads * width + head * width + column] +=
          scores[key] / sum * values[v + column]
      }
    }
  }
}
