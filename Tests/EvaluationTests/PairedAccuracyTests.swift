import Evaluation
import Statistics
import Testing

@Suite struct PairedAccuracyTests {
  @Test func significanceIsBelowFivePercent() {
    func pair(_ pValue: Double) -> PairedAccuracy {
      PairedAccuracy(
        bothRight: 1, onlyBaselineRight: 1, onlyOtherRight: 1, bothWrong: 1, difference: 0,
        interval: .init(lower: 0, upper: 0), pValue: pValue)
    }
    #expect(pair(0.049).isSignificant)
    #expect(!pair(0.05).isSignificant)
  }
}
