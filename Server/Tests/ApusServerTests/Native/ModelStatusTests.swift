import ApusServing
import Testing

@testable import ApusServer

/// What `/api/models` and `/metrics` tell of a model's loading.
@Suite struct ModelStatusTests {
  private let server: TestServer

  init() throws {
    server = try TestServer([ServedModelOptions(TestServer.fixtures + "/bert-classifier", name: "stars")])
  }

  private func model() async throws -> JSONValue {
    try #require(try await server.get("/api/models").json["models"]?[0])
  }

  @Test func loadTimesAreToldWhenThereAreSome() async throws {
    let before = try await model()
    #expect(before["load_milliseconds"] == .null && before["quality"]?.string == "high")
    let none = try await server.get("/metrics").text
    #expect(!none.contains("apus_model_load_seconds{"))
    // What is not pinned leaves memory when other programs need it.
    #expect(try await server.post("/v2/repository/models/stars/load", "").status == 200)
    let answer = try await server.post("/api/classify-text", #"{"text":"a cat"}"#)
    #expect(answer.status == 200)
    let after = try await model()
    let times = try #require(after["load_milliseconds"])
    for key in ["open", "prepare", "first_run"] { #expect(times[key]?.double ?? 0 > 0, "\(key)") }
    #expect(after["memory"]?.whole ?? 0 > 0)
    #expect(after["qualities"]?["text-classification"]?.string == "high")
    let metrics = try await server.get("/metrics").text
    #expect(metrics.contains(#"apus_model_quality{model="stars",task="text-classification"} 2"#))
    for stage in ["open", "prepare", "first_run"] {
      let begin = #"apus_model_load_seconds{model="stars",stage="\#(stage)"} "#
      #expect(metrics.contains(begin), "\(stage)")
    }
  }

  @Test func theDescriptionHasWhatIsTold() async throws {
    let paths = try await server.get("/openapi.json").json["paths"]
    let answer = paths?["/api/models"]?["get"]?["responses"]?["200"]
    let schema = answer?["content"]?["application/json"]?["schema"]
    let model = schema?["properties"]?["models"]?["items"]
    let described = model?["required"]?.list?.compactMap(\.string)
    let told = try #require(try await self.model().members)
    #expect(described?.sorted() == told.map(\.key.text).sorted())
  }
}
