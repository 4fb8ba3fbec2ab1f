import Apus
import Formats
import Graph
import Networks
import TensorCore
import TestSupport
import Testing

@testable import ApusService

/// What is found in folders, what it is, and that what it is said to take is what it takes.
@Suite struct ModelInventoryTests {
  private static let weights = Checkout.file("Weights").path

  @Test func theProjectsModelsAreFound() throws {
    let inventory = ModelInventory(in: [Self.weights], includesHuggingFace: false)
    let kinds = try inventory.models.map { (FileName.last(of: $0.path), try $0.properties.get().kind) }
    #expect(
      kinds.map(\.0) == [
        "rice_v1_float32.tflite", "rice_v1_fp16.tflite", "rice_v1_int8.tflite", "scenes", "scenes-int8",
        "sentiment", "sentiment-int8",
      ])
    #expect(kinds[0].1 == "a .tflite file" && kinds[3].1 == "an image and a text tower")
    #expect(kinds[5].1 == "a text classifier" && inventory.missing == [])
    for model in inventory.models { #expect(model.byteCount > 100_000) }
  }

  /// Packed, weights take what was said before they were, but for what panels are filled up with.
  @Test(arguments: [Precision.float32, .int8]) func weightsTakeWhatWasSaid(_ precision: Precision) throws {
    let found = FoundModel(Self.weights + "/sentiment", at: Self.weights + "/sentiment")
    let said = try #require(found.properties.get().requirements.weights[precision])
    let opened = try OpenedModel(found.path)
    let store = PackedWeightStore()
    var options = ModelOptions(InferenceOptions(precision: precision))
    options.packedWeights = store
    let graph = try opened.networks[0].graph()
    _ = try Model(path: found.path, graph: graph, options: options)
    let tables = graph.weightTypes.filter { $0.shape.dimensions.count < 2 || $0.shape.dimensions[0] > 4000 }
    let expected = store.byteCount + tables.reduce(0) { $0 + $1.byteCount }
    #expect(Double(abs(said - expected)) < 0.05 * Double(expected), "\(said) said, \(expected) taken")
  }

  /// DeBERTa reads some matrices twice, and packs vectors that no file has; all else of the file is read once.
  @Test func aStoredTensorCountsOnce() throws {
    let path = Checkout.modelFolder("deberta")
    let size = NetworkSize(try OpenedModel(path).networks[0].graph())
    let tensors = try ModelFolder(path).weights()
    let elements = tensors.names.reduce(0) { $0 + (tensors[$1]?.shape.reduce(1, *) ?? 0) }
    #expect(size.parameterCount == elements)
    // The matrices of two layers, and their vectors for two products, of 16 buckets.
    let packed = 2 * (4 * 24 * 24 + 2 * 24 * 40) + 2 * 2 * 16 * 24
    #expect(size.weightBytes(in: .float32) - size.weightBytes(in: .bfloat16) == 2 * packed)
  }

  @Test func whatIsNoModelIsRefusedAndSaid() throws {
    let folder = try TemporaryFolder()
    try folder.write("broken/model.safetensors", "not safetensors")
    try folder.write("broken/config.json", "{}")
    try folder.write("deeper/still/empty.tflite", "")
    try folder.write("deeper/.hidden/other.tflite", "")
    try folder.write("notes.txt", "no model")
    let inventory = ModelInventory(
      in: [folder.path, folder.path + "/", "/nonexistent"], includesHuggingFace: false)
    #expect(
      inventory.models.map { $0.path.dropFirst(folder.path.count) } == [
        "/broken", "/deeper/still/empty.tflite",
      ])
    #expect(inventory.missing == ["/nonexistent"])
    for model in inventory.models { #expect(throws: ApusError.self) { try model.properties.get() } }
  }
}
