import Apus
import ApusServing

@testable import ApusServer

/// A request to each of the routes by which models are put to work, and what serves it.
struct RouteSample {
  /// As it is described.
  let path: String
  /// The folder or file of a model that does it.
  let model: String
  /// The members of the body but the model's name.
  let members: String

  /// The body, with the name `m` where routes have it there.
  var body: String {
    path == "/" || path.contains("{model}") ? "{\(members)}" : #"{"model":"m",\#(members)}"#
  }

  private init(_ path: String, _ model: String, _ members: String) {
    (self.path, self.model, self.members) = (path, model, members)
  }

  /// The path for a model of any name.
  func address(_ name: String) -> String {
    path.replacing("{model}", with: name).replacing("{version}", with: "1")
  }

  static let all = Result { try samples() }

  private static func samples() throws -> [RouteSample] {
    let input = #""input":"a photo of a cat""#, inputs = #""inputs":"a photo of a cat""#
    let image = #""image":"\#(try Sample.base64())""#
    let documents = #""query":"a cat","documents":["a dog","x"]"#
    let tensor = #"{"name":"text","datatype":"BYTES","shape":[1],"data":["a cat"]}"#
    let scenes = "Weights/scenes"
    let width = try ImageEmbedder(TestServer.root + "/" + scenes).width
    let vector = [Int](repeating: 1, count: width)
    return [
      RouteSample("/v1/embeddings", "bert-sentence", input), RouteSample("/embed", "bert-sentence", inputs),
      RouteSample("/tokenize", "bert-sentence", inputs),
      RouteSample("/decode", "bert-sentence", #""ids":[5,98,90]"#),
      RouteSample(
        "/similarity", "bert-sentence", #""inputs":{"source_sentence":"a cat","sentences":["x"]}"#),
      RouteSample("/api/embed", "bert-sentence", input),
      RouteSample("/api/embeddings", "bert-sentence", #""prompt":"a photo of a cat""#),
      RouteSample("/", "bert-sentence", inputs), RouteSample("/models/{model}", "bert-sentence", inputs),
      RouteSample("/v2/models/{model}/infer", "bert-sentence", #""inputs":[\#(tensor)]"#),
      RouteSample(
        "/v2/models/{model}/versions/{version}/infer", "bert-sentence", #""inputs":[\#(tensor)]"#),
      RouteSample("/predict", "bert-classifier", inputs),
      RouteSample("/api/classify-text", "bert-classifier", #""text":"a photo of a cat""#),
      RouteSample("/rerank", "bert-reranker", #""query":"a cat","texts":["a dog"]"#),
      RouteSample("/v1/rerank", "bert-reranker", documents),
      RouteSample("/v2/rerank", "bert-reranker", documents), RouteSample("/api/zero-shot", scenes, image),
      RouteSample("/api/embed-image", scenes, image),
      RouteSample("/api/classify", scenes, #""embedding":\#(vector)"#),
      RouteSample("/api/classify-image", "Weights/rice-leaf/rice_v1_int8.tflite", image),
    ]
  }

  /// A server of its model alone, which is called `m`.
  func server(_ limits: ServingLimits = .patient) throws -> TestServer {
    let folder = model.contains("/") ? TestServer.root : TestServer.fixtures
    return try TestServer([TestServer.model("m", folder + "/" + model)], limits: limits)
  }
}
