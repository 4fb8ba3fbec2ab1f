/// Below which score, and above which novelty, answers are uncertain.
struct CertaintyChoice {
  /// An answer to a picture that was not fitted with.
  struct Answer {
    let score: Float
    /// Nil where the model shows no features.
    let novelty: Float?
    /// Whether the answer is right; false of a foreign picture.
    var isRight = false
    /// Which kind of foreign pictures it is of.
    var kind = ""
  }

  let threshold: Float
  /// Nil where there are no novelties.
  let novelty: Float?

  init(_ known: [Answer], foreign: [Answer], _ demands: CertaintyDemands) {
    let threshold = Self.threshold(known, demands.right)
    self.threshold = threshold
    let novelties = known.compactMap(\.novelty).sorted()
    guard !novelties.isEmpty else {
      novelty = nil
      return
    }
    guard !foreign.isEmpty else {
      novelty = novelties[Int((Double(novelties.count - 1) * demands.known).rounded(.up))]
      return
    }
    // By kind: where all are one heap, the easy pictures of one kind make room for the hard ones of another.
    novelty = Dictionary(grouping: foreign, by: \.kind).values.map { answers in
      Self.novelty(
        known: novelties[novelties.count - 1],
        foreign: answers.filter { $0.score >= threshold }.compactMap(\.novelty).sorted(),
        allowed: Int(Double(answers.count) * demands.foreign))
    }.min()
  }

  /// The greatest novelty at which no more foreign pictures are certain than may be, which is just below the next of
  /// them; where all known pictures are farther below, half way to these.
  /// - Parameters:
  ///   - known: the greatest novelty of a known picture.
  ///   - foreign: those of the foreign ones whose scores are certain, in ascending order.
  private static func novelty(known: Float, foreign: [Float], allowed: Int) -> Float {
    guard foreign.count > allowed else { return max(known, foreign.last ?? known) }
    let bound = foreign[allowed].nextDown
    return known < bound ? known + (bound - known) / 2 : bound
  }

  /// Answers to foreign pictures by their kind, in the order of names; none where all are of one.
  func byKind(_ foreign: [Answer]) -> [(kind: String, answers: [Answer])] {
    let kinds = Dictionary(grouping: foreign, by: \.kind)
    guard kinds.count > 1 else { return [] }
    return kinds.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func isCertain(_ answer: Answer) -> Bool {
    answer.score >= threshold
      && (answer.novelty.map { novelty in self.novelty.map { novelty <= $0 } ?? true } ?? true)
  }

  /// The smallest hundredth at which the share of right answers among certain ones is reached.
  private static func threshold(_ answers: [Answer], _ right: Double) -> Float {
    for hundredth in 0...100 {
      let threshold = Float(hundredth) / 100
      let certain = answers.filter { $0.score >= threshold }
      let count = certain.count(where: \.isRight)
      if Double(count) >= right * Double(certain.count) { return threshold }
    }
    return 1
  }
}
