import ApusServing
import CLibrary
import FoundationEssentials
import Testing

@testable import ApusServer

/// Documents are ranked for clients of Cohere and of Jina, with the numbers of transformers.
@Suite struct DocumentRankingTests {
  private struct Expected: Decodable {
    let pairs: [[String]]
    let logits: [Double]
  }

  private static let shared = Result {
    try TestServer([
      ServedModelOptions(TestServer.fixtures + "/bert-classifier", name: "stars"),
      ServedModelOptions(TestServer.fixtures + "/bert-reranker", name: "ranker"),
    ])
  }

  private let server: TestServer
  private let expected: Expected

  init() throws {
    server = try Self.shared.get()
    let file = URL(filePath: TestServer.fixtures + "/bert-reranker/pairs.json")
    expected = try JSONDecoder().decode(Expected.self, from: try Data(contentsOf: file))
  }

  private func ask(_ members: [(key: String, value: JSONText)], version: Int = 1) async throws
    -> TestServer.Answer
  {
    try await server.ask(
      .post, "/v\(version)/rerank", JSONText.object(members).bytes, type: "application/json")
  }

  @Test(arguments: [1, 2])
  func scoresAreThoseOfTransformers(_ version: Int) async throws {
    for (pair, logit) in zip(expected.pairs, expected.logits) {
      let answer = try await ask(
        [("model", "ranker"), ("query", .string(pair[0])), ("documents", [.string(pair[1])])],
        version: version)
      #expect(answer.status == 200, "\(answer.text)")
      let score = try #require(try answer.json["results"]?[0]?["relevance_score"]?.double)
      #expect(abs(score - 1 / (1 + exp(-logit))) < 1e-5)
    }
  }

  /// One form has what clients of both read.
  @Test(arguments: [1, 2])
  func theAnswerHasItsForm(_ version: Int) async throws {
    let texts = ["a dog on the grass", "x", "how many people live in the city?", "leaf blast on rice"]
    let request: [(key: String, value: JSONText)] = [
      ("query", "a photo of a cat"), ("documents", .array(texts.map(JSONText.string))),
    ]
    let all = try await ask(request, version: version)
    let scores = try #require(try all.json["results"]?.list?.compactMap { $0["relevance_score"]?.double })
    #expect(scores.count == texts.count && scores == scores.sorted(by: >))
    #expect(try all.json["results"]?.list?.allSatisfy { $0["document"] == nil } == true)
    let best = try await ask(request + [("top_n", 2), ("return_documents", true)], version: version).json
    let results = try #require(best["results"]?.list)
    #expect(results.compactMap { $0["relevance_score"]?.double } == Array(scores.prefix(2)))
    for result in results {
      let index = try #require(result["index"]?.whole)
      #expect(result["document"]?["text"]?.string == texts[index])
    }
    #expect(best["object"]?.string == "list" && best["model"]?.string == "ranker")
    #expect(best["id"]?.string?.isEmpty == false)
    #expect(best["meta"]?["api_version"]?["version"]?.string == "\(version)")
    // Of all that were read: each is [CLS] query [SEP] text [SEP].
    let tokens = try #require(best["usage"]?["total_tokens"]?.whole)
    var counted = 0
    for text in texts {
      let alone = try await ask([("query", "a photo of a cat"), ("documents", [.string(text)])])
      counted += try #require(try alone.json["usage"]?["total_tokens"]?.whole)
    }
    #expect(tokens == counted && tokens > 5 * texts.count)
    #expect(try await ask(request + [("top_n", 99)]).json["results"]?.list?.count == texts.count)
  }

  @Test func documentsMayBeObjects() async throws {
    let plain = try await ask([("query", "a cat"), ("documents", ["a dog", "the city"])])
    let objects = try await ask([
      ("query", "a cat"), ("documents", [["text": "a dog", "id": 7], ["text": "the city"]]),
    ])
    let scores = { (answer: TestServer.Answer) in
      try answer.json["results"]?.list?.compactMap { $0["relevance_score"]?.double } ?? []
    }
    #expect(try scores(objects) == scores(plain))
    let fields = try await ask([
      ("query", "a cat"), ("rank_fields", ["title", "body"]), ("return_documents", true),
      ("documents", [["title": "a dog", "body": "on the grass", "text": "x"]]),
    ])
    #expect(try fields.json["results"]?[0]?["document"]?["text"]?.string == "a dog\non the grass")
  }

  /// The law of a limit: what is behind it makes no difference.
  @Test func documentsAreCutToTokens() async throws {
    func score(_ text: String, _ limit: Int?) async throws -> Double? {
      let more: [(key: String, value: JSONText)] = limit.map { [("max_tokens_per_doc", .integer($0))] } ?? []
      return try await ask([("query", "a cat"), ("documents", [.string(text)])] + more)
        .json["results"]?[0]?["relevance_score"]?.double
    }
    let cut = try await score("a dog on the grass", 2)
    #expect(cut != nil)
    #expect(try await score("a dog", nil) == cut)
    #expect(try await score("a dog", 2) == cut)
    #expect(try await score("a dog on the grass", nil) != cut)
  }

  @Test func longDocumentsAreCutUnlessTheClientSaysNo() async throws {
    let long = JSONText.string(String(repeating: "a cat and ", count: 50))
    #expect(try await ask([("query", "a"), ("documents", [long])]).status == 200)
    #expect(try await ask([("query", "a"), ("documents", [long]), ("truncate", false)]).status == 413)
  }

  @Test(arguments: [
    (#"{"query":"a"}"#, 400, "'documents'"), (#"{"documents":["a"]}"#, 400, "'query'"),
    (#"{"query":"a","documents":[]}"#, 400, "'documents'"),
    (#"{"query":"a","documents":["b",{"image":"c"}]}"#, 400, "'documents[1].text'"),
    (#"{"query":"a","documents":[{"text":"c"}],"rank_fields":["b"]}"#, 400, "'rank_fields'"),
    (#"{"query":"a","documents":["b"],"top_n":0}"#, 400, "'top_n'"),
    (#"{"query":"a","documents":["b"],"model":"nothing"}"#, 404, "'nothing'"),
    (#"{"query":"a","documents":["b"],"model":"stars"}"#, 400, "3 classes"), ("{", 400, ""),
  ])
  func errorsHaveTheirForm(_ body: String, _ status: Int, _ says: String) async throws {
    for path in ["/v1/rerank", "/v2/rerank"] {
      let answer = try await server.post(path, body)
      #expect(answer.status == status)
      let message = try #require(try answer.json["message"]?.string)
      #expect(message.contains(says) || says.isEmpty, "\(message)")
      #expect(try answer.json["detail"]?.string == message)
      #expect(try answer.json["id"]?.string?.isEmpty == false)
    }
    #expect(try await server.get("/v1/rerank").status == 405)
  }
}
