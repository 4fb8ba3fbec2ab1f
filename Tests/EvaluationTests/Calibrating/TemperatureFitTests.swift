import Glibc
import TestSupport
import Testing

@testable import Evaluation

/// Temperatures are those at which scores are worth what they say.
@Suite struct TemperatureFitTests {
  /// Labels drawn by the probabilities that logits give when they are divided by a temperature bring it back.
  @Test(arguments: [0.3, 1.0, 4.0]) func findsTheTemperatureThatLabelsWereDrawnBy(_ drawn: Double) {
    var random = SeededRandom()
    let logits = (0..<6000).map { _ in random.floats(4, -4...4) }
    let classes = logits.map { logits -> Int in
      let powers = logits.map { exp(Double($0) / drawn) }
      var place = Double.random(in: 0..<powers.reduce(0, +), using: &random)
      return powers.firstIndex { power in
        place -= power
        return place < 0
      } ?? 3
    }
    let found = Double(TemperatureFit.temperature(logits, classes))
    #expect(abs(log(found / drawn)) < 0.1, "\(found), seed \(random.seed)")
  }

  /// Neither a class that is ruled out nor all of them leave a loss without an end.
  @Test func isFiniteWhereClassesAreRuledOut() {
    let logits: [[Float]] = [[0, -.infinity], [-.infinity, -.infinity], [1, 2]]
    #expect(TemperatureFit.temperature(logits, [1, 0, 1]).isFinite)
    #expect(TemperatureFit.loss(logits, [1, 0, 1], 1).isFinite)
    #expect(TemperatureFit.temperature([], []) == 1)
  }
}
