import ApusServing
import Testing

@testable import ApusServer

/// A server of photographs alone has no models: its routes say so, and none fails.
@Suite struct NoModelTests {
  private let server: TestServer

  init() throws { server = try TestServer([]) }

  @Test(arguments: [
    "/", "/health", "/health/live", "/health/ready", "/metrics", "/openapi.json", "/v1/models", "/api/tags",
    "/api/ps", "/api/models", "/v2", "/v2/health/live", "/v2/health/ready", "/v2/models/stats",
  ])
  func whatTellsOfTheServerIsAnswered(_ path: String) async throws {
    let answer = try await server.get(path)
    #expect(answer.status == 200)
  }

  @Test func listsAreEmpty() async throws {
    let lists = [("/v1/models", "data"), ("/api/tags", "models"), ("/api/models", "models")]
    for (path, key) in lists {
      let list = try await server.get(path).json[key]?.list
      #expect(list?.isEmpty == true, "\(path)")
    }
    let index = try await server.post("/v2/repository/index", "{}").json
    #expect(index.list?.isEmpty == true)
  }

  /// A choice of nothing could be generated from by no client.
  @Test func theDescriptionHasNoEmptyChoice() async throws {
    let model = try await server.get("/openapi.json").json["components"]?["schemas"]?["Model"]
    #expect(model?["type"]?.string == "string")
    #expect(model?["enum"] == nil)
  }

  @Test(arguments: [
    ("/embed", #"{"inputs":"a"}"#), ("/predict", #"{"inputs":"a"}"#), ("/tokenize", #"{"inputs":"a"}"#),
    ("/rerank", #"{"query":"a","texts":["b"]}"#), ("/", #"{"inputs":"a"}"#),
    ("/api/classify-text", #"{"text":"a"}"#), ("/api/classify", #"{"embedding":[1],"labels":["a"]}"#),
    ("/v1/embeddings", #"{"model":"a","input":"b"}"#), ("/api/embed", #"{"model":"a","input":"b"}"#),
    ("/v2/models/a/infer", #"{"inputs":[]}"#), ("/models/a", #"{"inputs":"a"}"#),
  ])
  func whatNeedsAModelIsRefused(_ path: String, _ body: String) async throws {
    let answer = try await server.post(path, body)
    #expect((400..<500).contains(answer.status))
    #expect(answer.text.lowercased().contains("no model"))
  }

  @Test func infoSaysThatThereIsNone() async throws {
    let answer = try await server.get("/info")
    #expect(answer.status == 404)
  }
}
