import ApusServing
import CLibrary
import FoundationEssentials
import Testing

@testable import ApusServer

/// Pairs of texts over HTTP get the numbers of transformers.
@Suite struct RerankTests {
  private struct Expected: Decodable {
    let pairs: [[String]]
    let logits: [Double]

    init(_ name: String) throws {
      let file = URL(filePath: "\(TestServer.fixtures)/\(name)/pairs.json")
      self = try JSONDecoder().decode(Expected.self, from: try Data(contentsOf: file))
    }
  }

  /// `stars` has three classes, `ranker` one.
  private static let shared = Result {
    try TestServer([
      ServedModelOptions(TestServer.fixtures + "/bert-classifier", name: "stars"),
      ServedModelOptions(TestServer.fixtures + "/bert-reranker", name: "ranker"),
    ])
  }

  private let server: TestServer

  init() throws { server = try Self.shared.get() }

  private func body(_ members: [(key: String, value: JSONText)]) -> String {
    String(decoding: JSONText.object(members).bytes, as: UTF8.self)
  }

  private func pair(_ texts: [String]) -> JSONText { .array(texts.map(JSONText.string)) }

  @Test func logitsOfPairsAreThoseOfTransformers() async throws {
    for (name, classes) in [("stars", 3), ("ranker", 1)] {
      let expected = try Expected(name == "stars" ? "bert-classifier" : "bert-reranker")
      let largest = expected.logits.map(abs).max() ?? 0
      let request = body([
        ("inputs", .array(expected.pairs.map(pair))), ("model", .string(name)), ("raw_scores", true),
      ])
      let rows = try #require(try await server.post("/predict", request).json.list)
      #expect(rows.count == expected.pairs.count)
      for (index, row) in rows.enumerated() {
        let found = try #require(row.list).compactMap { $0["score"]?.double }
        let logits = expected.logits[(index * classes)..<((index + 1) * classes)].sorted(by: >)
        #expect(found.count == classes)
        #expect(zip(found, logits).allSatisfy { abs($0 - $1) < 1e-5 * largest }, "\(name) \(index)")
      }
    }
  }

  @Test func textsAreOrderedByTheirScores() async throws {
    let texts = ["a dog on the grass", "x", "", "how many people live in the city?", "leaf blast on rice"]
    let query = "a photo of a cat"
    let members: [(key: String, value: JSONText)] = [("query", .string(query)), ("texts", pair(texts))]
    // The first model that ranks, which is not the first that classifies.
    let ranks = try #require(try await server.post("/rerank", body(members)).json.list)
    let raw = try #require(
      try await server.post("/rerank", body(members + [("raw_scores", true), ("return_text", true)])).json
        .list)
    #expect(Set(ranks.compactMap { $0["index"]?.whole }) == Set(texts.indices))
    let pairs = body([
      ("inputs", .array(texts.map { pair([query, $0]) })), ("model", "ranker"), ("raw_scores", true),
    ])
    let logits = try #require(try await server.post("/predict", pairs).json.list)
      .map { try #require($0[0]?["score"]?.double) }
    for (rank, plain) in zip(ranks, raw) {
      let index = try #require(rank["index"]?.whole)
      #expect(plain["index"]?.whole == index)
      #expect(plain["score"]?.double == logits[index])
      #expect(plain["text"]?.string == texts[index])
      #expect(rank["text"] == nil)
      let score = try #require(rank["score"]?.double)
      // A logit of single precision gives six digits.
      #expect(abs(-log(1 / score - 1) - logits[index]) < 1e-4)
    }
    let scores = ranks.compactMap { $0["score"]?.double }
    #expect(scores == scores.sorted(by: >) && Set(scores).count == texts.count)
  }

  @Test(arguments: ["left", "Left"])
  func theBeginningIsCutWhereItIsAskedFor(_ side: String) async throws {
    let words = ["cat", "dog", "grass", "film", "joy", "rice", "leaf"]
    let long = (0..<80).map { words[$0 * $0 / 3 % words.count] }.joined(separator: " ")
    func score(_ text: String, _ more: [(key: String, value: JSONText)]) async throws -> Double? {
      let request = body([("query", "x"), ("texts", pair([text])), ("raw_scores", true)] + more)
      return try await server.post("/rerank", request).json[0]?["score"]?.double
    }
    let left = try await score(long, [("truncation_direction", .string(side))])
    let right = try await score(long, [("truncation_direction", "right")])
    #expect(try await score(long, []) == right)
    #expect(left != nil && right != nil && left != right)
    // What is cut off makes no difference: more of it changes nothing.
    #expect(try await score("rice and leaf " + long, [("truncation_direction", .string(side))]) == left)
    #expect(try await score(long + " rice and leaf", [("truncation_direction", "right")]) == right)
    let refused = try await server.post(
      "/rerank", body([("query", "x"), ("texts", pair([long])), ("truncate", false)]))
    #expect(refused.status == 413)
  }

  @Test(arguments: [
    (#"{"query":"a","texts":["b"],"model":"stars"}"#, 424, "3 classes"),
    (#"{"query":"","texts":[""]}"#, 422, "empty"), (#"{"query":"a","texts":[]}"#, 400, "texts"),
    (#"{"query":"a","texts":["b"],"truncation_direction":"up"}"#, 422, "truncation_direction"),
  ])
  func whatCannotBeRankedIsSaid(_ body: String, _ status: Int, _ says: String) async throws {
    let answer = try await server.post("/rerank", body)
    #expect(answer.status == status)
    #expect(try answer.json["error"]?.string?.contains(says) == true, "\(answer.text)")
  }

  @Test func theKindOfAModelIsKnown() async throws {
    let info = try await TestServer([
      ServedModelOptions(TestServer.fixtures + "/bert-reranker", name: "ranker")
    ]).get("/info").json
    #expect(info["model_type"]?["reranker"]?["label2id"]?["LABEL_0"]?.whole == 0)
  }
}
