import TestSupport
import Testing

@testable import Apus

/// A list of modules of sentence-transformers beside a tower says how it is used by itself: such a tower is none of two.
@Suite struct TowerModulesPairTests {
  private static let transformer = #"{"path": "", "type": "sentence_transformers.models.Transformer"}"#
  private static let pooling = #"{"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}"#
  private static let pictureSettings = """
    {"transformer_task": "feature-extraction", "module_output_name": "sentence_embedding",
     "modality_config": {"image": {"method": "forward", "method_output_name": "pooler_output"}}}
    """

  private func refusal(_ pictures: String, _ texts: String) throws -> ApusError {
    let options = ZeroShotClassifier.Options(textModel: texts, logitScale: 10, logitBias: -10)
    let error = #expect(throws: ApusError.self) { try ZeroShotClassifier(pictures, options: options) }
    return try #require(error)
  }

  private func expectModules(_ error: ApusError, in folder: TemporaryFolder) {
    #expect(error.kind == .unsupportedModel && error.file == folder.path + "/modules.json", "\(error)")
    #expect(error.problem.contains("modules of sentence-transformers"), "\(error)")
    #expect(error.advice?.contains("Without the file") == true, "\(error)")
  }

  @Test(arguments: ["clip", "siglip"])
  func ofPictures(_ name: String) throws {
    let towers = try SplitTowers(name)
    try towers.pictures.write("modules.json", "[\(Self.transformer)]")
    try towers.pictures.write("sentence_bert_config.json", Self.pictureSettings)
    // By itself it is read as the modules say.
    let alone = try ImageEmbedder(towers.pictures.path)
    #expect(alone.width > 0)
    let error = try refusal(towers.pictures.path, towers.texts.path)
    expectModules(error, in: towers.pictures)
  }

  @Test func ofTextsOfACLIP() throws {
    let towers = try SplitTowers("clip")
    try towers.texts.write("modules.json", "[\(Self.transformer), \(Self.pooling)]")
    try towers.texts.write(
      "1_Pooling/config.json",
      #"{"embedding_dimension": 32, "pooling_mode": "mean", "include_prompt": true}"#)
    let alone = try TextEmbedder(towers.texts.path)
    #expect(alone.width > 0)
    let error = try refusal(towers.pictures.path, towers.texts.path)
    expectModules(error, in: towers.texts)
  }

  /// That of texts is read with modules for no use.
  @Test func ofTextsOfASigLIP() throws {
    let towers = try SplitTowers("siglip")
    try towers.texts.write("modules.json", "[\(Self.transformer), \(Self.pooling)]")
    let error = try refusal(towers.pictures.path, towers.texts.path)
    #expect(error.kind == .unsupportedModel && error.file == towers.texts.path + "/modules.json", "\(error)")
  }

  @Test(arguments: ["clip", "siglip"])
  func foldersThatAreSwappedAreToldSo(_ name: String) throws {
    let towers = try SplitTowers(name)
    let error = try refusal(towers.texts.path, towers.pictures.path)
    #expect(error.kind == .argument && error.file == towers.texts.path, "\(error)")
    #expect(error.problem.contains("the folders are swapped"), "\(error)")
    #expect(error.advice?.contains("as the model and this one as the option textModel") == true, "\(error)")
  }
}
