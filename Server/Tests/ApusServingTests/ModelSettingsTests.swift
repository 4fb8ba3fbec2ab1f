import Apus
import ApusService
import FoundationEssentials
import ServingTestSupport
import Testing

@testable import ApusServing

/// What each of several models has of its own.
@Suite struct ModelSettingsTests {
  private typealias Fallback = ServedModelOptions.Fallback

  private static let stars = Checkout.modelFolder("bert-classifier")
  private static let leaf = (
    float32: Checkout.file("Weights/rice-leaf/rice_v1_float32.tflite"),
    int8: Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite")
  )

  private func run(_ model: ServedModel) async throws {
    _ = try await model.classify([.text("a cat")], topK: nil, truncates: true).only()
  }

  /// The store looks once a second.
  @Test func whatIsIdleLeavesMemoryAndComesBack() async throws {
    var brief = ServedModelOptions(Self.stars, name: "brief")
    brief.keepAlive = .milliseconds(1)
    let server = try ModelServer([brief, ServedModelOptions(Self.stars, name: "stays")], limits: .patient)
    for model in server.models { try await model.load() }
    let model = server.models[0]
    _ = await eventually { model.state == .unloaded }
    #expect(model.state == .unloaded && model.byteCount == 0)
    #expect(server.models[1].state == .ready && server.models[1].byteCount > 0)
    try await run(model)
    #expect(model.known([.textClassification], in: server.store.status()).map(\.loads) == [2])
  }

  @Test func limitsAreThoseOfTheModel() async throws {
    var narrow = ServedModelOptions(Self.stars, name: "narrow")
    (narrow.waitingTokens, narrow.waitingPixels, narrow.batchTokens) = (2, 5, 1)
    let server = try ModelServer([narrow, ServedModelOptions(Self.stars, name: "wide")], limits: .patient)
    let limits = server.models.map(\.limits), usual = ServingLimits()
    #expect(limits.map(\.waitingTokens) == [2, usual.waitingTokens])
    #expect(limits.map(\.waitingPixels) == [5, usual.waitingPixels])
    #expect(limits.map(\.batchTokens) == [1, usual.batchTokens])
    let error = await #expect(throws: ServingError.self) { try await run(server.models[0]) }
    #expect(error?.kind == .tooLarge)
    try await run(server.models[1])
  }

  @Test func loadTimesAreTold() async throws {
    let model = try ModelServer([ServedModelOptions(Self.stars, name: "stars")], limits: .patient).models[0]
    #expect(model.loadTimes == nil && model.notes.isEmpty)
    try await model.load()
    let opened = try #require(model.loadTimes)
    #expect(opened.open > 0 && opened.prepare > 0 && opened.firstRun == nil)
    try await run(model)
    let first = try #require(model.loadTimes?.firstRun)
    try await run(model)
    #expect(first > 0 && model.loadTimes?.firstRun == first)
    await model.unload()
    // Whoever ran it lets go of it in a moment.
    _ = await eventually { model.loadTimes?.firstRun == nil }
    #expect(model.loadTimes?.firstRun == nil && model.loadTimes?.open == opened.open)
  }

  @Test func whereMemoryIsShortAFallbackAnswers() async throws {
    let small = try await ImageClassifier.load(Self.leaf.int8).memory.total
    let large = try await ImageClassifier.load(Self.leaf.float32).memory.total
    try #require(large > small + small / 2)
    var options = ServedModelOptions(Self.leaf.float32, name: "leaf")
    options.fallbacks = [Fallback(path: Self.leaf.int8)]
    var limits = ServingLimits.patient
    limits.modelBytes = (small + large) / 2
    let model = try ModelServer([options], limits: limits).models[0]
    #expect(model.quality == .high)
    try await model.load()
    #expect(model.state == .ready && model.quality == .medium)
    #expect(model.status(in: model.store.status()).qualities == [.imageClassification: .medium])
    // It would answer again when it is asked for.
    await model.store.unload(model.forms.imageClassifier)
    #expect(model.state == .unloaded && model.quality == .medium)
    #expect(model.status(in: model.store.status()).qualities.isEmpty)
    let open = try await model.opened(model.forms.imageClassifier)
    #expect(open.path.hasSuffix("rice_v1_int8.tflite"))
    let results = try await model.classify(pictures: [try SampleItems.pictures()[0]], topK: nil)
    #expect(results.map(\.error) == [nil])
    // Nothing else is at hand for one without.
    options.fallbacks = []
    let lone = try ModelServer([options], limits: limits).models[0]
    await #expect(throws: ServingError.self) { try await lone.load() }
  }

