import Apus
import ApusService
import FoundationEssentials
import ServingTestSupport
import Testing

@testable import ApusServing

/// A served model whose towers are in two folders does what one with both in one folder does.
@Suite struct TwoFolderModelTests {
  /// Copies of the folders, which change.
  private final class Towers: Sendable {
    let folder: String
    var pictures: String { folder + "/pictures" }
    var texts: String { folder + "/texts" }

    init() throws {
      let files = FileManager.default
      folder = files.temporaryDirectory.appending(path: "towers-\(UInt64.random(in: 0 ... .max))").path
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try files.copyItem(atPath: Checkout.modelFolder("clip-vision-projection"), toPath: pictures)
      try files.copyItem(atPath: Checkout.modelFolder("clip-text-projection"), toPath: texts)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Puts others in the place of the last weights of the tower for texts, those of its projection.
    func change() throws {
      let place = URL(filePath: texts + "/model.safetensors")
      var bytes = try Data(contentsOf: place)
      let half: [UInt8] = [0, 0, 0, 0x3F]
      bytes.replaceSubrange(bytes.count - 64..<bytes.count, with: (0..<16).flatMap { _ in half })
      try FileManager.default.removeItem(at: place)
      try bytes.write(to: place)
    }
  }

  private static let labels = ["three red circles", "a house", "a purple umbrella"]

  private let towers: Towers
  private let picture: Picture

  init() throws {
    towers = try Towers()
    picture = try SampleItems.pictures()[0]
  }

  private var options: ServedModelOptions {
    var options = ServedModelOptions(towers.pictures, name: "towers")
    options.textModel = towers.texts
    options.logitScale = 20
    options.logitBias = -3
    options.zeroShotLabels = Self.labels
    options.scoring = .sigmoid
    return options
  }

  /// What the library gives, as `apus zero-shot` has it.
  private func expected() async throws -> [LabelScore] {
    let options = ZeroShotClassifier.Options(
      labels: Self.labels, textModel: towers.texts, scoring: .sigmoid, logitScale: 20, logitBias: -3)
    let classifier = try await ZeroShotClassifier.load(towers.pictures, options: options)
    return try await classifier.classify(picture).predictions
  }

  private func scores(_ model: ServedModel) async throws -> [LabelScore] {
    let results = try await model.zeroShot([picture], labels: nil, topK: nil)
    return try results[0].get().predictions
  }

  @Test func scoresAreThoseOfTheLibrary() async throws {
    let model = try ModelServer([options], limits: .patient).models[0]
    #expect(model.tasks == [.zeroShot, .imageEmbedding, .textEmbedding, .tensors])
    #expect(model.path == towers.pictures && model.textPath == towers.texts)
    let found = try await scores(model)
    let expected = try await expected()
    #expect(found == expected)
    // Texts are those of the other folder.
    let ids = try await model.encode(["a small cat"], addsSpecialTokens: true).map(\.ids)
    let tokens = try Tokenizer(towers.texts).encode("a small cat").ids
    #expect(ids == [tokens])
    let text = try await model.embed([.text("a small cat")], truncates: true)[0].get()
    let seen = try await model.embed(pictures: [picture])[0].get()
    #expect(text.values.count == 16 && seen.values.count == 16)
  }

  /// Both folders count, each once, however many forms of the model have them.
  @Test func itsMemoryIsThatOfBothFolders() async throws {
    let model = try ModelServer([options], limits: .patient).models[0]
    try await model.load()
    let forms = model.store.status().models
    let whole = forms.first { $0.name == ModelForms.name("towers", .zeroShot) }?.byteCount ?? 0
    let texts = forms.first { $0.name == ModelForms.name("towers", .textEmbedding) }?.byteCount ?? 0
    let sum = forms.compactMap(\.byteCount).reduce(0, +)
    #expect(forms.count == 3 && texts > 0 && whole > texts)
    #expect(model.byteCount >= whole && model.byteCount < sum)
    await model.unload()
    #expect(model.state == .withdrawn)
  }

  /// What a client has put in again is what the folders have by then.
  @Test func aChangedFolderIsReadAgain() async throws {
    let model = try ModelServer([options], limits: .patient).models[0]
    try await model.load()
    let first = try await scores(model)
    await model.unload()
    try towers.change()
    try await model.load()
    let second = try await scores(model)
    let expected = try await expected()
    #expect(second == expected && second != first)
    await model.unload()
    try FileManager.default.removeItem(atPath: towers.texts)
    let error = await #expect(throws: ServingError.self) { try await model.load() }
    #expect(error?.kind == .failed, "\(String(describing: error))")
  }

  @Test func foldersThatDoNotGoTogetherAreRefusedBeforeAnythingIsServed() throws {
    func refusal(_ change: (inout ServedModelOptions) -> Void) -> ApusError? {
      var options = options
      change(&options)
      let changed = options
      return #expect(throws: ApusError.self) { try ModelServer([changed]) }
    }
    let missing = refusal { $0.textModel = "/nowhere/texts" }
    #expect(missing?.kind == .file)
    let swapped = refusal {
      $0.path = towers.texts
      $0.textModel = towers.pictures
    }
    #expect(swapped?.kind == .argument && swapped?.problem.contains("swapped") == true)
    let whole = refusal { $0.path = Checkout.modelFolder("clip") }
    #expect(whole?.kind == .argument && whole?.file == Checkout.modelFolder("clip"))
    let others = refusal { $0.fallbacks = [.init(path: Checkout.modelFolder("clip"))] }
    #expect(others?.kind == .argument)
  }
}
