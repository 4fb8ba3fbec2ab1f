import HTTPTypes
import InferenceProtocol

/// What the server's description says of the Open Inference Protocol: its form in JSON, without binary tensors.
struct OpenInferenceDescription: EndpointList {
  let dialect = Dialect.openInference

  var endpoints: [Endpoint] {
    let models = ["/v2/models/{model}", "/v2/models/{model}/versions/{version}"].flatMap(Self.model)
    return Self.server + models + Self.repository
  }

  private static var server: [Endpoint] {
    [
      get("/v2", "Describes the server.", serverSchema),
      get("/v2/health/live", "Returns whether the server runs.", Schema.object(["live": Schema.flag])),
      get("/v2/health/ready", "Returns whether all models are ready.", Schema.object(["ready": Schema.flag])),
      get("/v2/models/stats", "Returns how often all models ran, and for how long.", statisticsSchema),
    ]
  }

  /// - Parameter path: what leads to a model, or to a version of it.
  private static func model(_ path: String) -> [Endpoint] {
    [
      get(path, "Describes a model's inputs and outputs.", modelSchema),
      get(path + "/ready", "Returns whether a model is ready.", Schema.object(["ready": Schema.flag])),
      get(path + "/config", "Returns a model's configuration.", ["type": "object"]),
      get(path + "/stats", "Returns how often a model ran, and for how long.", statisticsSchema),
      post(path + "/infer", "Runs a model on tensors.", requestSchema, answerSchema),
    ]
  }

  private static var repository: [Endpoint] {
    [
      post("/v2/repository/index", "Lists models.", nil, Schema.list(["type": "object"])),
      post("/v2/repository/models/{model}/load", "Opens a model.", nil, ["type": "object"]),
      post("/v2/repository/models/{model}/unload", "Takes a model out of memory.", nil, ["type": "object"]),
    ]
  }

  private static func get(_ path: String, _ summary: String, _ answer: JSONText) -> Endpoint {
    Endpoint(method: .get, path: path, summary: summary, answer: answer, handler: nil)
  }

  private static func post(
    _ path: String, _ summary: String, _ body: JSONText?, _ answer: JSONText
  ) -> Endpoint {
    Endpoint(
      method: .post, path: path, summary: summary, bodies: body.map { [("application/json", $0)] } ?? [],
      answer: answer, handler: nil)
  }

  private static let statisticsSchema = Schema.object(["model_stats": Schema.list(["type": "object"])])
  private static let datatype = Schema.choice(InferenceDatatype.allCases.map(\.rawValue))
  private static let shape = Schema.list(["type": "integer", "minimum": 0])
  private static let tensors = Schema.list(
    Schema.object(["name": Schema.text, "datatype": datatype, "shape": Schema.list(["type": "integer"])]))

  private static let serverSchema = Schema.object([
    "name": Schema.text, "version": Schema.text, "extensions": Schema.list(Schema.text),
  ])

  private static let modelSchema = Schema.object([
    "name": Schema.text, "versions": Schema.list(Schema.text), "platform": Schema.text, "inputs": tensors,
    "outputs": tensors, "signatures": Schema.list(["type": "object"]),
  ])

  private static let requestSchema = Schema.object(
    [
      "inputs": Schema.list(
        Schema.object(
          ["name": Schema.text, "datatype": datatype, "shape": shape, "data": ["type": "array"]],
          optional: ["parameters": ["type": "object"]], isOpen: true))
    ],
    optional: [
      "id": Schema.text, "parameters": ["type": "object"],
      "outputs": Schema.list(
        Schema.object(["name": Schema.text], optional: ["parameters": ["type": "object"]], isOpen: true)),
    ], isOpen: true)

  private static let answerSchema = Schema.object([
    "model_name": Schema.text, "model_version": Schema.text,
    "outputs": Schema.list(
      Schema.object([
        "name": Schema.text, "datatype": datatype, "shape": shape, "data": ["type": "array"],
      ])),
  ])
}
