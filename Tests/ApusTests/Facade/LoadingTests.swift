import Apus
import Synchronization
import TestSupport
import Testing

/// Models open in the background, say how far they are, and stop opening when nobody waits any more.
@Suite struct LoadingTests {
  private final class Log: Sendable {
    private let entries = Mutex<[LoadProgress]>([])
    var all: [LoadProgress] { entries.withLock { $0 } }
    func add(_ entry: LoadProgress) { entries.withLock { $0.append(entry) } }
  }

  @Test func everyStageIsToldAndTimed() async throws {
    let log = Log()
    let classifier = try await ZeroShotClassifier.load(
      Checkout.modelFolder("clip"), options: .init(labels: ["a cat", "a dog"]), progress: { log.add($0) })
    #expect(log.all.map(\.stage) == [.open, .tokenizer, .text, .image, .labels, nil])
    #expect(log.all.map(\.fractionCompleted) == [0, 0.2, 0.4, 0.6, 0.8, 1])
    let load = classifier.loadTimes
    for stage in LoadStage.allCases where stage != .network { #expect(load[stage] > .zero, "\(stage)") }
    #expect(load.network == .zero)
    #expect(load.total == LoadStage.allCases.reduce(.zero) { $0 + load[$1] })
  }

  @Test func labelsGivenAtLoadAreThereForTheFirstPicture() async throws {
    let path = Checkout.modelFolder("siglip")
    let classifier = try await ZeroShotClassifier.load(path, options: .init(labels: ["a cat", "a dog"]))
    let first = try await classifier.classify(FolderFixture.picture)
    #expect(Set(first.predictions.map(\.label)) == ["a cat", "a dog"])
    let other = try await ZeroShotClassifier.load(path)
    #expect(other.loadTimes.labels == .zero)
    let same = try await other.classify(FolderFixture.picture, labels: ["a cat", "a dog"])
    #expect(same.predictions == first.predictions)
    await #expect(throws: ApusError.self) { try await other.classify(FolderFixture.picture) }
  }

  @Test func stagesAreThoseOfTheModel() async throws {
    let log = Log()
    _ = try await ImageClassifier.load(Checkout.modelFolder("vit"), progress: { log.add($0) })
    _ = try await TextEmbedder.load(Checkout.modelFolder("bert-sentence"), progress: { log.add($0) })
    _ = try await ImageEmbedder.load(Checkout.modelFolder("clip"), progress: { log.add($0) })
    #expect(log.all.map(\.stage) == [.open, .image, nil, .open, .tokenizer, .text, nil, .open, .image, nil])
  }

  /// The last stage computes: it stops inside.
  @Test(arguments: [LoadStage.tokenizer, .labels])
  func aCancelledLoadStopsBeforeTheNextStage(_ last: LoadStage) async throws {
    let log = Log()
    let task = Task { () -> ApusError.Kind? in
      do throws(ApusError) {
        _ = try await ZeroShotClassifier.load(
          Checkout.modelFolder("clip"), options: .init(labels: ["a cat", "a dog"]),
          progress: {
            log.add($0)
            // Told on the thread that loads: the task waits for it.
            if $0.stage == last { while !log.all.contains(where: { $0.fractionCompleted < 0 }) {} }
          })
        return nil
      } catch {
        return error.kind
      }
    }
    while log.all.last?.stage != last { await Task.yield() }
    task.cancel()
    log.add(LoadProgress.mark)
    #expect(await task.value == .cancelled)
    #expect(log.all.filter { $0 != .mark }.last?.stage == last)
  }

  @Test func anErrorIsTheSameHoweverAModelIsOpened() async {
    let blocking = #expect(throws: ApusError.self) { try TextClassifier("no-such/model") }
    let background = await #expect(throws: ApusError.self) { try await TextClassifier.load("no-such/model") }
    #expect(blocking == background)
  }
}

extension LoadProgress {
  /// Nothing that a model says.
  fileprivate static var mark: LoadProgress { LoadProgress(stage: nil, fractionCompleted: -1) }
}
