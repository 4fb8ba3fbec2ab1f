import Apus
import TestSupport
import Testing

/// The `async` way in gives what the other gives, in order, and stops when told to.
@Suite struct AsynchronousClassificationTests {
  let folder: TemporaryFolder
  let classifier: ImageClassifier

  init() throws {
    folder = try TemporaryFolder()
    classifier = try ImageClassifier(
      folder.write("colour.tflite", ColourModel.bytes(softmax: false)))
  }

  private func pictures(_ count: Int) throws -> [Picture] {
    try (0..<count).map { index throws -> Picture in
      let value = UInt8(index)
      return try ColourModel.picture(value, value &* 7, value &* 31)
    }
  }

  /// Without `async`, so that overload resolution takes the waiting form.
  private func wait(_ picture: Picture) throws -> [Prediction] {
    try classifier.blocking.classify(picture).predictions
  }

  @Test func equalsTheWaitingForm() async throws {
    let picture = try ColourModel.picture(200, 100, 50)
    let expected = try wait(picture)
    let result = try await classifier.classify(picture).predictions
    #expect(result == expected)
  }

  @Test(arguments: [1, 2, 5, 64])
  func batchesKeepTheOrder(width: Int) async throws {
    let pictures = try pictures(50)
    var indices: [Int] = []
    for await item in classifier.classifications(of: pictures, width: width) {
      #expect(try item.result.get().predictions == wait(pictures[item.index]))
      indices.append(item.index)
    }
    #expect(indices == Array(0..<50))
  }

  @Test func aBadPictureDoesNotStopTheOthers() async throws {
    let good = try ColourModel.picture(1, 2, 3)
    var kinds: [ApusError.Kind?] = []
    for await item in classifier.classifications(of: [good, "nowhere.jpg", good], width: 2) {
      if case .failure(let error) = item.result { kinds.append(error.kind) } else { kinds.append(nil) }
    }
    #expect(kinds == [nil, .file, nil])
  }

  @Test func manyCallersGetTheirOwnResults() async throws {
    let pictures = try pictures(200)
    let expected = try pictures.map(wait)
    let results = await withTaskGroup(of: (Int, [Prediction]?).self) { group in
      for (index, picture) in pictures.enumerated() {
        group.addTask { [classifier] in
          (index, try? await classifier.classify(picture).predictions)
        }
      }
      return await group.reduce(into: [Int: [Prediction]?]()) { $0[$1.0] = $1.1 }
    }
    for (index, predictions) in expected.enumerated() { #expect(results[index] == predictions) }
  }

  @Test func aCancelledTaskGetsTheError() async throws {
    let picture = try ColourModel.picture(1, 2, 3)
    let task = Task { [classifier] () -> ApusError.Kind? in
      withUnsafeCurrentTask { $0?.cancel() }
      do throws(ApusError) {
        _ = try await classifier.classify(picture)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(await task.value == .cancelled)
  }

  @Test func aCancelledBatchEnds() async throws {
    let pictures = try pictures(10)
    let task = Task { [classifier] in
      var count = 0
      // A sequence without end: only cancellation ends it.
      let endless = sequence(first: pictures[0]) { _ in pictures[1] }
      for await _ in classifier.classifications(of: endless, width: 3) {
        count += 1
        if count == 5 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    #expect(await task.value == 5)
  }
}
