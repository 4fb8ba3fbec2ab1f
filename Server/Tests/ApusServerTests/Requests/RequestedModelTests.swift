import ApusServing
import HTTPTypes
import Testing

@testable import ApusServer

/// Where one model is served, the routes that are sent a model's name take any; those that are asked about a model do not.
@Suite struct RequestedModelTests {
  private static func server(_ model: String) throws -> TestServer {
    try TestServer([TestServer.model(model, TestServer.fixtures + "/" + model)])
  }

  /// The routes whose description has a model's name in the body.
  private static func described() async throws -> Set<String> {
    let description = try await TestServer([]).get("/openapi.json").json
    guard case .object(let paths)? = description["paths"] else { throw RequestFault.missing("paths") }
    return Set(
      paths.filter { path in
        let content = path.value["post"]?["requestBody"]?["content"]?["application/json"]
        return content?["schema"]?["properties"]?["model"] != nil
      }.map(\.key.text))
  }

  @Test func theOnlyModelHasAnyName() async throws {
    let named = try await Self.described()
    let samples = try RouteSample.all.get().filter { named.contains($0.path) }
    #expect(Set(samples.map(\.path) + Self.idle.map(\.path)) == named)
    for sample in samples {
      let server = try sample.server()
      for name in ["m", "BAAI/bge-m3", "text-embedding-ada-002", "rerank-v3.5"] {
        let answer = try await server.post(sample.path, #"{"model":"\#(name)",\#(sample.members)}"#)
        #expect(answer.status == 200, "\(sample.path): \(answer.text)")
      }
    }
  }

  /// Of the routes that put no model to work.
  private static let idle: [(path: String, members: String, status: Int)] = [
    ("/embed_all", #""inputs":"a""#, 424), ("/api/show", #""verbose":true"#, 200),
  ]

  @Test func itHasAnyNameWhereItDoesNothing() async throws {
    let server = try Self.server("bert-sentence")
    for (path, members, status) in Self.idle {
      #expect(try await server.post(path, #"{"model":"tei",\#(members)}"#).status == status)
    }
  }

  /// What answers says its own name.
  @Test func theAnswerNamesTheModel() async throws {
    let sentence = try Self.server("bert-sentence"), ranker = try Self.server("bert-reranker")
    let vectors = try await sentence.post("/v1/embeddings", #"{"model":"tei","input":"a cat"}"#)
    #expect(try vectors.json["model"]?.string == "bert-sentence")
    let ranks = try await ranker.post(
      "/v2/rerank", #"{"model":"rerank-v3.5","query":"a","documents":["b"]}"#)
    #expect(try ranks.json["model"]?.string == "bert-reranker")
  }

  /// huggingface_hub puts the repository's name into the address that it posts to.
  @Test func theAddressOfAPostHasAnyNameToo() async throws {
    let server = try Self.server("bert-sentence")
    let own = try await server.post("/models/bert-sentence", #"{"inputs":"a cat"}"#)
    let other = try await server.post(
      "/models/sentence-transformers/all-MiniLM-L6-v2", #"{"inputs":"a cat"}"#)
    #expect(own.status == 200 && other.bytes == own.bytes, "\(other.text)")
  }

  @Test(arguments: ["/v1/models/tei", "/v2/models/tei", "/v2/models/tei/ready", "/v2/models/tei/config"])
  func whoAsksAboutAModelIsToldOfThatOne(_ path: String) async throws {
    #expect(try await Self.server("bert-sentence").get(path).status == 404)
  }

  /// The protocol's models have addresses, by which clients tell them apart.
  @Test func tensorsGoToTheModelOfTheAddress() async throws {
    let server = try Self.server("bert-sentence")
    let body = #"{"inputs":[{"name":"text","datatype":"BYTES","shape":[1],"data":["a cat"]}]}"#
    #expect(try await server.post("/v2/models/bert-sentence/infer", body).status == 200)
    #expect(try await server.post("/v2/models/tei/infer", body).status == 404)
  }

  /// Of several, a name means one or none.
  @Test func severalModelsAreHeldToTheirNames() async throws {
    let server = try TestServer.shared.get()
    let named = try await Self.described()
    for sample in try RouteSample.all.get() where named.contains(sample.path) {
      let answer = try await server.post(sample.path, #"{"model":"nothing",\#(sample.members)}"#)
      #expect(answer.status == 404, "\(sample.path): \(answer.text)")
    }
    #expect(try await server.post("/models/nothing", #"{"inputs":"a cat"}"#).status == 404)
  }
}
