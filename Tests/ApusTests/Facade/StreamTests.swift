import Apus
import Synchronization
import TestSupport
import Testing

/// Inputs that come by and by are answered in their order, each as soon as it can be.
@Suite struct StreamTests {
  private let folder: TemporaryFolder
  private let classifier: ImageClassifier

  init() throws {
    folder = try TemporaryFolder()
    classifier = try ImageClassifier(folder.write("colour.tflite", ColourModel.bytes(softmax: false)))
  }

  private struct CameraFailure: Error {}

  private func pictures(_ count: Int) throws -> [Picture] {
    try (0..<count).map { try ColourModel.picture(UInt8($0), UInt8($0) &* 7, UInt8($0) &* 31) }
  }

  @Test(arguments: [1, 3, 64])
  func resultsAreThoseOfTheInputsInTheirOrder(width: Int) async throws {
    let pictures = try pictures(40)
    let camera = AsyncStream { continuation in
      for picture in pictures { continuation.yield(picture) }
      continuation.finish()
    }
    var indices: [Int] = []
    for try await item in classifier.classifications(of: camera, width: width) {
      let alone = try await classifier.classify(pictures[item.index])
      #expect(try item.result.get().predictions == alone.predictions)
      indices.append(item.index)
    }
    #expect(indices == Array(0..<40))
  }

  /// The camera sends its second picture only when the first is answered.
  @Test func aResultDoesNotWaitForTheNextInput() async throws {
    let picture = try ColourModel.picture(1, 2, 3)
    let (camera, sender) = AsyncStream.makeStream(of: Picture.self)
    sender.yield(picture)
    var count = 0
    for try await item in classifier.classifications(of: camera, width: 8) {
      #expect(item.index == count)
      count += 1
      if count < 5 { sender.yield(picture) } else { sender.finish() }
    }
    #expect(count == 5)
  }

  @Test func noMoreInputsAreTakenThanAreWorkedOn() async throws {
    let picture = try ColourModel.picture(1, 2, 3)
    let taken = Mutex(0)
    let camera = AsyncStream<Picture> {
      taken.withLock { $0 += 1 }
      return picture
    }
    var answered = 0
    for try await _ in classifier.classifications(of: camera, width: 3) {
      answered += 1
      #expect(taken.withLock { $0 } <= answered + 3)
      if answered == 20 { break }
    }
  }

  @Test func inputsThatFailEndTheStreamBehindTheResultsBefore() async throws {
    let picture = try ColourModel.picture(1, 2, 3)
    let camera = AsyncThrowingStream<Picture, any Error> { continuation in
      continuation.yield(picture)
      continuation.yield("nowhere.jpg")
      continuation.finish(throwing: CameraFailure())
    }
    var kinds: [ApusError.Kind?] = []
    await #expect(throws: CameraFailure.self) {
      for try await item in classifier.classifications(of: camera, width: 4) {
        if case .failure(let error) = item.result { kinds.append(error.kind) } else { kinds.append(nil) }
      }
    }
    #expect(kinds == [nil, .file])
  }

  @Test func aCancelledStreamEndsAndStopsItsCamera() async throws {
    let picture = try ColourModel.picture(1, 2, 3)
    let isStopped = Mutex(false)
    let task = Task { [classifier] in
      let camera = AsyncStream<Picture> {
        picture
      } onCancel: {
        isStopped.withLock { $0 = true }
      }
      var count = 0
      for try await _ in classifier.classifications(of: camera, width: 2) {
        count += 1
        if count == 5 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    #expect(try await task.value == 5)
    while !isStopped.withLock({ $0 }) { await Task.yield() }
  }

  @Test func arraysComeBackInTheirOrderAndFailWithTheFirst() async throws {
    let pictures = try pictures(30)
    let together = try await classifier.classify(pictures).map(\.predictions)
    let waited = try classifier.blocking.classify(pictures).map(\.predictions)
    #expect(together == waited)
    let error = await #expect(throws: ApusError.self) {
      try await classifier.classify([pictures[0], "nowhere.jpg", "elsewhere.jpg"])
    }
    #expect(error?.file == "nowhere.jpg")
    #expect(try await classifier.classify([Picture]()).isEmpty)
  }
}
