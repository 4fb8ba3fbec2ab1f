import Foundation
import Formats
import TensorCore
import TestSupport
import Testing

@testable import Models

/// What sentence-transformers 6.2 writes beside CLIP and SigLIP is honoured or refused.
struct TowerModulesTests {
  private static let prefix = "sentence_transformers.base.modules"
  private static let transformer = #"{"path": "", "type": "\#(prefix).transformer.Transformer"}"#
  private static let normalize = #"{"path": "1_Normalize", "type": "\#(prefix).normalize.Normalize"}"#
  private static let dropout = #"{"path": "2_Dropout", "type": "\#(prefix).dropout.Dropout"}"#
  private static let dense = #"{"path": "1_Dense", "type": "\#(prefix).dense.Dense"}"#
  private static let pooling =
    #"{"path": "1_Pooling", "type": "sentence_transformers.sentence_transformer.modules.pooling.Pooling"}"#
  private static let list = "modules.json"
  private static let settings = "sentence_bert_config.json"
  private static let options = "config_sentence_transformers.json"

  private static func towers(_ more: String = "", text: String = "get_text_features") -> String {
    """
    {"transformer_task": "feature-extraction", "module_output_name": "sentence_embedding", \(more)
     "modality_config": {"text": {"method": "\(text)", "method_output_name": "pooler_output"},
      "image": {"method": "get_image_features", "method_output_name": "pooler_output"}}}
    """
  }

  private static let prompt = """
    {"__version__": {"sentence_transformers": "6.2.0"}, "default_prompt_name": "p", "model_type": "SentenceTransformer",
     "prompts": {"document": "", "p": "a photo of ", "query": ""}, "similarity_fn_name": "cosine"}
    """

