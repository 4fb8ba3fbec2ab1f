import Testing

@testable import ApusServer

@Suite struct OllamaRoutesTests {
  private let server: TestServer

  init() throws { server = try TestServer.shared.get() }

  @Test func embeddingsHaveLengthOne() async throws {
    let answer = try await server.post("/api/embed", #"{"model":"sentence:latest","input":["a cat","x"]}"#)
      .json
    for row in try #require(answer["embeddings"]?.list) {
      let square = try #require(row.doubles).reduce(0) { $0 + $1 * $1 }
      #expect(abs(square - 1) < 1e-6)
    }
    #expect(answer["prompt_eval_count"]?.whole == 7)
  }

  /// "a cat" has four tokens with those that the model adds.
  @Test(arguments: [(4, 200), (512, 200), (3, 400)])
  func textsOverAContextAreRefused(_ length: Int, _ status: Int) async throws {
    for (path, field) in [("/api/embed", "input"), ("/api/embeddings", "prompt")] {
      let answer = try await server.post(
        path, #"{"model":"sentence","\#(field)":"a cat","options":{"num_ctx":\#(length)}}"#)
      #expect(answer.status == status)
      #expect(try status == 200 || answer.json["error"]?.string?.contains("'options.num_ctx'") == true)
    }
  }

  /// A refusal costs no run of the model.
  @Test(arguments: [#""options":{"num_ctx":3}"#, #""dimensions":25"#])
  func whatIsRefusedIsNotComputed(_ option: String) async throws {
    let server = try TestServer.small()
    let refused = try await server.post("/api/embed", #"{"model":"sentence","input":"a cat",\#(option)}"#)
    #expect(refused.status == 400, "\(refused.text)")
    #expect(try await server.get("/api/models").json["models"]?[0]?["runs"]?.whole == 0)
    let answered = try await server.post("/api/embed", #"{"model":"sentence","input":"a cat"}"#)
    #expect(answered.status == 200)
    #expect(try await server.get("/api/models").json["models"]?[0]?["runs"]?.whole == 1)
  }

  /// As Ollama answers: the model is opened.
  @Test(arguments: [#"{"model":"sentence"}"#, #"{"model":"sentence","input":null}"#])
  func noTextHasNoVector(_ body: String) async throws {
    let answer = try await server.post("/api/embed", body)
    let vectors = try answer.json["embeddings"]
    #expect(answer.status == 200 && vectors == .array([]))
  }

  @Test func modelsAreListed() async throws {
    let tags = try await server.get("/api/tags").json
    #expect(tags["models"]?.list?.count == 4)
    #expect(
      try await server.post("/api/show", #"{"name":"sentence"}"#).json["capabilities"]?[0]?.string
        == "embedding")
    #expect(try await server.get("/api/version").json["version"]?.string?.isEmpty == false)
  }

  @Test(arguments: [
    ("/api/embed", #"{"model":"nothing","input":"a"}"#, 404), ("/api/embed", #"{"input":"a"}"#, 400),
    ("/api/embed", #"{"model":"stars","input":"a"}"#, 400), ("/api/show", #"{"model":5}"#, 400),
  ])
  func errorsHaveTheirForm(_ path: String, _ body: String, _ status: Int) async throws {
    let answer = try await server.post(path, body)
    #expect(answer.status == status)
    #expect(try answer.json["error"]?.string?.isEmpty == false)
  }
}
