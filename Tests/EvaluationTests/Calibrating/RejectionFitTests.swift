import Apus
import TestSupport
import Testing

@testable import Evaluation

/// Rejections tell what lies elsewhere than the classes.
@Suite struct RejectionFitTests {
  private static let width = 40

  /// Features around a middle, wider along the first axes.
  private func features(_ count: Int, around middle: [Float], _ random: inout SeededRandom) -> [[Float]] {
    (0..<count).map { _ in
      middle.enumerated().map { $1 + Float.random(in: -1...1, using: &random) * ($0 < 5 ? 3 : 0.3) }
    }
  }

  private func middle(_ axis: Int, _ size: Float) -> [Float] {
    (0..<Self.width).map { $0 == axis ? size : 0 }
  }

  @Test(arguments: [true, false]) func foreignFeaturesAreFartherThanAnyKnownOnes(_ hasForeign: Bool) throws {
    var random = SeededRandom()
    let centres = [middle(10, 4), middle(11, 4), middle(12, 4)]
    let known = centres.flatMap { features(60, around: $0, &random) }
    let classes = (0..<3).flatMap { [Int](repeating: $0, count: 60) }
    let foreign = features(60, around: middle(13, 4), &random)
    let rejection = try RejectionFit()(known, classes, foreign: hasForeign ? foreign : [], classCount: 5)
    #expect((rejection.foreign != nil) == hasForeign)
    #expect(rejection.featureCount == Self.width)
    let others = features(60, around: middle(13, 4), &random).map(rejection.novelty)
    let own = centres.flatMap { features(20, around: $0, &random) }.map(rejection.novelty)
    #expect((own.max() ?? .nan) < (others.min() ?? .nan), "seed \(random.seed)")
  }

  /// Neither classes of one picture each nor copies of a foreign one lie at infinite distances from all else.
  @Test func whatDoesNotScatterIsFitted() throws {
    var random = SeededRandom()
    let known = features(6, around: middle(10, 4), &random)
    let foreign = [[Float]](repeating: middle(13, 4), count: 6)
    for foreign in [[], [foreign[0]], foreign] {
      let rejection = try RejectionFit()(known, Array(0..<6), foreign: foreign, classCount: 6)
      #expect((rejection.foreign != nil) == !foreign.isEmpty)
      let novelties = known.map(rejection.novelty)
      #expect(novelties.allSatisfy { $0.isFinite }, "seed \(random.seed)")
    }
  }

  /// Each fit has a class left of which there are two.
  @Test func twoPicturesOfEachClassCanBeHeldOut() throws {
    var random = SeededRandom()
    let known = (0..<5).flatMap { features(2, around: middle(10 + $0, 4), &random) }
    let novelties = try HeldOutNovelties(
      known, (0..<10).map { $0 / 2 }, foreign: [], classCount: 5)
    let heldOut = try #require(novelties?.known)
    // By a fit to one picture of each class, in which nothing scatters, all others are at distances of 1e9.
    #expect(heldOut.allSatisfy { $0 < 1e5 }, "\(heldOut), seed \(random.seed)")
  }

  /// Far along an axis in which classes scatter widely is no farther than near along one in which they do not.
  @Test func distancesAreInDeviations() throws {
    var random = SeededRandom()
    let known = [middle(10, 4), middle(11, 4)].flatMap { features(200, around: $0, &random) }
    let classes = [Int](repeating: 0, count: 200) + [Int](repeating: 1, count: 200)
    let rejection = try RejectionFit(shrinkage: 0.001)(known, classes, foreign: [], classCount: 2)
    func moved(_ axis: Int, _ by: Float) -> Float {
      var place = middle(10, 4)
      place[axis] += by
      return rejection.novelty(place)
    }
    #expect(moved(0, 3) < moved(20, 1.5))
  }
}
