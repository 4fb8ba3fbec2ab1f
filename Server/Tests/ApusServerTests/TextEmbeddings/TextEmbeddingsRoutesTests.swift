import ApusServing
import Testing

@testable import ApusServer

@Suite struct TextEmbeddingsRoutesTests {
  private let server: TestServer

  init() throws { server = try TestServer.shared.get() }

  @Test func similarityIsTheCosineOfEmbeddings() async throws {
    let rows = try await server.post("/embed", #"{"inputs":["a cat","x"]}"#).json
    let (cat, x) = (try #require(rows[0]?.doubles), try #require(rows[1]?.doubles))
    let cosine = zip(cat, x).reduce(0) { $0 + $1.0 * $1.1 }
    let body = #"{"inputs":{"source_sentence":"a cat","sentences":["x","a cat"]}}"#
    let found = try #require(try await server.post("/similarity", body).json.doubles)
    // Numbers of single precision.
    #expect(abs(found[0] - cosine) < 1e-6)
    #expect(abs(found[1] - 1) < 1e-6)
  }

  @Test func textsOfARequestAreAnsweredInTheirOrder() async throws {
    let batch = try await server.post("/predict", #"{"inputs":[["a cat"],["x"]]}"#)
    let single = try await server.post("/predict", #"{"inputs":"x"}"#)
    #expect(try batch.json[1] == single.json)
    #expect(try single.json.list?.count == 3)
  }

  @Test(arguments: [
    ("/embed", "{", 400, "Validation"), ("/embed", #"{"inputs":[]}"#, 400, "Empty"),
    ("/embed", #"{"inputs":null}"#, 422, "Validation"),
    ("/embed", #"{"inputs":"a","model":"nothing"}"#, 404, "Validation"),
    ("/embed", #"{"inputs":"a","model":"stars"}"#, 424, "Validation"),
    ("/predict", #"{"inputs":["",""]}"#, 422, "Validation"),
    ("/embed_all", #"{"inputs":"a"}"#, 424, "Validation"),
    ("/predict", #"{"inputs":[[" "],["b"]]}"#, 422, "Validation"),
    ("/rerank", #"{"query":"a","texts":["b"]}"#, 424, "Validation"),
    ("/", #"{"inputs":{"source_sentence":5},"parameters":{}}"#, 422, "Validation"),
    ("/models/nothing", #"{"inputs":"a"}"#, 404, "Validation"),
    ("/nowhere", "{}", 404, "Validation"),
  ])
  func errorsHaveTheirForm(_ path: String, _ body: String, _ status: Int, _ type: String) async throws {
    let answer = try await server.post(path, body)
    #expect(answer.status == status)
    #expect(try answer.json["error_type"]?.string == type)
    #expect(try answer.json["error"]?.string?.isEmpty == false)
  }

  /// Text Embeddings Inference serves one model, and passes names over.
  @Test func theOnlyModelHasAnyName() async throws {
    let server = try TestServer([ServedModelOptions(TestServer.fixtures + "/bert-sentence", name: "sentence")]
    )
    let plain = try await server.post("/embed", #"{"inputs":"a cat"}"#)
    let named = try await server.post("/embed", #"{"inputs":"a cat","model":"BAAI/bge-m3"}"#)
    #expect(plain.status == 200 && named.bytes == plain.bytes, "\(named.text)")
    #expect(try await server.post("/tokenize", #"{"inputs":"a cat","model":"tei"}"#).status == 200)
    #expect(try await server.post("/predict", #"{"inputs":"a","model":"tei"}"#).status == 424)
  }

  /// Text Embeddings Inference cuts unless it is told not to.
  @Test func tokensAreCutAsTextsAre() async throws {
    let ids = [Int](repeating: 5, count: 10_000)
    let cut = try await server.post("/embed", #"{"inputs":\#(ids)}"#)
    #expect(cut.status == 200, "\(cut.text)")
    let refused = try await server.post("/embed", #"{"inputs":\#(ids),"truncate":false}"#)
    let never = try await server.post("/v1/embeddings", #"{"model":"sentence","input":\#(ids)}"#)
    #expect(refused.status == 413 && never.status == 413)
  }

  /// One address for all tasks: the body shows which.
  @Test func oneAddressServesEveryTask() async throws {
    let embedding = try await server.post("/", #"{"inputs":"a cat"}"#)
    #expect(try await server.post("/embed", #"{"inputs":"a cat"}"#).bytes == embedding.bytes)
    let classes = try await server.post("/", #"{"inputs":"a cat","parameters":{"top_k":1}}"#).json
    #expect(classes[0]?.list?.count == 1)
    let picture = try Sample.picture()
    let leaf = try await server.ask(.post, "/", picture).json
    #expect(leaf[0]?["label"]?.string != nil)
    let scene = try await server.ask(.post, "/models/scenes", picture, type: "image/png").json
    #expect(scene[0]?["label"]?.string == "three red circles")
  }

  /// A text may be longer than the model takes, but not than what may wait for it: eight bytes count as a token.
  @Test func tokensHaveTheLimitsOfTexts() async throws {
    var options = ServedModelOptions(TestServer.fixtures + "/bert-sentence", name: "sentence")
    options.waitingTokens = 100
    let server = try TestServer([options])
    let text = String(repeating: "a cat ", count: 100)
    let long = try await server.post("/tokenize", #"{"inputs": "\#(text)"}"#)
    #expect(try long.status == 200 && (long.json[0]?.list?.count ?? 0) > 100)
    let tooLong = try await server.post("/tokenize", #"{"inputs": "\#(text + text)"}"#)
    #expect(tooLong.status == 413, "\(tooLong.text)")
    let ids = [String](repeating: "5", count: 101).joined(separator: ",")
    #expect(try await server.post("/decode", #"{"ids": [\#(ids.dropLast(2))]}"#).status == 200)
    #expect(try await server.post("/decode", #"{"ids": [\#(ids)]}"#).status == 413)
  }
}
