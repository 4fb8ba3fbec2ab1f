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
