import Apus
import Foundation
import TestSupport
import Testing

@testable import ApusPhotos

/// An index of a model without a tower for texts, and another model for sentences.
@Suite struct TextModelTests {
  private static let texts = Checkout.modelFolder("clip-text-projection")
  private static let file = Checkout.fixture("converters/keras_image.tflite").path

  private let library: Library

  init() throws {
    library = try Library(["three-red-circles.png": "a.png", "a-spotted-green-square.png": "b.png"])
  }

  @discardableResult
  private func index(with path: String) async throws -> PhotoModel {
    let model = try PhotoModel(path, options: .init(precision: .float32))
    try await library.index.update([library.path], with: model)
    return model
  }

  private func refusal(of query: PhotoQuery, textModel: String? = nil) async throws -> ApusError? {
    let searcher = try PhotoSearcher(library.index, textModel: textModel)
    return await #expect(throws: ApusError.self) { try await searcher.search(query) }
  }

  @Test(arguments: [
    ("clip", true), ("siglip", true), ("clip-vision-projection", false), ("siglip-vision", false),
    ("dinov2", false),
  ])
  func modelsSayWhetherTheyHaveATower(_ name: String, _ hasTower: Bool) throws {
    let model = try PhotoModel(Checkout.modelFolder(name), options: .init(precision: .float32))
    #expect(model.hasTextTower == hasTower)
  }

  /// What the first search would end with is said before photographs are indexed.
  @Test(arguments: ["clip", "siglip"])
  func towersThatCannotBeUsedAreFoundBeforehand(_ name: String) async throws {
    let sound = try PhotoModel(Checkout.modelFolder(name), options: .init(precision: .float32))
    try sound.checkTextTower()
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(name))
    try folder.write("tokenizer.json", #"{"version": "1.0", "model": {"type": "Nonsense"}}"#)
    let model = try PhotoModel(folder.path, options: .init(precision: .float32))
    let found = #expect(throws: ApusError.self) { try model.checkTextTower() }
    try await library.index.update([library.path], with: model)
    let searched = try await refusal(of: "beach")
    #expect(found == searched && found?.file?.hasSuffix("tokenizer.json") == true, "\(found as Any)")
  }

  @Test(arguments: ["clip-vision-projection", "siglip-vision", "dinov2"])
  func modelsWithoutATowerHaveNoneToCheck(_ name: String) throws {
    try PhotoModel(Checkout.modelFolder(name), options: .init(precision: .float32)).checkTextTower()
  }

  @Test func aFileHasNone() throws {
    let model = try PhotoModel(Self.file, options: .init(precision: .float32))
    #expect(!model.hasTextTower)
  }

  @Test(arguments: [
    Checkout.modelFolder("clip-vision-projection"), Checkout.modelFolder("dinov2"), Self.file,
  ])
  func withoutOneTheErrorSaysWhatToDo(_ path: String) async throws {
    try await index(with: path)
    let error = try #require(try await refusal(of: "beach"))
    #expect(error.kind == .unsupportedModel && error.file == path)
    #expect(error.problem.contains("has no tower for texts"))
    let advice = try #require(error.advice)
    #expect(advice.contains("the option textModel") && advice.contains("by a picture"), "\(advice)")
    #expect(!advice.contains("apus embed"), "\(advice)")
    // Pictures need none.
    let liked = try PhotoQuery([], like: [Picture("\(library.path)/a.png")])
    let names = try await library.names(liked, count: 1)
    #expect(names == ["a.png"])
  }

  @Test(arguments: ["clip-vision-projection", "clip"])
  func sentencesGoThroughTheTowerThatIsNamed(_ name: String) async throws {
    let pictures = try await index(with: Checkout.modelFolder(name)).pictures
    let tower = try TextEmbedder(Self.texts, options: .init(length: .unit))
    let sentence = try tower.blocking.embed("beach")
    let searcher = try PhotoSearcher(library.index, textModel: Self.texts)
    #expect(searcher.textModel == Self.texts)
    let matches = try await searcher.search("beach")
    #expect(matches.count == 2)
    for match in matches {
      let picture = try pictures.blocking.embed(Picture(match.paths[0]))
      let distance = abs(match.score - sentence.cosine(picture))
      #expect(distance < 1e-3, "\(match.paths[0])")
    }
  }

