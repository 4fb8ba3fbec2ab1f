import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Formats
@testable import Models

/// What sentence-transformers writes of a classifier of pairs is honoured, wherever its versions put it.
struct CrossEncoderTests {
  private static let identity = #""torch.nn.modules.linear.Identity""#
  private static let sigmoid = #""torch.nn.modules.activation.Sigmoid""#
  private static let modules =
    #"[{"path": "", "type": "sentence_transformers.base.modules.transformer.Transformer"}]"#

  private func load(_ keys: String?, _ files: [String: String] = [:]) throws -> ModelArchitecture {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-reranker"))
    let path = "\(folder.path)/config.json"
    var configuration = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    configuration.replace(/,\s*"sentence_transformers": \{[^}]*\}/, with: "")
    if let keys { configuration.replace(/^\{/, with: "{\(keys), ") }
    try folder.write("config.json", configuration)
    for (name, text) in files { try folder.write(name, text) }
    return try ModelArchitecture.load(ModelFolder(folder.path))
  }

  private func scoring(_ model: ModelArchitecture) throws -> ClassScoring {
    guard case .classifier(_, let scoring) = model.outputs else {
      throw ApusError(.unsupportedModel, "no classifier")
    }
    return scoring
  }

  private static let stated: [(String?, ClassScoring)] = [
    // One class has the logistic function where nothing is said, as the library has it.
    (nil, .sigmoid),
    (#""sbert_ce_default_activation_function": \#(identity)"#, .none),
    (#""sentence_transformers": {"activation_fn": \#(identity), "version": "5.0.0"}"#, .none),
    (#""sentence_transformers": {"activation_fn": \#(sigmoid)}"#, .sigmoid),
    (#""sentence_transformers": {"activation_fn": "torch.nn.Identity"}"#, .none),
    (#""sentence_transformers": {"activation_fn": "torch.nn.Sigmoid"}"#, .sigmoid),
    (#""sentence_transformers": {"version": "5.0.0"}"#, .sigmoid),
    // The newer key counts first.
    (
      #""sbert_ce_default_activation_function": \#(sigmoid), "sentence_transformers": {"activation_fn": \#(identity)}"#,
      .none
    ),
  ]

  @Test(arguments: stated)
  func theActivationIsThatOfTheConfiguration(_ keys: String?, _ expected: ClassScoring) throws {
    #expect(try scoring(load(keys)) == expected)
  }

  private func options(_ activation: String, more: String = "") -> String {
    """
    {"__version__": {}, "activation_fn": \(activation), "default_prompt_name": null, "model_type": "CrossEncoder",
     "prompts": {}\(more)}
    """
  }

  @Test func theFilesBesideTheModulesCountFirst() throws {
    let settings = """
      {"transformer_task": "sequence-classification", "module_output_name": "scores", "max_seq_length": 20,
       "modality_config": {"text": {"method": "forward", "method_output_name": "logits"}}}
      """
    let files = [
      "modules.json": Self.modules, "config_sentence_transformers.json": options(Self.identity),
      "sentence_bert_config.json": settings,
    ]
    let keys = #""sentence_transformers": {"activation_fn": \#(Self.sigmoid)}"#
    let model = try load(keys, files)
    #expect(try scoring(model) == .none)
    #expect(model.textPreparation.maximumTokens == 20)
    // Without the list of modules nobody reads them.
    let alone = try load(keys, files.filter { $0.key != "modules.json" })
    #expect(try scoring(alone) == .sigmoid)
    #expect(alone.textPreparation.maximumTokens == nil)
  }

  /// Whatever kind of problem is stated.
  @Test func oneClassHasTheLogisticFunctionWhereTheModulesSayNothing() throws {
    let files = [
      "modules.json": Self.modules, "config_sentence_transformers.json": #"{"model_type": "CrossEncoder"}"#,
    ]
    let regression = #""problem_type": "regression""#
    #expect(try scoring(load(regression, files)) == .sigmoid)
    #expect(try scoring(load(regression)) == .none)
  }

  @Test func aModelOfAnotherKindSaysNothingOfScores() throws {
    let files = [
      "modules.json": Self.modules,
      "config_sentence_transformers.json": #"{"model_type": "SentenceTransformer", "anything": 1}"#,
    ]
    #expect(try scoring(load(nil, files)) == .sigmoid)
  }

  @Test func whatIsNotKnownIsRefused() throws {
    let name = "config_sentence_transformers.json"
    let plain = options(Self.identity)
    let prompt = """
      {"model_type": "CrossEncoder", "default_prompt_name": "q", "prompts": {"q": "query: "}}
      """
    let refused: [([String: String], String)] = [
      ([name: options(Self.identity, more: #", "new": 1"#)], "'new'"),
      ([name: options(#""torch.nn.modules.activation.Tanh""#)], "Tanh"),
      ([name: prompt], "default_prompt_name"),
      (
        [name: plain, "modules.json": #"[{"path": "", "type": "sentence_transformers.models.Dense"}]"#],
        "the modules Dense"
      ),
      (
        [name: plain, "sentence_bert_config.json": #"{"transformer_task": "text-generation"}"#],
        "transformer_task"
      ),
    ]
    for (files, says) in refused {
      let all = ["modules.json": Self.modules].merging(files) { $1 }
      let error = try #require(throws: ApusError.self) { try load(nil, all) }
      #expect(error.kind == .unsupportedModel && "\(error)".contains(says), "\(error)")
    }
  }
}
