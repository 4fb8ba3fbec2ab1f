/// How often samples of each class were said to be of each class. Pairs that never occur take no memory.
package struct ConfusionMatrix: Sendable, Hashable {
  /// A true class and the class that was answered.
  package struct Cell: Sendable, Hashable, Comparable {
    package let truth: Int
    package let answer: Int

    package init(truth: Int, answer: Int) {
      self.truth = truth
      self.answer = answer
    }

    package static func < (a: Cell, b: Cell) -> Bool { (a.truth, a.answer) < (b.truth, b.answer) }
  }

  package private(set) var counts: [Cell: Int] = [:]

  /// - Parameters:
  ///   - truths: the class of each sample.
  ///   - answers: the class that each was said to be of.
  package init(truths: [Int], answers: [Int]) {
    for (truth, answer) in zip(truths, answers) {
      counts[Cell(truth: truth, answer: answer), default: 0] += 1
    }
  }

  package var count: Int { counts.values.reduce(0, +) }

  /// Samples on the diagonal.
  package var right: Int { counts.reduce(0) { $0 + ($1.key.truth == $1.key.answer ? $1.value : 0) } }

  /// The classes that occur, as truth or as answer, each with how well it is told from the others.
  package var metrics: [(label: Int, metrics: ClassMetrics)] {
    var support: [Int: Int] = [:]
    var predicted: [Int: Int] = [:]
    for (cell, count) in counts {
      support[cell.truth, default: 0] += count
      predicted[cell.answer, default: 0] += count
    }
    return Set(support.keys).union(predicted.keys).sorted().map { label in
      let hits = counts[Cell(truth: label, answer: label)] ?? 0
      return (
        label, ClassMetrics(support: support[label] ?? 0, predicted: predicted[label] ?? 0, hits: hits)
      )
    }
  }

  /// The mean F1 of the classes that occur, as truth or as answer, each counted alike; 0 of nothing.
  package var macroF1: Double {
    let scores = metrics.map(\.metrics.f1)
    return scores.isEmpty ? 0 : scores.mean
  }

  /// Cohen's kappa (1960), for two that answer where neither is the truth: agreement beyond that of chance, over
  /// the greatest there can be. NaN, as 0 of 0, when both always give one and the same answer.
  package var kappa: Double {
    guard count > 0 else { return .nan }
    let total = Double(count)
    let observed = Double(right) / total
    let expected = metrics.reduce(0.0) {
      $0 + Double($1.metrics.support) / total * Double($1.metrics.predicted) / total
    }
    return expected < 1 ? (observed - expected) / (1 - expected) : .nan
  }
}
