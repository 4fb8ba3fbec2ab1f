import Apus
import ApusService
import FoundationEssentials
import ServingTestSupport
import Testing

@testable import ApusServing

/// A folder with files that change.
private final class ChangingFiles: Sendable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory.appending(path: "served-\(UInt64.random(in: 0 ... .max))").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Puts a copy of a file in the place of what is called so; whoever has that open keeps it.
  /// - Returns: its path.
  @discardableResult
  func put(_ file: String, as name: String) throws -> String {
    let place = "\(path)/\(name)"
    try? FileManager.default.removeItem(atPath: place)
    try FileManager.default.copyItem(atPath: file, toPath: place)
    return place
  }
}

/// What is said of a model's files and its memory is so of what runs.
@Suite struct ServedFilesTests {
  private typealias Fallback = ServedModelOptions.Fallback

  private static let stars = Checkout.modelFolder("bert-classifier")
  private static let float32 = Checkout.file("Weights/rice-leaf/rice_v1_float32.tflite")
  private static let int8 = Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite")

  /// A file is packed for each of its forms.
  @Test func theMemoryOfAFileIsThatOfAllItsForms() async throws {
    let model = try ModelServer([ServedModelOptions(Self.float32, name: "leaf")], limits: .patient).models[0]
    try await model.load()
    // Else the store may take it away where the system is short of memory.
    try model.store.pin(model.forms.session)
    let results = try await model.classify(pictures: [try SampleItems.pictures()[0]], topK: nil)
    #expect(results.map(\.error) == [nil])
    let input = try ModelInterface(of: Self.float32).networks[0].inputs[0]
    let numbers = [Float](repeating: 0.5, count: input.shape.elementCount)
    _ = try await model.run([input.name: Tensor(numbers, shape: input.shape)], network: nil)
    let isAll = await eventually { model.byteCount == model.store.status().byteCount }
    let forms = model.store.status().models.compactMap(\.byteCount)
    let largest = try #require(forms.max())
    #expect(isAll && forms.count == 2 && model.byteCount > largest)
    #expect(model.store.byteCount(of: ["nobody"]) == 0)
  }

  /// The forms of a folder have its weights together.
  @Test func theMemoryOfAFolderIsCountedOnce() async throws {
    let model = try ModelServer(
      [ServedModelOptions(Checkout.modelFolder("clip"), name: "clip")], limits: .patient
    ).models[0]
    try await model.load()
    let isAll = await eventually { model.byteCount == model.store.status().byteCount }
    let forms = model.store.status().models.compactMap(\.byteCount)
    #expect(isAll && forms.count > 1 && model.byteCount < forms.reduce(0, +))
  }

  @Test func networksAreThoseOfWhatRuns() async throws {
    let files = try ChangingFiles()
    let path = try files.put(Self.float32, as: "leaf.tflite")
    let own = try ModelInterface(of: Self.float32).networks
    let other = try ModelInterface(of: Self.int8).networks
    try #require(own != other)
    let model = try ModelServer([ServedModelOptions(path, name: "leaf")], limits: .patient).models[0]
    let first = try await model.networks()
    #expect(first == own)
    try files.put(Self.int8, as: "leaf.tflite")
    let second = try await model.networks()
    #expect(second == other)
    // The store may take it away where the system is short of memory.
    try model.store.pin(model.forms.session)
    _ = try await model.opened(model.forms.session)
    try files.put(Self.float32, as: "leaf.tflite")
    for _ in 0..<2 {
      let open = try await model.networks()
      #expect(open == other)
    }
    await model.store.unload(model.forms.session)
    let last = try await model.networks()
    #expect(last == own)
    // Of the next load, nothing is known from the one before.
    _ = try await model.opened(model.forms.session)
    let again = try await model.networks()
    #expect(again == own)
    await model.unload()
    await #expect(throws: ServingError.self) { try await model.networks() }
  }

  @Test func anotherPathToTheModelIsItsOwn() throws {
    var options = ServedModelOptions(Self.stars, name: "stars")
    options.fallbacks = [Fallback(path: Self.stars + "/.", precision: .int8)]
    #expect(!options.hasOtherFiles)
    let form = try ModelServer([options]).models[0].forms.textClassifier
    #expect(form.variants.map(\.path) == [Self.stars, Self.stars])
    #expect(form.variants.map(\.options.inference.precision) == [nil, .int8])
    options.fallbacks = [Fallback(path: Self.stars + "/.", precision: .float32)]
    #expect {
      try ModelServer([options])
    } throws: { "\($0)".contains("it is the model itself") }
  }

  @Test func aFileOfAnyNameIsComputedInItsOwnNumbers() throws {
    let files = try ChangingFiles()
    let path = try files.put(Self.float32, as: "leaf.model")
    #expect(ModelInterface.isFile(path) && ModelInterface.isFile(Self.int8))
    #expect(!ModelInterface.isFile(Self.stars) && !ModelInterface.isFile(files.path + "/none"))
    var options = ServedModelOptions(path, name: "leaf")
    options.fallbacks = [Fallback(precision: .int8)]
    #expect {
      try ModelServer([options])
    } throws: { "\($0)".contains("computed in its own numbers") }
  }
}
