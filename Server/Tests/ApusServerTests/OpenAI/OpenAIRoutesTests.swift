import HTTPTypes
import Testing

@testable import ApusServer

@Suite struct OpenAIRoutesTests {
  private let server: TestServer

  init() throws { server = try TestServer.shared.get() }

  @Test func tokensGiveWhatTheirTextGives() async throws {
    let text = try await server.post("/v1/embeddings", #"{"model":"sentence","input":"a photo of a cat"}"#)
    let ids = try await server.post("/v1/embeddings", #"{"model":"sentence","input":[2,5,98,90,5,105,3]}"#)
    #expect(text.status == 200)
    #expect(text.bytes == ids.bytes)
    let answer = try text.json
    #expect(answer["usage"]?["prompt_tokens"]?.whole == 7)
    #expect(answer["data"]?[0]?["embedding"]?.list?.count == 24)
  }

  /// Each is what it is by itself, and a caption is nearer to its picture than another.
  @Test func picturesAndTextsKeepTheirOrder() async throws {
    let image = #"{"image":"\#(try Sample.base64())"}"#
    let input = #"["three red circles",\#(image),{"text":"two pink flowers"}]"#
    let mixed = try await server.post("/v1/embeddings", #"{"model":"scenes","input":\#(input)}"#)
    #expect(mixed.status == 200, "\(mixed.text)")
    let rows = try (0..<3).map { try #require(mixed.json["data"]?[$0]?["embedding"]?.doubles) }
    let alone = try await server.post("/v1/embeddings", #"{"model":"scenes","input":[\#(image)]}"#).json
    #expect(alone["data"]?[0]?["embedding"]?.doubles == rows[1])
    #expect(alone["usage"]?["total_tokens"]?.whole == 0)
    let near = { (row: [Double]) in zip(row, rows[1]).reduce(0) { $0 + $1.0 * $1.1 } }
    #expect(near(rows[0]) > near(rows[2]))
  }

  @Test(arguments: [
    (#"{"model":"nothing","input":"a"}"#, 404, "model", "model_not_found"),
    (#"{"model":"sentence","input":[]}"#, 400, "input", nil),
    (#"{"model":"sentence","input":"a","dimensions":25}"#, 400, nil, nil),
    (#"{"model":"stars","input":"a"}"#, 400, nil, nil),
    (#"{"model":"sentence","input":[[2,999999,3]]}"#, 400, nil, nil),
    (#"{"model":"#, 400, nil, nil),
    (#"{"model":"sentence","input":"a","truncate":"MIDDLE"}"#, 400, "truncate", nil),
  ])
  func errorsHaveTheirForm(_ body: String, _ status: Int, _ field: String?, _ code: String?) async throws {
    let answer = try await server.post("/v1/embeddings", body)
    #expect(answer.status == status)
    let error = try #require(try answer.json["error"])
    #expect(error["message"]?.string?.isEmpty == false)
    #expect(error["type"]?.string == "invalid_request_error")
    #expect(error["code"]?.string == code)
    if code == nil { #expect(error["param"]?.string == field) }
  }

  @Test(arguments: ["/v1/completions", "/v1", "/v1/embedding"])
  func anUnknownAddressIsNoUnknownModel(_ path: String) async throws {
    let answer = try await server.post(path, "{}")
    #expect(answer.status == 404)
    let error = try #require(try answer.json["error"])
    #expect(error["code"]?.string == "unknown_url" && error["type"]?.string == "invalid_request_error")
    #expect(error["message"]?.string?.contains("POST \(path)") == true)
  }

  /// The tag and the fields that clients of other servers add.
  @Test func clientsOfOtherServersAreTaken() async throws {
    let plain = try await server.post("/v1/embeddings", #"{"model":"sentence","input":"a cat"}"#)
    let more = #""input_type":"search_document","truncate":"END","user":"u""#
    let tagged = try await server.post(
      "/v1/embeddings", #"{"model":"sentence:latest","input":"a cat",\#(more)}"#)
    #expect(tagged.status == 200 && tagged.bytes == plain.bytes, "\(tagged.text)")
    #expect(try await server.get("/v1/models/sentence:latest").json["id"]?.string == "sentence")
  }

  @Test func longTextsAreCutWhereTheClientSaysSo() async throws {
    let long = String(repeating: "a cat and ", count: 50)
    func answer(_ text: String, _ truncate: String) async throws -> TestServer.Answer {
      try await server.post(
        "/v1/embeddings", #"{"model":"sentence","input":"\#(text)","truncate":\#(truncate)}"#)
    }
    for refused in ["false", #""NONE""#, "null"] { #expect(try await answer(long, refused).status == 413) }
    let end = try await answer(long, #""END""#)
    #expect(end.status == 200)
    #expect(try await answer(long, "true").bytes == end.bytes)
    // What is cut off makes no difference.
    #expect(try await answer(long + "dog", #""END""#).bytes == end.bytes)
    let start = try await answer(long + "dog", #""START""#)
    #expect(start.status == 200 && start.bytes != end.bytes)
    #expect(try await answer("film " + long + "dog", #""START""#).bytes == start.bytes)
  }

  /// What LangChain sends by default are ids of tiktoken, also more of them than the model takes.
  @Test func tokensOfAnotherModelAreRefusedInWords() async throws {
    let many = Array(repeating: "2", count: 100).joined(separator: ",")
    for ids in ["[[64,8415]]", "[64,8415]", "[[2,3],[2,100256,3]]", "[[\(many),8415]]"] {
      let answer = try await server.post("/v1/embeddings", #"{"model":"sentence","input":\#(ids)}"#)
      #expect(answer.status == 400)
      #expect(answer.text.contains("check_embedding_ctx_length=False"), "\(answer.text)")
      #expect(answer.headers[.tokenIDs] == nil)
    }
  }

  @Test func theAnswerSaysThatTokensWereTakenAsGiven() async throws {
    let ids = try await server.post("/v1/embeddings", #"{"model":"sentence","input":["a cat",[2,5,3]]}"#)
    #expect(ids.status == 200 && ids.headers[.tokenIDs] == "as-given")
    let text = try await server.post("/v1/embeddings", #"{"model":"sentence","input":"a cat"}"#)
    #expect(text.headers[.tokenIDs] == nil)
  }

  /// Texts and pictures are computed apart, and counted together.
  @Test func errorsCountItemsAsTheRequestDoes() async throws {
    let input = #"["three red circles",{"image":"\#(try Sample.base64())"},{"image":"AQID"}]"#
    let answer = try await server.post("/v1/embeddings", #"{"model":"scenes","input":\#(input)}"#)
    #expect(answer.status == 400)
    #expect(
      try answer.json["error"]?["message"]?.string?.hasPrefix("Item 2 of 3: ") == true, "\(answer.text)")
  }

  @Test func errorsAreShortWhateverIsSent() async throws {
    let long = String(repeating: "x", count: 100_000)
    for (path, body) in [
      ("/v1/embeddings", #"{"model":"\#(long)","input":"a"}"#),
      ("/api/zero-shot", #"{"image":"\#(try Sample.base64())","labels":["\#(long)","\#(long)"]}"#),
    ] {
      let answer = try await server.post(path, body)
      #expect([400, 404].contains(answer.status) && answer.bytes.count < 1000)
      #expect(answer.text.contains("xx…"))
    }
  }

  @Test func modelsAreFoundByTheirNames() async throws {
    let list = try await server.get("/v1/models").json
    #expect(list["data"]?.list?.compactMap { $0["id"]?.string } == ["sentence", "stars", "scenes", "leaf"])
    #expect(try await server.get("/v1/models/scenes").json["id"]?.string == "scenes")
    #expect(try await server.get("/v1/models/none%2Fsuch").status == 404)
  }
}

extension HTTPField.Name {
  fileprivate static let tokenIDs = HTTPField.Name("X-Token-IDs") ?? .eTag
}
