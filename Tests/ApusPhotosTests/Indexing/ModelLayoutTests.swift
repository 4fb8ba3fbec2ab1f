import Apus
import Foundation
import TestSupport
import Testing

@testable import ApusPhotos

/// A model that `modules.json` puts into a folder below is the whole of it for an index.
@Suite struct ModelLayoutTests {
  private static let options = "config_sentence_transformers.json"

  private func prompt(_ text: String) -> String {
    #"{"prompts": {"query": "\#(text)"}, "default_prompt_name": "query"}"#
  }

  private func layout(_ text: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      "modules.json", #"[{"path": "0_CLIPModel", "type": "sentence_transformers.models.CLIPModel"}]"#)
    try folder.write(Self.options, prompt(text))
    try FileManager.default.copyItem(
      atPath: Checkout.modelFolder("clip"), toPath: "\(folder.path)/0_CLIPModel")
    return folder
  }

  private func stored(_ folder: TemporaryFolder) throws -> StoredModel {
    try PhotoModel(folder.path, options: .init(precision: .float32)).stored
  }

  @Test func thePromptOfTheOuterFolderCounts() throws {
    let folder = try layout("a photo of ")
    let model = try stored(folder)
    #expect(model.path == folder.path)
    let index = try TemporaryFolder()
    let store = try PhotoStore(creatingAt: "\(index.path)/index")
    let found = try QueryTowers(model, threads: 1).vector(PhotoQuery(["a cat"]), store) { false }
    func vector(_ path: String) throws -> [Float] {
      try TextEmbedder(path, options: .init(length: .unit)).blocking.embed("a cat").values
    }
    let (whole, inner) = (try vector(folder.path), try vector("\(folder.path)/0_CLIPModel"))
    let cosine = VectorRanking.cosine(found, whole)
    #expect(cosine > 0.9999)
    #expect(whole != inner)
  }

  @Test func anotherPromptIsAnotherModel() throws {
    let (one, other) = (try layout("a photo of "), try layout("a drawing of "))
    let (first, second) = (try stored(one), try stored(other))
    #expect(first.digest != second.digest)
    let again = try stored(try layout("a photo of "))
    #expect(first.digest == again.digest)
  }
}
