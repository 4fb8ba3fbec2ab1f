/// Who was right, of two that answered the same questions.
package struct PairedOutcomes: Sendable, Hashable {
  package private(set) var bothRight = 0
  package private(set) var onlyFirst = 0
  package private(set) var onlySecond = 0
  package private(set) var bothWrong = 0

  /// - Parameters:
  ///   - first: whether each answer of the first is right.
  ///   - second: the same of the second, for the same questions.
  package init(_ first: [Bool], _ second: [Bool]) {
    for outcome in zip(first, second) {
      switch outcome {
      case (true, true): bothRight += 1
      case (true, false): onlyFirst += 1
      case (false, true): onlySecond += 1
      case (false, false): bothWrong += 1
      }
    }
  }

  package var count: Int { bothRight + onlyFirst + onlySecond + bothWrong }

  /// The second's share of right answers less the first's, from -1 to 1; 0 of nothing.
  package var difference: Double {
    count > 0 ? Double(onlySecond - onlyFirst) / Double(count) : 0
  }

  /// McNemar's exact test (1947): the probability that the questions which only one got right are divided so
  /// unevenly, or more, when each is as likely to fall to the one as to the other. Two-sided; 1 without any.
  package var mcNemar: Double {
    BinomialTest.evenOdds(onlyFirst, of: onlyFirst + onlySecond)
  }
}
