import Graph
import Models
import Networks
import Synchronization
import TensorCore
import Testing

/// What becomes of texts whose batch fails.
@Suite struct TextRunnerTests {
  private final class Tries: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
  }

  /// Counts its batches, all of which fail.
  private struct FailingTower: TextTower {
    let kind: ApusError.Kind
    let tries = Tries()
    let maximumTokens = 8
    let outputWidth = 1

    func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph { throw ApusError(kind, "no graph") }

    func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor] {
      tries.add()
      throw ApusError(kind, "no inputs")
    }
  }

  /// One run takes one token, and fails then for another reason.
  private struct LimitedTower: TextTower {
    let maximumTokens = 8
    let outputWidth = 1

    func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph {
      throw ApusError(.argument, "no graph")
    }

    func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor] {
      let tokens = rows.reduce(0) { $0 + $1.ids.count }
      var error = ApusError(tokens > 1 ? .resources : .malformedModel, "no inputs")
      error.isOverLimit = tokens > 1
      throw error
    }
  }

  private final class Sizes: Sendable {
    private let tokens = Mutex<[Int]>([])

    var all: [Int] { tokens.withLock { $0 } }

    func add(_ count: Int) { tokens.withLock { $0.append(count) } }
  }

  /// A graph of more than five tokens is over the limit; others fail for another reason.
  private struct SmallTower: TextTower {
    let sizes = Sizes()
    let maximumTokens = 64
    let outputWidth = 1

    func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph {
      sizes.add(tokens)
      var error = ApusError(tokens > 5 ? .resources : .argument, "no graph")
      error.isOverLimit = tokens > 5
      throw error
    }

    func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor] {
      let ids = rows.flatMap(\.ids)
      var bounds: [Int32] = [0]
      for row in rows { bounds.append((bounds.last ?? 0) + Int32(row.ids.count)) }
      return [
        try Tensor(ids, shape: .vector(ids.count)), try Tensor(ids, shape: .vector(ids.count)),
        try Tensor(bounds, shape: .vector(bounds.count)),
      ]
    }
  }

  private func outputs(
    _ tower: any TextTower, _ texts: [[Int32]] = [[1], [2], [3]]
  ) throws(ApusError) -> [Result<[Float], ApusError>] {
    let rows = texts.map { TokenRow($0) }
    return try TextRunner(tower, path: "a model", options: ModelOptions()).outputs(for: rows) { false }
  }

  /// What a text may be at fault for is tried text by text; what the model lacks is not.
  @Test func onlyWhatATextMayCauseIsTriedAgain() throws {
    let cases: [(kind: ApusError.Kind, tries: Int)] = [
      (.argument, 4), (.malformedModel, 4), (.unsupportedModel, 1),
    ]
    for (kind, tries) in cases {
      let tower = FailingTower(kind: kind)
      let results = try outputs(tower)
      #expect(results.count == 3 && tower.tries.count == tries, "\(kind)")
      for result in results {
        let error = #expect(throws: ApusError.self) { try result.get() }
        #expect(error?.kind == kind)
      }
    }
  }

  @Test func aLackOfMemoryEndsTheCall() {
    let tower = FailingTower(kind: .resources)
    let error = #expect(throws: ApusError.self) { try outputs(tower) }
    // One text takes less memory than several.
    #expect(error?.kind == .resources && tower.tries.count == 2)
  }

  @Test func aTextOverTheLimitOfARunFailsAlone() throws {
    let results = try outputs(LimitedTower(), [[1], [2, 3], [4]])
    let kinds = results.map { result -> ApusError.Kind? in
      if case .failure(let error) = result { error.kind } else { nil }
    }
    #expect(kinds == [.malformedModel, .resources, .malformedModel])
  }

  /// A text by itself is tried at its own size too, and no longer one once that is refused.
  @Test func aLongerTextThanOneRefusedIsNotCompiled() throws {
    let tower = SmallTower()
    let runner = TextRunner(tower, path: "a model", options: ModelOptions())
    func errors(_ lengths: [Int]) throws -> [ApusError] {
      let rows = lengths.map { TokenRow([Int32](repeating: 1, count: $0)) }
      return try runner.outputs(for: rows) { false }.compactMap { result -> ApusError? in
        if case .failure(let error) = result { error } else { nil }
      }
    }
    let first = try errors([7, 5, 6])
    #expect(first.map(\.kind) == [.resources, .argument, .resources])
    #expect(first.map(\.location) == ["a text of 6 tokens", nil, nil])
    #expect(tower.sizes.all == [20, 8, 5, 8, 6])
    let later = try errors([9, 6, 30])
    #expect(later.map(\.kind) == [.resources, .resources, .resources])
    #expect(tower.sizes.all.count == 5)
    let shorter = try errors([9, 4])
    #expect(shorter.map(\.kind) == [.resources, .argument])
    #expect(tower.sizes.all == [20, 8, 5, 8, 6, 4])
    let long = [TokenRow([1, 2, 3, 4, 5, 6])]
    let cancelled = #expect(throws: ApusError.self) { try runner.outputs(for: long) { true } }
    #expect(cancelled?.kind == .cancelled)
  }
}