  private func load(_ model: String, _ files: [String: String]) throws -> ModelArchitecture {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(model))
    for (name, text) in files { try folder.write(name, text) }
    return try ModelArchitecture.load(ModelFolder(folder.path))
  }

  @Test func textsOfCLIPArePreparedAsTheModulesSay() throws {
    let stated = [
      Self.list: "[\(Self.transformer)]", Self.options: Self.prompt,
      Self.settings: Self.towers(#""max_seq_length": 5, "do_lower_case": true,"#),
    ]
    let texts = try load("clip", stated).textPreparation
    #expect(texts.prompt == "a photo of ")
    #expect(texts.maximumTokens == 5 && texts.lowercases)
    // Without the list of modules nobody reads them.
    let alone = try load("clip", stated.filter { $0.key != Self.list }).textPreparation
    #expect(alone.prompt.isEmpty && alone.maximumTokens == nil && !alone.lowercases)
    let normalized = "[\(Self.transformer), \(Self.normalize)]"
    #expect(try load("clip", [Self.list: normalized, Self.settings: Self.towers()]).text != nil)
  }

  private func normalizes(_ model: ModelArchitecture) throws -> Bool {
    guard case .dualEncoder(let comparison) = model.outputs else {
      throw ApusError(.unsupportedModel, "no two towers")
    }
    return comparison.normalizes
  }

  /// Modules say what the length of embeddings is; without them CLIP's are used at length 1.
  @Test func lengthsAreThoseOfTheModules() throws {
    let settings = Self.towers()
    let (first, second) = (Self.transformer, Self.normalize)
    let plain = try load("clip", [Self.list: "[\(first)]", Self.settings: settings])
    let normalized = try load("clip", [Self.list: "[\(first), \(second)]", Self.settings: settings])
    let dropped = try load(
      "clip", [Self.list: "[\(first), \(second), \(Self.dropout), \(second)]", Self.settings: settings])
    let alone = try load("clip", [:])
    let found = try [plain, normalized, dropped, alone].map { try normalizes($0) }
    #expect(found == [false, true, true, true])
  }

  /// As computed without modules, too.
  @Test func theLengthOfADINOv2IsThatOfItsModules() throws {
    let settings = """
      {"transformer_task": "feature-extraction", "module_output_name": "sentence_embedding",
       "modality_config": {"image": {"method": "forward", "method_output_name": "pooler_output"}}}
      """
    let (first, second) = (Self.transformer, Self.normalize)
    for (list, expected) in [("[\(first)]", false), ("[\(first), \(second)]", true)] {
      let model = try load("dinov2", [Self.list: list, Self.settings: settings])
      guard case .encoder(let normalizes) = model.outputs else {
        throw ApusError(.unsupportedModel, "no encoder of pictures")
      }
      #expect(normalizes == expected)
    }
  }

  @Test func otherModulesBesideTowersAreRefused() throws {
    let plain = "[\(Self.transformer)]"
    let refused: [(model: String, files: [String: String], says: String)] = [
      ("clip", [Self.list: "[\(Self.transformer), \(Self.dense)]"], "the modules Transformer, Dense"),
      ("clip", [Self.list: "[\(Self.transformer), \(Self.pooling)]"], "the modules Transformer, Pooling"),
      (
        "clip", [Self.list: plain, Self.settings: Self.towers(text: "forward")], "modality_config.text.method"
      ),
      ("clip", [Self.list: plain, Self.settings: Self.towers(#""new": 1,"#)], "'new'"),
      ("clip", [Self.list: plain, Self.settings: "{}"], "modality_config"),
      ("clip", [Self.list: plain], "modality_config"),
      (
        "clip-vision", [Self.list: "[\(Self.transformer), \(Self.pooling)]"],
        "the modules Transformer, Pooling"
      ),
      ("clip-text", [Self.list: plain], "the modules Transformer"),
      ("siglip", [Self.list: plain, Self.settings: Self.towers()], "SigLIP"),
      ("siglip-text", [Self.list: plain], "SigLIP"),
      ("siglip-vision", [Self.list: "[\(Self.transformer), \(Self.pooling)]"], "Pooling"),
      ("dinov2", [Self.list: "[\(Self.transformer), \(Self.pooling)]"], "Pooling"),
    ]
    for (model, files, says) in refused {
      let error = try #require(throws: ApusError.self) { try load(model, files) }
      #expect(error.kind == .unsupportedModel && "\(error)".contains(says), "\(model): \(error)")
    }
  }

  /// The features of the fixtures' second text in transformers 5.23.0 (`AutoModel`, float32), pooled, the first six.
  private static let pooled: [(model: String, mode: String, features: [Float])] = [
    ("clip-text", "mean", [0.632328, -0.2623089, 0.7897546, -0.261869, -0.3263226, 0.2473793]),
    ("clip-text", "cls", [1.020787, -0.1141524, 1.367875, -0.1358238, 0.3535954, -0.6453937]),
    (
      "clip-text-projection", "mean",
      [-1.8063332, 0.3928735, 0.2190895, 0.5739437, -0.0348506, 0.5383326]
    ),
    ("clip-text-projection", "cls", [0.717225, -0.2290095, 1.1003898, 0.3248753, 0.7926469, -0.2997935]),
  ]

  /// The library takes the tower without its projection.
  @Test func tokensOfATextTowerArePooled() throws {
    for (model, mode, expected) in Self.pooled { try expectPooled(model, mode, expected) }
  }

  private func expectPooled(_ model: String, _ mode: String, _ expected: [Float]) throws {
    let found = try load(
      model,
      [
        Self.list: "[\(Self.transformer), \(Self.pooling)]", Self.options: Self.prompt,
        "1_Pooling/config.json":
          #"{"embedding_dimension": 32, "pooling_mode": "\#(mode)", "include_prompt": true}"#,
      ])
    guard case .encoder(let normalizes) = found.outputs else {
      throw ApusError(.unsupportedModel, "no encoder of texts")
    }
    let tower = try #require(found.text)
    #expect(!normalizes && found.textPreparation.prompt == "a photo of ")
    let ids = try ModelFixture(model).ids()
    let (both, alone) = try (ModelFixture.run(tower, ids), ModelFixture.run(tower, [ids[1]]))
    let width = tower.outputWidth
    #expect(both.count == ids.count * width && alone.count == width)
    expectClose(Array(alone.prefix(6)), expected, tolerance: 3e-5, "\(model) \(mode)")
    expectClose(
      Array(both[width..<(width + 6)]), expected, tolerance: 3e-5, "\(model) \(mode) among others")
  }

  /// The layout of older versions, as of `sentence-transformers/clip-ViT-B-32`.
  @Test func aModelMayLieInTheFolderOfTheModuleCLIPModel() throws {
    let folder = try TemporaryFolder()
    let inner = "\(folder.path)/0_CLIPModel"
    try folder.write(
      Self.list, #"[{"path": "0_CLIPModel", "type": "sentence_transformers.models.CLIPModel"}]"#)
    try folder.write(Self.options, Self.prompt)
    try FileManager.default.copyItem(atPath: Checkout.modelFolder("clip"), toPath: inner)
    let opened = try ModelFolder(folder.path)
    #expect(opened.path == inner)
    let model = try ModelArchitecture.load(opened)
    #expect(model.text != nil && model.image != nil)
    #expect(model.textPreparation.prompt == "a photo of ")
  }
}
