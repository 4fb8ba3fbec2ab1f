import TensorCore

/// The longest common subsequence of two sequences, where pairs of elements are worth different amounts.
///
/// Source: Needleman and Wunsch 1970, with gaps that cost nothing and no substitution.
enum SequenceAlignment {
  private enum Step: UInt8 {
    case pair, skipFirst, skipSecond
  }

  /// Products of the lengths beyond this are refused: a byte is kept for each.
  private static let limit = 1 << 28

  /// Ascending pairs of positions of the greatest total worth.
  /// - Parameter worth: what it is worth, above 0, to pair an element of the first sequence with one of the second;
  ///   nil when they do not go together.
  /// - Throws: ``ApusError`` of kind `resources` for very long sequences.
  static func pairs(
    _ first: Int, _ second: Int, worth: (Int, Int) -> Int?
  ) throws(ApusError) -> [(first: Int, second: Int)] {
    let (cells, overflow) = first.multipliedReportingOverflow(by: second)
    guard !overflow, cells <= limit else {
      throw ApusError(.resources, "graphs of \(first) and \(second) operators are too long to be aligned")
    }
    var steps = [Step](repeating: .skipFirst, count: cells)
    // The best worth of the rest of both sequences, from the ends to the beginnings.
    var below = [Int](repeating: 0, count: second + 1)
    for row in stride(from: first - 1, through: 0, by: -1) {
      var current = [Int](repeating: 0, count: second + 1)
      for column in stride(from: second - 1, through: 0, by: -1) {
        var best = below[column]
        var step = Step.skipFirst
        if current[column + 1] > best { (best, step) = (current[column + 1], .skipSecond) }
        if let worth = worth(row, column), below[column + 1] + worth >= best {
          (best, step) = (below[column + 1] + worth, .pair)
        }
        current[column] = best
        steps[row * second + column] = step
      }
      below = current
    }
    return follow(steps, first, second)
  }

  private static func follow(_ steps: [Step], _ first: Int, _ second: Int) -> [(first: Int, second: Int)] {
    var pairs: [(first: Int, second: Int)] = []
    var (row, column) = (0, 0)
    while row < first, column < second {
      let step = steps[row * second + column]
      if step == .pair { pairs.append((row, column)) }
      if step != .skipSecond { row += 1 }
      if step != .skipFirst { column += 1 }
    }
    return pairs
  }
}
