import Apus
import ApusServing
import FoundationEssentials
import ServingTestSupport
import Testing

@testable import ServeArguments

/// A folder with a model, `stars`, a file with a label for each of its classes, and a folder `a/b`.
private final class ModelsFolder: Sendable {
  let path: String

  init() throws {
    let files = FileManager.default
    path = files.temporaryDirectory.appending(path: "models-\(UInt64.random(in: 0 ... .max))").path
    try files.createDirectory(atPath: path + "/a/b", withIntermediateDirectories: true)
    try files.copyItem(atPath: ModelsFileTests.fixtures + "/bert-classifier", toPath: path + "/stars")
    try write("labels.txt", "one\ntwo\nthree\n")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
  }
}

/// Models in a file, each with settings of its own.
@Suite struct ModelsFileTests {
  fileprivate static let fixtures =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    + "/Tests/Fixtures/transformers"

  private let files: ModelsFolder
  private var folder: String { files.path }

  init() throws { files = try ModelsFolder() }

  /// What is served of a file, beside the models of other arguments.
  private func options(_ json: String, _ arguments: [String] = []) throws -> [ServedModelOptions] {
    try files.write("models.json", json)
    return try ModelArguments.parse(arguments + ["--models", "\(folder)/models.json"]).options()
  }

  @Test func eachModelHasItsSettings() throws {
    let models = try options(
      #"""
      {"models": [
        {"path": "stars", "name": "reviews", "precision": "INT8", "variant": "fp16", "threads": 2, "labels": "labels.txt",
         "threshold": 0.25, "target": 500, "keep_alive": 0.5, "max_waiting_tokens": 100, "batch_tokens": 50,
         "fallbacks": [{"precision": "f32"}]},
        {"path": "\#(Self.fixtures)/clip", "zero_shot_labels": "labels.txt", "templates": ["a photo of {}"],
         "score": "softmax", "logit_scale": 10, "transparency": "white", "max_waiting_pixels": 3}
      ]}
      """#)
    #expect(models.map(\.name) == ["reviews", "clip"])
    let (stars, clip) = (models[0], models[1])
    #expect(stars.path == folder + "/stars" && stars.labelFile == folder + "/labels.txt")
    #expect(stars.inference.precision == .int8 && stars.inference.threads == 2)
    #expect(stars.inference.variant == "fp16" && clip.inference.variant == nil)
    #expect(stars.threshold == 0.25 && stars.keepAlive == .milliseconds(500))
    #expect(stars.latencyTarget == .milliseconds(500))
    #expect(stars.waitingTokens == 100 && stars.batchTokens == 50 && stars.waitingPixels == nil)
    #expect(stars.fallbacks == [ServedModelOptions.Fallback(precision: .float32)])
    #expect(clip.zeroShotLabels == ["one", "two", "three"] && clip.templates == ["a photo of {}"])
    #expect(clip.scoring == .softmax && clip.logitScale == 10 && clip.waitingPixels == 3_000_000)
    #expect(clip.transparency == .over(.white) && clip.fallbacks.isEmpty)
  }

  @Test func whatAnEntryDoesNotSayIsAsOnTheCommandLine() throws {
    let models = try options(
      #"{"models": [{"path": "stars", "threshold": 0.25}, {"path": "stars", "name": "other"}]}"#,
      ["--model", "first=owner/model", "--keep-alive", "60", "--threshold", "0.5", "--threads", "3"])
    #expect(models.map(\.name) == ["first", "stars", "other"])
    #expect(models.map(\.threshold) == [0.5, 0.25, 0.5])
    #expect(models.allSatisfy { $0.keepAlive == .seconds(60) && $0.inference.threads == 3 })
  }

  @Test func aFileIsEnough() throws {
    let arguments = try ServeArguments.parse(["--models", "models.json"])
    #expect(arguments.models.models == ["models.json"])
    #expect {
      try ServeArguments.parse(["--models", "a.json", "--models", "b.json"])
    } throws: { ServeArguments.message(for: $0).contains("--models b.json: there is one file") }
  }

  /// Relative to the file, wherever the program was started; the name of a repository stays one.
  @Test(arguments: [
    ("leaf", "/leaf"), ("a/b", "/a/b"), ("./a/c", "/./a/c"), ("../leaf.tflite", "/../leaf.tflite"),
    ("owner/leaf.tflite", "/owner/leaf.tflite"), ("a/b/c", "/a/b/c"),
  ])
  func pathsAreRelativeToTheFile(_ path: String, _ end: String) {
    let paths = ModelPaths(folder + "/")
    #expect(paths.model(path) == folder + end && paths.file(path) == "\(folder)/\(path)")
  }

  /// Two words with a slash between them would be a repository.
  @Test func aFolderBesideTheProgramIsNoRepository() {
    #expect(ModelPaths("conf/").model("leaf") == "./conf/leaf" && ModelPaths("conf/").file("a") == "./conf/a")
    #expect(ModelPaths("./").model("leaf") == "./leaf" && ModelPaths("../").file("a") == "../a")
  }

  @Test func theFoldersOwnModelHasItsName() throws {
    try files.write("stars/models.json", #"{"models": [{"path": "."}]}"#)
    let models = try ModelArguments.parse(["--models", "\(folder)/stars/models.json"]).options()
    #expect(models.map(\.name) == ["stars"])
  }

  @Test func aModelMayStayWhateverTheCommandLineSays() throws {
    let models = try options(
      #"{"models": [{"path": "stars", "keep_alive": -1}, {"path": "stars", "name": "other"}]}"#,
      ["--keep-alive", "60"])
    #expect(models.map(\.keepAlive) == [nil, .seconds(60)])
  }

  @Test(arguments: ["owner/model", "owner/model@main", "/models/leaf"])
  func otherPathsAreAsTheyStand(_ path: String) {
    #expect(ModelPaths(folder + "/").model(path) == path)
  }

  /// What stands in a file, and what its refusal says.
  private static let refusals: [(String, String)] = [
    (#"[{"path": "stars"}]"#, "The file is a list of 1, expected an object"),
    (#"{"models": {}}"#, "'models' is an object, expected a list"),
    (#"{"models": []}"#, "'models' is an empty list"),
    (#"{"models": ["stars"]}"#, #"'models[0]' is the text "stars", expected an object"#),
    (#"{"models": [{"path": "stars"}], "threads": 2}"#, "'threads' is not known here; known are models"),
    (#"{"models": [{}]}"#, "'models[0].path' is missing"),
    (#"{"models": [{"path": "stars", "path": "stars"}]}"#, "stands here twice"),
    (#"{"models": [{"path": "stars"}"#, "JSON, line 1, column 30: the end"),
    ("{\n  \"models\": [\n    {\"path\": \"ü\" \"x\"}]}", "JSON, line 3, column 18: '\"'; expected ','"),
    ("", "JSON, line 1, column 1: the end"),
  ]

  /// What stands in the entry of `stars` besides its path, and what its refusal says.
  private static let refusalsOfEntries: [(String, String)] = [
    (#""treshold": 0.5"#, "'models[0].treshold' is not known here; known are batch_tokens, "),
    (#""name": null"#, "'models[0].name' is null"), (#""name": """#, "'models[0].name'"),
    (#""threshold": "0.5""#, #"'models[0].threshold' is the text "0.5", expected a number from 0 to 1"#),
    (#""threshold": 2"#, "'models[0].threshold' is the number 2, expected a number from 0 to 1"),
    (#""precision": "int4""#, "expected f32, bf16 or int8"), (#""threads": 0"#, "'models[0].threads'"),
    (#""keep_alive": "5m""#, "'models[0].keep_alive' is the text"), (#""target": -1"#, "'models[0].target'"),
    (#""batch_tokens": 0"#, "'models[0].batch_tokens' is the number 0, expected a whole number from 1"),
    (#""max_waiting_tokens": 1.5"#, "'models[0].max_waiting_tokens'"),
    (#""labels": ["a"]"#, "'models[0].labels' is a list of 1, expected a text"),
    (#""templates": ["a photo"]"#, "'models[0].templates[0]'"), (#""score": "tanh""#, "'models[0].score'"),
    (#""transparency": "pink""#, "'models[0].transparency'"),
    (#""logit_scale": "10""#, "'models[0].logit_scale'"),
    (#""fallbacks": [{"precision": "int8", "name": "x"}]"#, "'models[0].fallbacks[0].name' is not known"),
    (#""fallbacks": [{}]"#, "'models[0].fallbacks[0]' is an object, expected one with 'path' or 'precision'"),
    (#""fallbacks": "int8""#, "'models[0].fallbacks'"), (#""keep_alive": -2"#, "or -1 for always"),
    (
      #""labels": "~/labels.txt""#,
      #"'models[0].labels' is the text "~/labels.txt", expected a path without '~'"#
    ),
    (#""fallbacks": [{"path": "~/leaf"}]"#, "'models[0].fallbacks[0].path'"),
    // Keys that are known, but not for a model that tells classes of texts.
    (
      #""zero_shot_labels": "labels.txt""#,
      "'models[0].zero_shot_labels' is for zero-shot-image-classification, text-embedding, and the model does text-cl"
    ),
    (#""max_waiting_pixels": 3"#, "'models[0].max_waiting_pixels' is for image-classification"),
  ]

  private func expectRefusal(_ json: String, _ words: String) {
    #expect {
      try options(json)
    } throws: { error in
      guard let error = error as? ApusError else { return false }
      return error.kind == .configuration && error.file == "\(folder)/models.json"
        && "\(error)".contains(words)
    }
  }

  /// Entries that could not be served as they are written, and what is said of them.
  private static let unfit: [(String, String)] = [
    (#""path": "stars", "name": "a/../b""#, "'models[0].name': the name 'a/../b' has '..' for a part of it"),
    (#""path": "stars", "name": "a\u0007""#, "'models[0].name': a name has a control character in it"),
    (#""path": "stars", "name": "leaf/ready""#, "'models[0].name'"),
    (#""path": "stars", "labels": "none.txt""#, "'models[0].labels': "),
    (#""path": "stars", "labels": "a""#, "it is a folder"),
    (#""path": "stars", "name": "leaf/versions/2""#, "'versions' before its last part"),
    (#""path": "nowhere", "name": "x""#, "'models[0].path': "),
    (#""path": "\#(leaf)float32.tflite", "precision": "int8""#, "'models[0].precision': a .tflite file is"),
    (#""path": "\#(fixtures)/bert-sentence", "score": "sigmoid""#, "'models[0].score' is sigmoid, of which"),
    (
      #""path": "stars", "fallbacks": [{"precision": "f32"}]"#,
      "'models[0].fallbacks[0]': it is the model itself"
    ),
    (
      #""path": "stars", "fallbacks": [{"precision": "int8"}, {"path": "./stars", "precision": "int8"}]"#,
      "'models[0].fallbacks[1]': it is there twice"
    ),
    (
      #""path": "stars", "fallbacks": [{"path": "./stars", "precision": "f32"}]"#,
      "'models[0].fallbacks[0]': it is the model itself"
    ),
    (
      #""path": "\#(leaf)float32.tflite", "fallbacks": [{"path": "none.tflite"}]"#,
      "/none.tflite"
    ),
  ]

  fileprivate static let leaf =
    fixtures.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    + "/Weights/rice-leaf/rice_v1_"

  @Test func aFileOfTooManyValuesIsRefused() {
    expectRefusal(
      "[" + String(repeating: "1,", count: 1 << 20) + "1]", "The file holds more than 1048576 values")
  }

  @Test(arguments: ModelsFileTests.unfit)
  func whatCouldNotBeServedIsRefusedAtItsKey(_ members: String, _ words: String) {
    #expect {
      try options("{\"models\": [{\(members)}]}")
    } throws: { error in
      let text = "\(error)"
      return (error as? ApusError)?.file == "\(folder)/models.json" && text.contains(words)
        && text.contains("models[0].")
    }
  }

  @Test(arguments: ["/rice_v1_float32.tflite", ""])
  func aModelIsNoFileOfModels(_ end: String) {
    #expect {
      try ModelArguments.parse(["--models", "\(folder)\(end)"]).options()
    } throws: { "\($0)".contains("Use --model for a single model") }
  }

  @Test(arguments: ModelsFileTests.refusals)
  func whatIsNoListOfModelsIsRefused(_ json: String, _ words: String) { expectRefusal(json, words) }

  @Test(arguments: ModelsFileTests.refusalsOfEntries)
  func aKeyThatCannotBeIsRefusedByItsPath(_ member: String, _ words: String) {
    expectRefusal(#"{"models": [{"path": "stars", \#(member)}]}"#, words)
  }

  @Test func filesThatAreNotThereAreNamed() throws {
    #expect {
      try options(#"{"models": [{"path": "nowhere"}]}"#)
    } throws: { "\($0)".contains("\(folder)/nowhere") }
    let clip = #"{"path": "\#(Self.fixtures)/clip", "zero_shot_labels": "nowhere.txt"}"#
    #expect {
      try options(#"{"models": [\#(clip)]}"#)
    } throws: { "\($0)".contains("\(folder)/nowhere.txt") }
    #expect {
      try ModelArguments.parse(["--models", "\(folder)/none.json"]).options()
    } throws: { ($0 as? ApusError)?.kind == .file }
  }

  @Test func twoModelsOfOneNameAreRefused() throws {
    #expect {
      try options(#"{"models": [{"path": "stars"}, {"path": "stars"}]}"#)
    } throws: { "\($0)".contains("'models[1]': two models called 'stars'") }
    #expect {
      try options(#"{"models": [{"path": "stars"}]}"#, ["--model", "stars=owner/model"])
    } throws: { "\($0)".contains("'models[0]': two models called 'stars'") }
  }

  @Test func aModelIsServedUnderItsNameWithItsLabels() async throws {
    let models = try options(
      #"{"models": [{"path": "stars", "name": "reviews", "labels": "labels.txt"}, {"path": "stars"}]}"#)
    let server = try ModelServer(models, limits: .patient)
    var labels: [[String]] = []
    for name in ["reviews", "stars"] {
      let model = try server.model(name, for: .textClassification)
      let result = try await model.classify([.text("a cat")], topK: nil, truncates: true).only()
      labels.append(result.predictions.map(\.label).sorted())
    }
    #expect(labels == [["one", "three", "two"], ["1 star", "2 stars", "3 stars"]])
  }
}
