import Apus
import Formats
import Foundation
import Networks
import TensorCore
import TestSupport
import Testing

@testable import ApusService

/// The store with models as they are.
@Suite struct ModelStoreFolderTests {
  private let scratch: TemporaryFolder
  private let clip: String
  private let store: ModelStore
  private let picture: Picture

  /// A copy of a fixture that no other test has open.
  init() throws {
    scratch = try TemporaryFolder()
    let pixels = (0..<(40 * 30 * 3)).map { UInt8(truncatingIfNeeded: $0 * 37 / 3 ^ $0 >> 4) }
    picture = .pixels(try RGBImage(width: 40, height: 30, pixels: pixels))
    clip = scratch.path + "/clip"
    try FileManager.default.copyItem(atPath: Checkout.modelFolder("clip"), toPath: clip)
    var options = ModelStore.Options(byteLimit: 1 << 30)
    options.watchesPressure = false
    store = try ModelStore(options: options)
  }

  @Test func eachTowerIsAModelOfItsOwn() async throws {
    let images = ServiceModel<ImageEmbedder>("images", at: clip)
    let texts = ServiceModel<TextEmbedder>("texts", at: clip)
    let vector = try await store.run(texts) { try await $0.embed("a cat") }
    _ = try await store.run(images) { try await $0.embed(picture) }
    // What runs left is counted once a second; so that this does not happen between the two, now.
    _ = await store.look()
    let both = store.counted
    let report = await store.unload(images)
    #expect(report.models == ["images"] && report.counted > 0 && store.counted == both - report.counted)
    #expect(store.isLoaded(texts) && !store.isLoaded(images))
    #expect(try await store.run(texts) { try await $0.embed("a cat") } == vector)
  }

  @Test func whatTwoModelsShareIsCountedOnce() async throws {
    let one = ServiceModel<ImageEmbedder>("one", at: clip, options: .init())
    let two = ServiceModel<ImageEmbedder>("two", at: clip, options: .init())
    let alone = try await store.model(for: one).memory.total
    _ = try await store.model(for: two)
    #expect(store.counted > alone && store.counted < 2 * alone)
  }