  /// A tower whose vocabulary has whole words: those of the sentences that say nothing, and "beach".
  private func towerOfWords() throws -> TemporaryFolder {
    let folder = try TemporaryFolder(copying: Self.texts)
    try folder.write(
      "tokenizer_config.json",
      #"{"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "<|endoftext|>", "model_max_length": 20}"#
    )
    let words = Set(ScoreTest.neutral.flatMap { $0.split(separator: " ") } + ["beach", "[UNK]"]).sorted()
    let vocabulary = words.enumerated().map { "\"\($1)\": \($0)" }.joined(separator: ", ")
    try folder.write(
      "tokenizer.json",
      """
      {"version": "1.0", "added_tokens": [
        {"id": 558, "content": "<|startoftext|>", "special": true},
        {"id": 559, "content": "<|endoftext|>", "special": true}],
      "normalizer": null, "pre_tokenizer": {"type": "Whitespace"},
      "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": false},
      "post_processor": {"type": "RobertaProcessing", "sep": ["<|endoftext|>", 559], "cls": ["<|startoftext|>", 558],
        "trim_offsets": false, "add_prefix_space": false},
      "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100, "vocab": {\(vocabulary), "<|startoftext|>": 558, "<|endoftext|>": 559}}}
      """)
    return folder
  }

  /// The sentences that say nothing are embedded by the tower that is named, too.
  @Test(arguments: ["clip-vision-projection", "clip"])
  func sentencesThatSayNothingGoThroughItToo(_ name: String) async throws {
    let pictures = try await index(with: Checkout.modelFolder(name)).pictures
    let folder = try towerOfWords()
    let tower = try TextEmbedder(folder.path, options: .init(length: .unit))
    let searcher = try PhotoSearcher(library.index, textModel: folder.path)
    let matches = try await searcher.search("beach")
    let background = try tower.blocking.embed(ScoreTest.neutral)
    let liked = try await searcher.search("beach", minimum: .automatic)
    #expect(matches.count == 2 && searcher.notes.isEmpty, "\(searcher.notes)")
    var expected: [[String]] = []
    for match in matches {
      let picture = try pictures.blocking.embed(Picture(match.paths[0]))
      let others = background.map { $0.cosine(picture) }
      if others.allSatisfy({ $0 < match.score }) { expected.append(match.paths) }
    }
    #expect(liked.map(\.paths) == expected)
  }

  /// A vector of 32 numbers beside one of 16, and one of 16 beside one of 3.
  @Test(arguments: [
    (Checkout.modelFolder("clip-vision-projection"), Checkout.modelFolder("clip-text"), 16, 32),
    (Self.file, Self.texts, 3, 16),
  ])
  func anotherWidthIsRefused(_ path: String, _ texts: String, _ width: Int, _ other: Int) async throws {
    try await index(with: path)
    let error = try #require(try await refusal(of: "beach", textModel: texts))
    #expect(error.kind == .argument && error.file == texts)
    #expect(error.problem.contains("\(other) numbers"), "\(error)")
    let expected = try #require(error.expected)
    #expect(expected.hasPrefix("\(width),"), "\(error)")
  }

  @Test func whatEmbedsNoTextsIsRefused() async throws {
    let path = Checkout.modelFolder("clip-vision-projection")
    try await index(with: path)
    let tower = try #require(try await refusal(of: "beach", textModel: path))
    #expect(tower.kind == .unsupportedModel && tower.expected == "one that embeds texts")
    let missing = try #require(try await refusal(of: "beach", textModel: "/no-such-folder"))
    #expect(missing.kind == .file)
  }

  /// The vectors are in the index.
  @Test func sentencesNeedNoFileOfTheOtherModel() async throws {
    let folder = try TemporaryFolder()
    let place = "\(folder.path)/tower"
    try FileManager.default.copyItem(
      atPath: Checkout.modelFolder("clip-vision-projection"), toPath: place)
    try await index(with: place)
    try FileManager.default.removeItem(atPath: place)
    let searcher = try PhotoSearcher(library.index, textModel: Self.texts)
    let matches = try await searcher.search("beach")
    #expect(matches.count == 2)
    let error = try #require(try await refusal(of: "beach"))
    #expect(error.kind == .file)
  }
}
