import Apus
import TestSupport
import Testing

/// Models tell how long each run of their networks took, once.
@Suite struct RunTimeTests {
  @Test func aPictureIsARun() throws {
    let classifier = try ImageClassifier(Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite").path)
    #expect(classifier.takeRunTimes() == [])
    let result = try classifier.blocking.classify(FolderFixture.picture)
    let times = classifier.takeRunTimes()
    #expect(times.count == 1 && times.allSatisfy { $0 > .zero })
    #expect((times.first ?? .zero) <= result.times.run + .microseconds(10))
    #expect(classifier.takeRunTimes() == [])
  }

  /// Texts share a run; scoring a vector against known labels is none.
  @Test func textsAndVectors() throws {
    let embedder = try TextEmbedder(Checkout.modelFolder("bert-sentence"))
    _ = try embedder.blocking.embed(["a cat", "a dog"])
    #expect(embedder.takeRunTimes().count == 1)
    let classifier = try ZeroShotClassifier(
      Checkout.modelFolder("clip"), options: .init(labels: ["a cat", "a dog"]))
    // Its labels, as it was opened.
    #expect(!classifier.takeRunTimes().isEmpty)
    let vector = Embedding([Float](repeating: 1, count: classifier.width))
    _ = try classifier.blocking.classify(embedding: vector)
    #expect(classifier.takeRunTimes() == [])
    _ = try classifier.blocking.classify(embedding: vector, labels: ["a bird"])
    #expect(classifier.takeRunTimes().count == 1)
    _ = try classifier.blocking.classify(FolderFixture.picture)
    #expect(classifier.takeRunTimes().count == 1)
  }

  @Test func tensorsAreRun() throws {
    let session = try InferenceSession(Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite").path)
    let zero = try Tensor([Int8](repeating: 0, count: 3 * 128 * 128), shape: [1, 128, 128, 3])
    for _ in 0..<2 { _ = try session.blocking.run([zero]) }
    #expect(session.takeRunTimes().count == 2)
  }

  /// A program that never asks keeps no more than the newest.
  @Test func theyHaveABound() throws {
    let classifier = try ImageClassifier(Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite").path)
    let picture = FolderFixture.picture
    for _ in 0..<1100 { _ = try classifier.blocking.classify(picture) }
    #expect((512...1024).contains(classifier.takeRunTimes().count))
  }
}
