import Foundation
import TestSupport
import Testing

@testable import Apus

/// What cosines are multiplied by, and the temperature that was fitted to it.
@Suite struct LogitScaleTests {
  private typealias Options = ZeroShotClassifier.Options

  private static let metadata = #"{"temperature": 2.5, "threshold_default": 0.6}"#

  private let picture = FolderFixture.picture
  private let labels = ["a cat", "a dog", "leaf blast on rice"]

  private func predictions(_ classifier: ZeroShotClassifier) throws -> [LabelScore] {
    try classifier.blocking.classify(picture, labels: labels).predictions
  }

  /// Replaces or adds a learned number.
  private func write(_ number: Float, as name: String, in folder: TemporaryFolder) throws {
    let others = try SplitTowers.tensors(of: folder.path).filter { $0.name != name }
    let learned: SplitTowers.Tensor = (name, "F32", [], SafetensorsBuilder.bytes([number]))
    try folder.write("model.safetensors", SafetensorsBuilder.file(others + [learned]))
  }

  /// Where no folder states the scale, who names it says the model's own.
  @Test(arguments: ["clip", "siglip"])
  func theTemperatureHoldsForTheScaleThatTheFoldersDoNotState(_ name: String) throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(name))
    try folder.write("meta.json", Self.metadata)
    let whole = try ZeroShotClassifier(folder.path)
    let towers = try SplitTowers(name)
    try towers.pictures.write("meta.json", Self.metadata)
    let options = Options(
      textModel: towers.texts.path, logitScale: whole.scaling.scale, logitBias: whole.scaling.bias)
    let split = try ZeroShotClassifier(towers.pictures.path, options: options)
    #expect(split.temperature == 2.5 && split.threshold == 0.6 && split.notes.isEmpty)
    let (expected, found) = (try predictions(whole), try predictions(split))
    #expect(found == expected)
  }

  @Test func theUsualScaleOfACLIPIsDividedByTheTemperature() throws {
    let towers = try SplitTowers("clip")
    try towers.pictures.write("meta.json", Self.metadata)
    let split = try ZeroShotClassifier(towers.pictures.path, options: .init(textModel: towers.texts.path))
    #expect(split.temperature == 2.5 && split.scaling.scale == 100)
    #expect(split.notes.count == 1 && split.notes[0].contains("no logit_scale"))
  }

  /// The temperature was fitted to the scale that stands beside the tower.
  @Test func aScaleInThePlaceOfALearnedOneSetsTheTemperatureAside() throws {
    let towers = try SplitTowers("siglip", keeping: ["logit_scale", "logit_bias"])
    try towers.pictures.write("meta.json", Self.metadata)
    let options = Options(textModel: towers.texts.path, logitScale: 10)
    let split = try ZeroShotClassifier(towers.pictures.path, options: options)
    #expect(split.temperature == 1 && split.threshold == 0.6)
    let note = try #require(split.notes.first)
    #expect(note.contains("temperature 2.5") && note.contains("threshold_default 0.6"), "\(note)")
    let own = try ZeroShotClassifier(towers.pictures.path, options: .init(textModel: towers.texts.path))
    #expect(own.temperature == 2.5 && own.notes.isEmpty)
  }

  /// Whoever names the model's own scale, for all calls or for one, says nothing new.
  @Test(arguments: ["clip", "siglip"])
  func theModelsOwnScaleKeepsTheTemperature(_ name: String) throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(name))
    try folder.write("meta.json", Self.metadata)
    let plain = try ZeroShotClassifier(folder.path)
    let own = plain.scaling.scale
    let expected = try predictions(plain)
    let named = try ZeroShotClassifier(folder.path, options: .init(logitScale: own))
    #expect(named.temperature == 2.5 && named.notes.isEmpty)
    let found = try predictions(named)
    #expect(found == expected)
    // So does a call to a classifier of another scale, which has none of the temperature itself.
    let other = try ZeroShotClassifier(folder.path, options: .init(logitScale: own * 2))
    #expect(other.temperature == 1)
    for classifier in [plain, other] {
      let reading = ZeroShotReading(logitScale: own)
      let asked = try classifier.blocking.classify(picture, labels: labels, reading: reading).predictions
      #expect(asked == expected)
    }
    let reading = ZeroShotReading(logitScale: own * 2)
    let doubled = try plain.blocking.classify(picture, labels: labels, reading: reading).predictions
    let aside = try predictions(other)
    #expect(doubled == aside)
  }

  /// Where the folders state none, the number that the classifier was opened with is the model's, for its calls too.
  @Test func theScaleThatWasNamedForTheModelIsItsOwn() throws {
    let towers = try SplitTowers("clip")
    try towers.pictures.write("meta.json", Self.metadata)
    let options = Options(textModel: towers.texts.path, logitScale: 20)
    let split = try ZeroShotClassifier(towers.pictures.path, options: options)
    let expected = try predictions(split)
    let reading = ZeroShotReading(logitScale: 20)
    let found = try split.blocking.classify(picture, labels: labels, reading: reading).predictions
    #expect(split.temperature == 2.5 && found == expected)
    // A rounding is no other number.
    let near = try split.scaling.replaced(by: ZeroShotReading(logitScale: Float(20).nextUp))
    let far = try split.scaling.replaced(by: ZeroShotReading(logitScale: 20.001))
    #expect(near.temperature == 2.5 && far.temperature == 1)
  }

  @Test func aTemperatureThatIsSetAsideIsTold() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("clip"))
    try folder.write("meta.json", Self.metadata)
    let plain = try ZeroShotClassifier(folder.path)
    #expect(plain.notes.isEmpty)
    let scaled = try ZeroShotClassifier(folder.path, options: .init(logitScale: 10))
    #expect(scaled.notes.count == 1 && scaled.threshold == 0.6)
    #expect(scaled.notes[0].contains("threshold_default 0.6"), "\(scaled.notes)")
    let named = try ZeroShotClassifier(folder.path, options: .init(logitScale: 10, threshold: 0.1))
    #expect(named.notes.count == 1 && !named.notes[0].contains("threshold_default"), "\(named.notes)")
    // A bias changes no scale.
    let biased = try ZeroShotClassifier(folder.path, options: .init(logitBias: 1))
    #expect(biased.temperature == 2.5 && biased.notes.isEmpty)
    try folder.write("meta.json", #"{"threshold_default": 0.6}"#)
    let without = try ZeroShotClassifier(folder.path, options: .init(logitScale: 10))
    #expect(without.notes.isEmpty)
  }

  /// e to 100 is more than a float holds.
  @Test(arguments: ["clip", "siglip"])
  func aLearnedScaleThatOverflowsIsRefused(_ name: String) throws {
    let whole = try TemporaryFolder(copying: Checkout.modelFolder(name))
    try write(100, as: "logit_scale", in: whole)
    let towers = try SplitTowers(name, keeping: ["logit_bias"])
    try write(100, as: "logit_scale", in: towers.texts)
    let options = Options(textModel: towers.texts.path)
    for (path, options) in [(whole.path, Options()), (towers.pictures.path, options)] {
      let error = #expect(throws: ApusError.self) { try ZeroShotClassifier(path, options: options) }
      #expect(error?.kind == .malformedModel, "\(String(describing: error))")
      #expect(error?.location == "tensor 'logit_scale'", "\(String(describing: error))")
    }
  }

  /// transformers' CLIP has none: that of the weights changes nothing, in one folder and in two.
  @Test func aBiasBesideACLIPIsNoneOfIts() throws {
    let whole = try TemporaryFolder(copying: Checkout.modelFolder("clip"))
    try write(-3, as: "logit_bias", in: whole)
    let one = try ZeroShotClassifier(whole.path)
    let towers = try SplitTowers("clip", keeping: ["logit_scale"])
    try write(-3, as: "logit_bias", in: towers.texts)
    // Not even two that contradict each other.
    try write(-4, as: "logit_bias", in: towers.pictures)
    let two = try ZeroShotClassifier(towers.pictures.path, options: .init(textModel: towers.texts.path))
    #expect(one.scoring == .softmax && two.scoring == .softmax)
    #expect(one.scaling.bias == 0 && two.scaling.bias == 0)
    let (expected, found) = (try predictions(one), try predictions(two))
    #expect(found == expected)
  }

  @Test func logitsThatNoFloatHoldsAreRefused() throws {
    let path = Checkout.modelFolder("clip")
    let great: Float = 3e38
    let refused = #expect(throws: ApusError.self) {
      try ZeroShotClassifier(path, options: .init(logitScale: great, logitBias: great))
    }
    #expect(refused?.kind == .argument && refused?.problem.contains("logit scale") == true)
    let classifier = try ZeroShotClassifier(path, options: .init(logitBias: 1e38))
    let embedding = Embedding([Float](repeating: 1, count: classifier.width))
    let reading = ZeroShotReading(logitScale: great)
    let asked = #expect(throws: ApusError.self) {
      try classifier.blocking.classify(embedding: embedding, labels: labels, reading: reading)
    }
    #expect(asked?.kind == .argument)
    let known = try classifier.blocking.embed(labels: labels)
    let sent = #expect(throws: ApusError.self) {
      try known.classify(embedding: embedding, scoring: .softmax, logitScale: great, logitBias: -great)
    }
    #expect(sent?.kind == .argument)
    let sound = try known.classify(embedding: embedding, scoring: .softmax, logitScale: 1e38, logitBias: 1e37)
    #expect(sound.predictions.allSatisfy { $0.logit.isFinite && $0.softmax.isFinite })
  }

  /// Both numbers of the model itself are finite, and their sum is not.
  @Test func soAreThoseOfAModel() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("siglip"))
    try write(88.5, as: "logit_scale", in: folder)
    try write(2e38, as: "logit_bias", in: folder)
    let error = #expect(throws: ApusError.self) { try ZeroShotClassifier(folder.path) }
    #expect(error?.kind == .malformedModel && error?.file == folder.path, "\(String(describing: error))")
  }

  @Test func aCallMayNameTheBias() throws {
    let classifier = try ZeroShotClassifier(Checkout.modelFolder("siglip"))
    let embedding = Embedding((0..<classifier.width).map { Float($0 % 5) - 2 })
    let calls = classifier.blocking
    let plain = try calls.classify(embedding: embedding, labels: labels).predictions
    let reading = ZeroShotReading(logitBias: classifier.scaling.bias - 2)
    let other = try calls.classify(embedding: embedding, labels: labels, reading: reading).predictions
    for (before, after) in zip(plain, other) {
      #expect(after.label == before.label && abs(after.logit - before.logit + 2) < 1e-4)
    }
    #expect(throws: ApusError.self) {
      try calls.classify(embedding: embedding, labels: labels, reading: .init(logitBias: .nan))
    }
  }
}