  @Test func errorsNameTheModelAndWhatBecameOfIt() async throws {
    let missing = ServiceModel<ImageClassifier>("leaf", at: scratch.path + "/none.tflite", options: .init())
    let none = await #expect(throws: ApusError.self) { try await store.model(for: missing) }
    #expect(none?.modelFailure == ModelFailure("leaf", .notFound) && none?.kind == .file)
    #expect(none?.description.hasPrefix("model 'leaf': \(scratch.path)/none.tflite: ") == true)
    let path = try scratch.write("bad.tflite", "no model")
    let damaged = ServiceModel<ImageClassifier>("bad", at: path, options: .init())
    let bad = await #expect(throws: ApusError.self) { try await store.model(for: damaged) }
    #expect(bad?.modelFailure == ModelFailure("bad", .loadFailed) && bad?.kind == .malformedModel)
    let wrong = ServiceModel<TextClassifier>("towers", at: clip, options: .init())
    let other = await #expect(throws: ApusError.self) { try await store.model(for: wrong) }
    #expect(other?.modelFailure == ModelFailure("towers", .loadFailed) && other?.kind == .unsupportedModel)
    let images = ServiceModel<ImageEmbedder>("images", at: clip, options: .init())
    let input = await #expect(throws: ApusError.self) {
      try await store.run(images) { try await $0.embed("/no/picture.png") }
    }
    #expect(input?.modelFailure == ModelFailure("images", .invalidInput) && input?.kind == .file)
  }

  /// A file that came into the place of a damaged one is found by the next who asks.
  @Test func aModelThatWasMendedIsOpened() async throws {
    let leaf = Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite")
    let path = try scratch.write("leaf.tflite", "half")
    let type = ServiceModel<ImageClassifier>("leaf", at: path, options: .init())
    await #expect(throws: ApusError.self) { try await store.model(for: type) }
    try Data(contentsOf: leaf).write(to: URL(fileURLWithPath: path), options: .atomic)
    _ = try await store.model(for: type)
    let runs = try await store.run(type) { try await $0.classify(picture, topK: 1) }
    #expect(runs.predictions.count == 1)
    let stages = store.monitor.snapshot().models.first { $0.name == "leaf" }?.all.stages
    #expect(stages?[.run]?.count == 1 && stages?[.total]?.count == 1)
  }

  /// Labels that a call embeds are part of what comes before its run.
  @Test func embeddingLabelsIsPreparation() async throws {
    let type = ServiceModel<ZeroShotClassifier>("towers", at: clip, options: .init())
    let width = try await store.model(for: type).width
    let vector = Embedding([Float](repeating: 1, count: width))
    let times = try await store.run(type) { model in
      try await model.classify(embedding: vector, labels: ["cat", "dog"])
    }.times
    #expect(times.preprocess == .zero && times.labels > .zero && times.tokenize > .zero)
    let stages = store.monitor.snapshot().models.first { $0.name == "towers" }?.all.stages
    #expect(stages?[.prepare]?.maximum.isNear(times.labels) == true)
    #expect(stages?[.tokenize]?.maximum.isNear(times.tokenize) == true)
    let total = try #require(stages?[.total])
    #expect(total.maximum >= times.total)
    // They are known now.
    let again = try await store.run(type) { model in
      try await model.classify(embedding: vector, labels: ["dog", "cat"])
    }.times
    #expect(again.tokenize == .zero)
  }

  /// What is made room for is what is taken then.
  @Test(arguments: ["rice_v1_float32", "rice_v1_fp16", "rice_v1_int8"])
  func theSizeOfAFileIsKnownBeforeItIsOpened(_ name: String) throws {
    let path = Checkout.file("Weights/rice-leaf/\(name).tflite").path
    let expected = try ModelSize.byteCount(path, as: ImageClassifier.self, .init())
    #expect(isNear(expected, try ImageClassifier(path).memory.weights))
  }

  @Test func aClassifierOpensTheFirstOfItsFilesThatCanBeUsed() async throws {
    let folder = try TemporaryFolder()
    let damaged = try folder.write("damaged.tflite", Array("no model".utf8))
    let usable = Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite").path
    let type = ServiceModel<ImageClassifier>("leaf", at: damaged, options: .init(fallbacks: [usable]))
    let model = try await ModelStore().model(for: type)
    #expect(model.refused.map(\.path) == [damaged])
    #expect(try ModelSize.byteCount(damaged, as: ImageClassifier.self, .init(fallbacks: [usable])) > 1 << 19)
  }

  @Test(arguments: Precision.allCases.filter(\.isAvailable))
  func theSizeOfATowerIsKnownBeforeItIsOpened(_ precision: Precision) throws {
    let path = Checkout.file("Weights/scenes").path
    let inference = InferenceOptions(precision: precision)
    var (images, texts) = (ImageEmbedder.Options(), TextEmbedder.Options())
    (images.inference, texts.inference) = (inference, inference)
    let expected = (
      try ModelSize.byteCount(path, as: ImageEmbedder.self, images),
      try ModelSize.byteCount(path, as: TextEmbedder.self, texts)
    )
    #expect(isNear(expected.0, try ImageEmbedder(path, options: images).memory.weights))
    #expect(isNear(expected.1, try TextEmbedder(path, options: texts).memory.weights))
    let both = try ModelSize.byteCount(path, as: ZeroShotClassifier.self, .init(inference: inference))
    #expect(both == expected.0 + expected.1)
  }

  /// Vectors of distances count as they are packed, and what they are projected with only where it is packed, too.
  @Test func projectedVectorsCount() throws {
    let path = Checkout.modelFolder("deberta")
    let found = try ModelSize.byteCount(path, as: TextEmbedder.self, .init())
    let tensors = try ModelFolder(path).weights()
    let unpacked = ["word_embeddings.weight", "rel_embeddings.weight", "encoder.LayerNorm"]
    let packed = tensors.names.filter { name in !unpacked.contains { name.contains($0) } }
    let elements = packed.reduce(0) { $0 + (tensors[$1]?.shape.reduce(1, *) ?? 0) }
    // Two products of two layers, for 16 buckets of 24 features.
    #expect(found == 4 * (elements + 4 * 16 * 24))
  }

  /// Layers that share weights do not take more the more they are.
  @Test func sharedLayersCountOnce() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("albert"))
    let few = try ModelSize.byteCount(folder.path, as: TextEmbedder.self, .init())
    let text = try String(contentsOfFile: "\(folder.path)/config.json", encoding: .utf8)
    let key = #""num_hidden_layers": "#
    #expect(text.contains(key + "3"))
    try folder.write("config.json", text.replacing(key + "3", with: key + "12"))
    let many = try ModelSize.byteCount(folder.path, as: TextEmbedder.self, .init())
    #expect(few > 0 && many == few)
  }

  @Test func theTowerForTextsInAnotherFolderCounts() throws {
    let pictures = Checkout.modelFolder("clip-vision-projection")
    let texts = Checkout.modelFolder("clip-text-projection")
    let expected = (
      try ModelSize.byteCount(pictures, as: ImageEmbedder.self, .init()),
      try ModelSize.byteCount(texts, as: TextEmbedder.self, .init())
    )
    let both = try ModelSize.byteCount(pictures, as: ZeroShotClassifier.self, .init(textModel: texts))
    #expect(expected.1 > 0 && both == expected.0 + expected.1)
  }

  /// A model is known by both folders, and is there where both are.
  @Test func anotherTowerForTextsIsAnotherModel() async throws {
    let pictures = Checkout.modelFolder("clip-vision-projection")
    let texts = Checkout.modelFolder("clip-text-projection")
    func towers(_ name: String, _ texts: String) -> ServiceModel<ZeroShotClassifier> {
      ServiceModel(name, at: pictures, options: .init(textModel: texts, logitScale: 10))
    }
    let other = scratch.path + "/texts"
    try FileManager.default.copyItem(atPath: texts, toPath: other)
    _ = try await store.model(for: towers("towers", texts))
    _ = try await store.model(for: towers("towers", texts))
    let second = await #expect(throws: ApusError.self) {
      try await store.model(for: towers("towers", other))
    }
    #expect(second?.modelFailure == ModelFailure("towers", .invalidInput))
    let missing = await #expect(throws: ApusError.self) {
      try await store.model(for: towers("halves", scratch.path + "/none"))
    }
    #expect(missing?.modelFailure == ModelFailure("halves", .notFound))
  }

  /// Panels of small matrices are wider than their columns.
  private func isNear(_ expected: Int, _ taken: Int) -> Bool {
    let ratio = Double(expected) / Double(taken)
    return ratio > 0.7 && ratio < 1.1
  }
}
