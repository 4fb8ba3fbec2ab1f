import ApusServing
import HTTPTypes
import Testing

@testable import ApusServer

/// Where one model is served, the routes that are sent a model's name take any; those that are asked about a model do not.
@Suite struct RequestedModelTests {
  /// Of every route that takes a name in its body: what serves it, and a body without its name.
  private static func bodies() throws -> [(path: String, model: String, body: String)] {
    let text = #""input":"a cat""#, texts = #""inputs":"a cat""#,
      image = #""image":"\#(try Sample.base64())""#
    let documents = #""query":"a cat","documents":["a dog","x"]"#
    return [
      ("/v1/embeddings", "bert-sentence", text), ("/embed", "bert-sentence", texts),
      ("/embed_all", "bert-sentence", texts), ("/tokenize", "bert-sentence", texts),
      ("/decode", "bert-sentence", #""ids":[5,6]"#),
      ("/similarity", "bert-sentence", #""inputs":{"source_sentence":"a cat","sentences":["x"]}"#),
      ("/api/embed", "bert-sentence", text), ("/api/embeddings", "bert-sentence", #""prompt":"a cat""#),
      ("/api/show", "bert-sentence", #""verbose":true"#), ("/predict", "bert-classifier", texts),
      ("/api/classify-text", "bert-classifier", #""text":"a cat""#),
      ("/rerank", "bert-reranker", #""query":"a cat","texts":["a dog"]"#),
      ("/v1/rerank", "bert-reranker", documents), ("/v2/rerank", "bert-reranker", documents),
      ("/api/zero-shot", "scenes", image), ("/api/embed-image", "scenes", image),
      ("/api/classify", "scenes", #""embedding":[1,2]"#), ("/api/classify-image", "leaf", image),
    ]
  }

  private static func server(_ model: String) throws -> TestServer {
    let path =
      switch model {
      case "scenes": TestServer.root + "/Weights/scenes"
      case "leaf": TestServer.root + "/Weights/rice-leaf/rice_v1_int8.tflite"
      default: TestServer.fixtures + "/" + model
      }
    return try TestServer([TestServer.model(model, path)])
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
    let bodies = try Self.bodies()
    #expect(try await Set(bodies.map(\.path)) == Self.described())
    for (path, model, body) in bodies {
      let server = try Self.server(model)
      let own = try await server.post(path, #"{"model":"\#(model)",\#(body)}"#)
      #expect(own.status != 404, "\(path): \(own.text)")
      for name in ["BAAI/bge-m3", "text-embedding-ada-002", "rerank-v3.5"] {
        let other = try await server.post(path, #"{"model":"\#(name)",\#(body)}"#)
        #expect(other.status == own.status, "\(path): \(other.text)")
      }
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
    for (path, _, body) in try Self.bodies() {
      #expect(try await server.post(path, #"{"model":"nothing",\#(body)}"#).status == 404, "\(path)")
    }
    #expect(try await server.post("/models/nothing", #"{"inputs":"a cat"}"#).status == 404)
  }
}
