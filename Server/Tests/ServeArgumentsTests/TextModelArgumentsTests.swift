import Apus
import ApusServing
import FoundationEssentials
import ServingTestSupport
import Testing

@testable import ServeArguments

/// The folder of a tower for texts, on the command line and in a file of models.
@Suite struct TextModelArgumentsTests {
  private static let fixtures =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    + "/Tests/Fixtures/transformers"
  private static let pictures = fixtures + "/clip-vision-projection"
  private static let texts = fixtures + "/clip-text-projection"

  /// The models of an entry beside the folders' names.
  private func options(_ members: String) throws -> [ServedModelOptions] {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "models-\(UInt64.random(in: 0 ... .max)).json")
    try Data("{\"models\": [{\(members)}]}".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try ModelArguments.parse(["--models", file.path]).options()
  }

  @Test func theCommandLineNamesIt() throws {
    let arguments = try ModelArguments.parse([
      "--model", "towers=\(Self.pictures)@bf16", "--text-model", Self.texts, "--logit-scale", "20",
      "--logit-bias=-3",
    ])
    let options = try #require(try arguments.options().first)
    #expect(options.path == Self.pictures && options.textModel == Self.texts)
    #expect(options.logitScale == 20 && options.logitBias == -3)
    let plain = try #require(try ModelArguments.parse(["--model", Self.pictures]).options().first)
    #expect(plain.textModel == nil && plain.logitBias == nil)
  }

  @Test(arguments: [
    ["--text-model", "texts"], ["--model", "a/b", "--model", "c/d", "--text-model", "texts"],
  ])
  func itBelongsToOneModel(_ arguments: [String]) {
    #expect {
      try ModelArguments.parse(arguments)
    } throws: { ModelArguments.message(for: $0).contains("--text-model texts: it belongs to one --model") }
  }

  @Test func aFileOfModelsNamesIt() async throws {
    let models = try options(
      #"""
      "path": "\#(Self.pictures)", "text_model": "\#(Self.texts)", "logit_scale": 20, "logit_bias": -3,
      "score": "sigmoid", "max_waiting_tokens": 100
      """#)
    let model = try #require(models.first)
    #expect(model.textModel == Self.texts && model.logitBias == -3 && model.name == "clip-vision-projection")
    let served = try ModelServer(models, limits: .patient).models[0]
    #expect(served.tasks.contains(.zeroShot))
  }

  /// What an entry says besides, and what is said of it.
  private static let refusals: [(String, String)] = [
    (#""path": "\#(pictures)", "text_model": "/nowhere/texts""#, "'models[0].text_model': /nowhere/texts"),
    (#""path": "\#(pictures)", "text_model": "\#(pictures)""#, "'models[0].text_model'"),
    (#""path": "\#(pictures)", "text_model": "\#(pictures)""#, "the tower for pictures is given twice"),
    (
      #""path": "\#(texts)", "text_model": "\#(pictures)""#,
      "as the model and this one as the option textModel"
    ),
    (#""path": "\#(fixtures)/clip", "text_model": "\#(texts)""#, "a tower for texts of its own"),
    (#""path": "\#(pictures)", "text_model": 5"#, "'models[0].text_model' is the number 5"),
    (#""path": "\#(pictures)", "logit_bias": -3"#, "'models[0].logit_bias' is for zero-shot"),
    (#""path": "\#(texts)", "logit_bias": "low""#, "'models[0].logit_bias' is the text"),
    (#""path": "\#(texts)", "mask_padding": true"#, "'models[0].mask_padding'"),
    (#""path": "\#(fixtures)/vit", "mask_padding": true"#, "'models[0].mask_padding' is for zero-shot"),
    (#""path": "\#(texts)", "mask_padding": 1"#, "expected true or false"),
  ]

  @Test(arguments: TextModelArgumentsTests.refusals)
  func whatDoesNotGoTogetherIsRefusedAtItsKey(_ members: String, _ words: String) {
    #expect {
      try options(members)
    } throws: { "\($0)".contains(words) }
  }

  @Test func maskedPaddingIsASetting() throws {
    let siglip = Self.fixtures + "/siglip"
    let given = try ModelArguments.parse(["--model", siglip, "--mask-padding"]).options()
    #expect(given.map(\.masksPadding) == [true])
    let models = try options(#""path": "\#(siglip)", "mask_padding": true"#)
    #expect(models.map(\.masksPadding) == [true])
    #expect(try options(#""path": "\#(siglip)""#).map(\.masksPadding) == [false])
    let others = ["--model", siglip, "--model", Self.texts, "--mask-padding"]
    #expect {
      try ModelArguments.parse(others)
    } throws: { ModelArguments.message(for: $0).contains("'mask_padding' in the file of --models") }
    let refused = try ModelArguments.parse(["--model", Self.texts, "--mask-padding"]).options()
    #expect {
      try ModelServer(refused)
    } throws: { "\($0)".contains("masked padding makes no difference") }
  }

  /// A tower for texts has the bias of a sigmoid where somebody says it.
  @Test func aBiasMakesASigmoidPossible() throws {
    let models = try options(
      #""path": "\#(Self.texts)", "score": "sigmoid", "logit_scale": 20, "logit_bias": -3"#)
    #expect(models.first?.scoring == .sigmoid)
  }
}
