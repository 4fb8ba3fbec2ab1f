import Statistics
import Testing

@testable import Evaluation

/// What is said of cost does not depend on who came first.
@Suite struct CostTests {
  /// Over a number of samples twice that of the models each stands in each place equally often, and behind each other.
  @Test(arguments: [2, 3, 5])
  func ordersAreBalanced(count: Int) {
    let orders = (0..<2 * count).map { RunOrder.models(count, turn: $0) }
    for order in orders { #expect(order.sorted() == Array(0..<count)) }
    for place in 0..<count {
      let counts = Dictionary(grouping: orders, by: { $0[place] }).mapValues(\.count)
      #expect(counts.values.allSatisfy { $0 == 2 } && counts.count == count)
    }
    let neighbours = Set(orders.flatMap { zip($0, $0.dropFirst()).map { [$0, $1] } })
    for model in 0..<count { #expect(neighbours.contains { $0[1] == model && $0[0] != model }) }
    #expect(neighbours.allSatisfy { neighbours.contains($0.reversed()) })
  }

  @Test func fewSamplesAreRunAgain() {
    #expect(RunOrder.repeats(samples: 3) == 9 && RunOrder.repeats(samples: 29) == 1)
    #expect(RunOrder.repeats(samples: 30) == 0 && RunOrder.repeats(samples: 0) == 0)
  }

  @Test func aRatioIsNewsOnlyBeyondItsInterval() throws {
    let times = (0..<40).map { 10 + Double($0 % 7) }
    let same = try #require(SpeedRatio(baseline: times, other: times.map { $0 * 1.02 }))
    #expect(!same.isNews && abs(same.value - 1.02) < 1e-12)
    let slower = try #require(SpeedRatio(baseline: times, other: times.map { $0 * 1.4 }))
    #expect(slower.isNews && slower.interval?.contains(1.4) == true)
    let noisy = times.enumerated().map { $0.isMultiple(of: 2) ? $1 * 2 : $1 / 1.7 }
    #expect(try #require(SpeedRatio(baseline: times, other: noisy)).isNews == false)
    #expect(try #require(SpeedRatio(baseline: [1, 1], other: [3, 3])).isNews == false)
    #expect(SpeedRatio(baseline: [], other: []) == nil)
  }

  @Test func aBusyMachineIsSaid() {
    var provenance = Provenance(
      date: "", arguments: [], seed: 1, resamples: 1, limit: nil, threads: 1, processor: "", kernelSet: "",
      isOptimized: true, versions: [], otherLoad: 0.34)
    #expect(provenance.remarkOnLoad?.contains("34 % of this machine's processors") == true)
    provenance.otherLoad = 0.02
    #expect(provenance.remarkOnLoad == nil)
    provenance.otherLoad = nil
    #expect(provenance.remarkOnLoad == nil)
  }
}
