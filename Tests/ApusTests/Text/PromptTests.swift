import TensorCore
import TestSupport
import Testing

@testable import Apus

/// The prompts of a model's files, chosen by name, stand before texts as sentence-transformers puts them.
@Suite struct PromptTests {
  private static let file = "config_sentence_transformers.json"
  private static let stated = #"{"query": "query: ", "passage": "the book: ", "é": "an accent "}"#

  private func folder(_ options: String = "") throws -> TemporaryFolder {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-sentence"))
    try folder.write(Self.file, "{\"prompts\": \(Self.stated)\(options)}")
    return folder
  }

  private func plain(_ texts: [String]) throws -> [Embedding] {
    try TextEmbedder(Checkout.modelFolder("bert-sentence")).blocking.embed(texts)
  }

  @Test func aNamedPromptStandsBeforeEveryText() async throws {
    let folder = try folder()
    let embedder = try TextEmbedder(folder.path)
    #expect(embedder.promptNames == ["query", "document", "passage", "é"])
    let wanted = try plain(["query: a bird", "query: a swift"])
    #expect(try embedder.blocking.embed(["a bird", "a swift"], prompt: "query") == wanted)
    #expect(try await embedder.embed(["a bird", "a swift"], prompt: "query") == wanted)
    #expect(try await embedder.embed("a swift", prompt: "query") == wanted[1])
    #expect(try embedder.encode("a bird", prompt: "query").ids == embedder.encode("query: a bird").ids)
    var found: [Embedding] = []
    for try await outcome in embedder.embeddings(of: ["a bird", "a swift"], prompt: "query") {
      found.append(try outcome.result.get())
    }
    #expect(found == wanted)
    // The library's own, empty where nothing is said of it.
    #expect(try embedder.blocking.embed("a bird", prompt: "document") == plain(["a bird"])[0])
  }

  @Test func aNameCountsBeforeTheModelsOwnChoice() throws {
    let folder = try folder(#", "default_prompt_name": "passage""#)
    let embedder = try TextEmbedder(folder.path)
    let wanted = try plain(["the book: a bird", "query: a bird", "a bird"])
    #expect(try embedder.blocking.embed("a bird") == wanted[0])
    #expect(try embedder.blocking.embed("a bird", prompt: "query") == wanted[1])
    #expect(try embedder.blocking.embed("a bird", prompt: "document") == wanted[2])
  }

  /// Names are told apart by their bytes: the last one here is an e and an accent.
  @Test(arguments: ["", "Query", "e\u{301}"]) func anUnknownNameIsRefusedWithThoseThereAre(_ name: String)
    throws
  {
    let folder = try folder()
    let embedder = try TextEmbedder(folder.path)
    let error = try #require(throws: ApusError.self) { try embedder.blocking.embed("a bird", prompt: name) }
    #expect(error.kind == .argument && error.expected == "query, document, passage, é")
    #expect(throws: ApusError.self) { try embedder.encode("a bird", prompt: name) }
  }

  /// A CLIP without modules is no model of sentence-transformers.
  @Test func aModelMayHaveNone() throws {
    let embedder = try TextEmbedder(Checkout.modelFolder("clip"))
    #expect(embedder.promptNames.isEmpty)
    let error = try #require(throws: ApusError.self) { try embedder.encode("a bird", prompt: "query") }
    #expect(error.kind == .argument && error.expected == "no name: it has no prompts")
  }

  @Test func aPromptWhoseTokensPoolingLeavesOutIsRefused() throws {
    let folder = try folder()
    try folder.write("1_Pooling/config.json", #"{"pooling_mode": "mean", "include_prompt": false}"#)
    let embedder = try TextEmbedder(folder.path)
    let error = try #require(throws: ApusError.self) { try embedder.encode("a bird", prompt: "query") }
    #expect(error.kind == .unsupportedModel && error.location == "include_prompt")
    #expect(try embedder.encode("a bird", prompt: "document").ids == embedder.encode("a bird").ids)
  }

  @Test func theCommandTakesAName() throws {
    let folder = try folder()
    func vector(_ arguments: String...) throws -> Substring? {
      let run = try CommandRun(["embed", "--model", folder.path, "--json"] + arguments)
      #expect(run.exitCode == 0, "\(run.messages)")
      return run.output.firstRange(of: #""embedding""#).map { run.output[$0.lowerBound...] }
    }
    let found = try #require(try vector("--text", "a bird", "--prompt", "query"))
    #expect(try found == vector("--text", "query: a bird"))
    #expect(try found != vector("--text", "a bird"))
    let refused = try CommandRun(["embed", "--model", folder.path, "--text", "a", "--prompt", "title"])
    #expect(
      refused.exitCode == 2 && refused.messages.contains("query, document, passage"), "\(refused.messages)")
    let pictures = try CommandRun(["embed", "--model", folder.path, "--image", "a.png", "--prompt", "query"])
    #expect(pictures.exitCode == 2 && pictures.messages.contains("--prompt is for texts"))
  }
}
