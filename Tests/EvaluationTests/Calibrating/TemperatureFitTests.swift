import CLibrary
import TestSupport
import Testing

@testable import Evaluation

/// Temperatures are those at which scores are worth what they say.
@Suite struct TemperatureFitTests {
  private func temperature(_ logits: [[Float]], _ classes: [Int]) -> Double? {
    guard case .found(let temperature) = TemperatureFit.outcome(logits, classes) else { return nil }
    return Double(temperature)
  }

  /// Labels drawn by the probabilities that logits give when they are divided by a temperature bring it back.
  @Test(arguments: [0.3, 1.0, 4.0]) func findsTheTemperatureThatLabelsWereDrawnBy(_ drawn: Double) throws {
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
    let found = try #require(temperature(logits, classes))
    #expect(abs(log(found / drawn)) < 0.1, "\(found), seed \(random.seed)")
  }

  /// Of two classes that lie `margin` apart, three of four right: e to the margin over the temperature is 3. Far below and
  /// above the usual, too, as far as a `meta.json` may have it.
  @Test(arguments: [0.03, 2, 15, 60] as [Float]) func findsWhatCanBeCalculated(_ margin: Float) throws {
    let logits = [[Float]](repeating: [margin, 0], count: 40)
    let found = try #require(temperature(logits, (0..<40).map { $0 % 4 == 0 ? 1 : 0 }))
    #expect(abs(found / (Double(margin) / log(3)) - 1) < 1e-3)
  }

  /// The surer, the likelier: the end of what is looked through is no minimum.
  @Test func whereAllAreRightThereIsNone() {
    let logits: [[Float]] = [[3, 0, 1], [0, 2, 1], [-1, 0, 4]]
    #expect(TemperatureFit.outcome(logits, [0, 1, 2]) == .unbounded)
  }

  /// However sure the wrong answers are.
  @Test(arguments: [1, 30] as [Float]) func whereLabelsAreExchangedThereIsNone(_ scale: Float) {
    let rows: [[Float]] = [[3, 0, 1], [0, 2, 1], [-1, 0, 4]]
    let logits = rows.map { row in row.map { $0 * scale } }
    #expect(TemperatureFit.outcome(logits, [1, 0, 0]) == .meaningless)
  }

  /// Neither a class that is ruled out nor all of them leave a loss without an end.
  @Test func isFiniteWhereClassesAreRuledOut() {
    let logits: [[Float]] = [[0, -.infinity], [-.infinity, -.infinity], [1, 2]]
    #expect(TemperatureFit.outcome(logits, [1, 0, 1]) == .unbounded)
    #expect(TemperatureFit.loss(logits, [1, 0, 1], 1).isFinite)
    #expect(TemperatureFit.outcome([], []) == .unbounded)
  }
}
