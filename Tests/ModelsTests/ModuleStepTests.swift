import Formats
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Modules of sentence-transformers that change nothing are taken, and those that are no model are named.
struct ModuleStepTests {
  /// Outside training Dropout changes nothing, and a vector of length 1 keeps it.
  @Test(arguments: [
    ("", false), ("DROPOUT", false), ("NORMALIZE", true), ("NORMALIZE, NORMALIZE", true),
    ("DROPOUT, NORMALIZE, DROPOUT", true),
  ])
  func stepsThatChangeNothingAreTaken(_ steps: String, _ expected: Bool) throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-sentence"))
    func module(_ name: String, _ path: String) -> String {
      #"{"type": "sentence_transformers.models.\#(name)", "path": "\#(path)"}"#
    }
    let first = module("Transformer", "") + ", " + module("Pooling", "1_Pooling")
    let more = steps.replacing("DROPOUT", with: module("Dropout", "2_Dropout"))
      .replacing("NORMALIZE", with: module("Normalize", "3_Normalize"))
    try folder.write("modules.json", "[\(first)\(more.isEmpty ? "" : ", ")\(more)]")
    try folder.write("2_Dropout/config.json", #"{"dropout": 0.1}"#)
    guard case .encoder(let normalizes) = try ModelArchitecture.load(ModelFolder(folder.path)).outputs else {
      throw ApusError(.unsupportedModel, "no encoder")
    }
    #expect(normalizes == expected)
  }

  @Test func modulesOfAnotherKindAreNamedWhereTheModelIsMissing() throws {
    let type = "sentence_transformers.sentence_transformer.modules.static_embedding.StaticEmbedding"
    let folder = try TemporaryFolder()
    try folder.write("modules.json", #"[{"path": "", "type": "\#(type)"}]"#)
    for hasWeights in [false, true] {
      if hasWeights {
        try folder.write("model.safetensors", SafetensorsBuilder.file([("x", "U8", [1], [7])]))
      }
      let error = try #require(throws: ApusError.self) {
        try ModelArchitecture.load(ModelFolder(folder.path))
      }
      #expect(error.kind == .unsupportedModel && error.file?.hasSuffix("/modules.json") == true, "\(error)")
      #expect("\(error)".contains("the modules StaticEmbedding"), "\(error)")
    }
  }
}
