import Testing

@testable import Evaluation

/// Thresholds are the loosest that keep what is asked.
@Suite struct CertaintyChoiceTests {
  private func answers(_ rows: [(score: Float, novelty: Float, isRight: Bool)]) -> [CertaintyChoice.Answer] {
    rows.map { CertaintyChoice.Answer(score: $0.score, novelty: $0.novelty, isRight: $0.isRight) }
  }

  @Test func theScoreIsTheSmallestHundredthAtWhichEnoughAreRight() {
    let known = answers([(0.3, 0, false), (0.5, 0, false), (0.51, 0, true), (0.9, 0, true)])
    #expect(CertaintyChoice(known, foreign: [], CertaintyDemands()).threshold == 0.51)
    var demands = CertaintyDemands()
    demands.right = 0.5
    #expect(CertaintyChoice(known, foreign: [], demands).threshold == 0)
    // Where nothing is right, nothing is certain.
    let wrong = answers([(0.9, 0, false), (1, 0, false)])
    #expect(CertaintyChoice(wrong, foreign: [], CertaintyDemands()).threshold == 1)
  }

  @Test func withoutForeignPicturesTheShareOfKnownOnesDecides() {
    let known = answers((1...100).map { (1, Float($0), true) })
    var demands = CertaintyDemands()
    demands.known = 0.9
    let choice = CertaintyChoice(known, foreign: [], demands)
    #expect(known.count(where: choice.isCertain) == 91)
  }

  @Test(arguments: [0.0, 0.05, 0.5, 1]) func noMoreForeignPicturesAreCertainThanMayBe(_ share: Double) {
    let known = answers((1...100).map { (1, Float($0), true) })
    let foreign = answers(
      (1...40).map { (1, Float($0) + 80, false) } + (1...40).map { (0, Float($0), false) })
    var demands = CertaintyDemands()
    demands.foreign = share
    let choice = CertaintyChoice(known, foreign: foreign, demands)
    let certain = foreign.count(where: choice.isCertain)
    #expect(certain == Int(80 * share))
    if share == 1 { #expect(known.allSatisfy { choice.isCertain($0) }) }
  }

  /// One of twenty hard pictures, however many easy ones there are besides.
  @Test func easyForeignPicturesMakeNoRoomForHardOnes() {
    let known = answers((1...100).map { (1, Float($0), true) })
    let hard = (1...20).map { CertaintyChoice.Answer(score: 1, novelty: Float($0) + 50, kind: "hard") }
    let easy = (1...180).map { CertaintyChoice.Answer(score: 1, novelty: Float($0) + 200, kind: "easy") }
    let choice = CertaintyChoice(known, foreign: hard + easy, CertaintyDemands())
    let kinds = choice.byKind(hard + easy)
    #expect(kinds.map(\.kind) == ["easy", "hard"])
    #expect(kinds.map { $0.answers.count(where: choice.isCertain) } == [0, 1])
    #expect(choice.byKind(hard).isEmpty)
  }

  @Test func betweenKnownAndForeignPicturesThatLieApartItIsHalfWay() throws {
    let known = answers((1...10).map { (1, Float($0), true) })
    let foreign = answers((1...10).map { (1, Float($0) + 29, false) })
    let novelty = try #require(CertaintyChoice(known, foreign: foreign, CertaintyDemands()).novelty)
    #expect(abs(novelty - 20) < 1e-3)
  }
}
