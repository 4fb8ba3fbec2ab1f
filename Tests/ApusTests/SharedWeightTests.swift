import Foundation
import Graph
import Networks
import TensorCore
import TestSupport
import Testing

@testable import Apus

/// A folder that several have open is packed once, and only as far as it is used.
struct SharedWeightTests {
  private let scratch: TemporaryFolder
  private let model: String

  /// A copy of a fixture that no other test has open.
  init() throws {
    scratch = try TemporaryFolder()
    model = scratch.path + "/clip"
    try FileManager.default.copyItem(atPath: Checkout.modelFolder("clip"), toPath: model)
  }

  private func store(_ model: Model) throws -> PackedWeightStore { try #require(model.options.packedWeights) }

  /// What one network's weights come to when they are packed by themselves.
  private func packedByteCount(_ part: ModelPart, _ shape: NetworkShape) throws -> Int {
    let store = PackedWeightStore()
    var options = ModelOptions()
    options.packedWeights = store
    let network = try OpenedModel(model).network(named: part.rawValue)
    _ = try Model(path: model, graph: network.graph(shape), options: options)
    return store.byteCount
  }

  @Test func twoUsersOfOneFolderShareItsPackedWeights() throws {
    weak var released: PackedWeightStore?
    do {
      let classifier = try ZeroShotClassifier(model)
      _ = try classifier.blocking.classify(FolderFixture.picture, labels: ["a cat", "a dog"])
      let store = try store(classifier.network)
      let byteCount = store.byteCount
      let embedder = try ImageEmbedder(model)
      _ = try embedder.blocking.embed(FolderFixture.picture)
      #expect(try self.store(embedder.images.model) === store)
      #expect(store.byteCount == byteCount && byteCount > 0)
      released = store
    }
    CacheWriting.finish()
    #expect(released == nil)
  }

  @Test func aTowerThatIsNotAskedForIsNotPacked() throws {
    let embedder = try ImageEmbedder(model)
    _ = try embedder.blocking.embed(FolderFixture.picture)
    let image = try packedByteCount(.image, .single)
    #expect(try store(embedder.images.model).byteCount == image && image > 0)
    let classifier = try ZeroShotClassifier(model)
    _ = try classifier.blocking.classify(FolderFixture.picture, labels: ["a cat"])
    #expect(try store(classifier.network).byteCount == image)
    let text = try packedByteCount(.text, .single)
    let (images, texts) = (try ImageEmbedder(model), try TextEmbedder(model))
    let both = images.memory + texts.memory
    #expect(try ZeroShotClassifier(model).memory.weights == both.weights)
    #expect(both.weights >= image + text && text > 0)
  }

  /// A program that needs only one tower any more has the memory of the other back.
  @Test func towersAreLetGoOfOneByOne() throws {
    let texts = try TextEmbedder(model)
    weak var released: PackedWeightStore?
    do {
      let images = try ImageEmbedder(model)
      released = try store(images.images.model)
      CacheWriting.finish()
      #expect(released != nil)
    }
    #expect(released == nil)
    #expect(try texts.blocking.embed("a cat").values.count > 0)
  }

  @Test func whatSeveralShareIsCountedOnce() throws {
    let (one, other) = (try ImageEmbedder(model), try ImageEmbedder(model))
    let packed = try store(one.images.model).byteCount
    #expect((one.memory + other.memory).weights == 2 * one.memory.weights - packed)
    #expect((one.memory + one.memory).weights == one.memory.weights)
  }

  @Test func theMemoryOfRunsIsKeptUntilItIsGivenBack() throws {
    let embedder = try ImageEmbedder(model)
    #expect(embedder.memory.workspaces == 0)
    let first = try embedder.blocking.embed(FolderFixture.picture)
    #expect(embedder.memory.workspaces == embedder.images.model.workspaceByteCount)
    embedder.releaseIdleMemory()
    #expect(embedder.memory.workspaces == 0)
    #expect(try embedder.blocking.embed(FolderFixture.picture) == first)
  }

  /// A `.tflite` file that a classifier, an embedder and a session have open is packed once.
  @Test(arguments: ["rice_v1_float32", "rice_v1_fp16", "rice_v1_int8"])
  func usersOfOneFileShareItsPackedWeights(_ name: String) throws {
    let path = "\(scratch.path)/\(name).tflite"
    try FileManager.default.copyItem(
      atPath: Checkout.file("Weights/rice-leaf/\(name).tflite").path, toPath: path)
    weak var released: PackedWeightStore?
    do {
      let picture = FolderFixture.picture
      let classifier = try ImageClassifier(path)
      let scores = try classifier.blocking.classify(picture).predictions
      let store = try store(classifier.model.images.model)
      let (packed, alone) = (store.byteCount, classifier.memory.weights)
      let embedder = try ImageEmbedder(path)
      _ = try embedder.blocking.embed(picture)
      let session = try InferenceSession(path)
      let input = try ImageProcessor(path).tensor(picture, for: session.inputs[0])
      _ = try session.blocking.run([input])
      #expect(store.byteCount == packed)
      // Depthwise filters and the tables of activations are each one's own.
      let all = (classifier.memory + embedder.memory + session.memory).weights
      #expect(packed > alone * 3 / 4 && all - alone < (alone - packed) * 2 + alone / 50)
      #expect(try classifier.blocking.classify(picture).predictions == scores)
      released = store
    }
    #expect(released == nil)
  }

  @Test func anotherPrecisionOrAnotherFileIsPackedByItself() throws {
    let first = try store(ImageEmbedder(model).images.model)
    var options = ImageEmbedder.Options()
    options.inference.precision = .int8
    #expect(try store(ImageEmbedder(model, options: options).images.model) !== first)
    let file = URL(fileURLWithPath: model + "/model.safetensors")
    try Data(contentsOf: file).write(to: file, options: .atomic)
    #expect(try store(ImageEmbedder(model).images.model) !== first)
  }
}