  /// The tensors of the one are others than those of the other, of which clients see nothing.
  @Test func bareTensorsHaveNoOtherNamesWhereMemoryIsShort() async throws {
    var options = ServedModelOptions(Self.leaf.float32, name: "leaf")
    options.fallbacks = [Fallback(path: Self.leaf.int8)]
    var limits = ServingLimits.patient
    limits.modelBytes = 2 << 20
    let model = try ModelServer([options], limits: limits).models[0]
    #expect(model.forms.session.variants.map(\.path) == [Self.leaf.float32])
    #expect(model.forms.imageClassifier.variants.map(\.path) == [Self.leaf.float32, Self.leaf.int8])
    #expect(model.areProbabilities == nil)
    try await model.load()
    // No memory is needed to say what it takes.
    let networks = try await model.networks()
    let session = try await InferenceSession.load(Self.leaf.float32)
    #expect(networks.map(\.name) == session.networks.map(\.name))
    #expect(networks.map(\.inputs) == session.networks.map(\.inputs))
    #expect(networks.map(\.outputs) == session.networks.map(\.outputs))
    #expect(!model.store.isLoaded(model.forms.session))
    let areProbabilities = try await model.givesProbabilities()
    #expect(areProbabilities)
  }

  @Test func aFallbackHasTheClassesOfTheModel() throws {
    let leaf = try ModelInterface.classes(of: Self.leaf.int8)
    let count = try #require(leaf.first??.count)
    let own = try ModelInterface.classes(of: Self.leaf.float32)
    #expect(count == 3 && leaf.count == 1 && own == leaf)
    // With other labels beside it.
    let files = FileManager.default
    let folder = files.temporaryDirectory.appending(path: "leaf-\(UInt64.random(in: 0 ... .max))").path
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: folder) }
    let bare = folder + "/leaf.tflite"
    try files.copyItem(atPath: Self.leaf.int8, toPath: bare)
    try Data("x\ny\nz\n".utf8).write(to: URL(filePath: folder + "/labels.txt"))
    var options = ServedModelOptions(Self.leaf.float32, name: "leaf")
    options.fallbacks = [Fallback(path: bare)]
    #expect {
      try ModelServer([options])
    } throws: { "\($0)".contains("its classes have other names than the model's") }
    options.labelFile = folder + "/labels.txt"
    let model = try ModelServer([options], limits: .patient).models[0]
    #expect(model.forms.imageClassifier.variants.count == 2)
  }

  @Test func noModelIsCalledAsAFormOfAnother() {
    let models = ["stars", "stars (text-classification)"].map { ServedModelOptions(Self.stars, name: $0) }
    #expect {
      try ModelServer(models)
    } throws: { "\($0)".contains("is what a form of another model is called") }
  }

  @Test func fallbacksAreFormsOfTheModel() throws {
    var options = ServedModelOptions(Self.stars, name: "stars")
    options.inference.threads = 2
    options.inference.precision = .float32
    options.fallbacks = [Fallback(precision: .int8)]
    let form = try ModelServer([options]).models[0].forms.textClassifier
    #expect(form.variants.map(\.quality) == [.high, .medium])
    #expect(form.variants.map(\.options.inference.precision) == [.float32, .int8])
    #expect(form.variants.allSatisfy { $0.path == Self.stars && $0.options.inference.threads == 2 })
  }

  /// Those that could not take over, or would give what nobody could tell from what was asked for.
  private static let unfit: [(model: String, fallback: Fallback, words: String)] = [
    (leaf.float32, Fallback(), "it is the model itself"),
    (leaf.float32, Fallback(path: leaf.float32), "it is the model itself"),
    (stars, Fallback(precision: .float32), "it is the model itself"),
    (leaf.float32, Fallback(precision: .int8), "computed in its own numbers"),
    (stars, Fallback(path: leaf.int8, precision: .int8), "computed in its own numbers"),
    (leaf.float32, Fallback(path: stars), "it does text-classification"),
    (leaf.float32, Fallback(path: Checkout.file("nowhere.tflite")), "nowhere.tflite"),
    (stars, Fallback(path: Checkout.file("Weights/sentiment")), "another precision of the same files"),
    (
      Checkout.modelFolder("clip"), Fallback(path: Checkout.modelFolder("clip-gelu")),
      "another precision of the same files"
    ),
  ]

  @Test(arguments: ModelSettingsTests.unfit.indices)
  func fallbacksThatCannotTakeOverAreRefused(_ index: Int) {
    let (path, fallback, words) = Self.unfit[index]
    var options = ServedModelOptions(path, name: "m")
    options.fallbacks = [fallback]
    #expect {
      try ModelServer([options])
    } throws: { "\($0)".contains(words) && "\($0)".contains("fallback 0 of model 'm'") }
  }
}
