import HTTPTypes
import InferenceProtocol

/// What the server's description says of the Open Inference Protocol: its form in JSON, without binary tensors.
struct OpenInferenceDescription: EndpointList {
  var endpoints: [Endpoint] {
    let statistics = Schema.object(["model_stats": Schema.list(["type": "object"])])
    return [
      Self.get("/v2", "Tells of the server.", Self.serverSchema),
      Self.get("/v2/health/live", "Whether the server runs.", Schema.object(["live": Schema.flag])),
      Self.get("/v2/health/ready", "Whether all models answer.", Schema.object(["ready": Schema.flag])),
      Self.get("/v2/models/stats", "How often all models ran, and how long.", statistics),
      Self.get("/v2/models/{model}", "What a model takes and gives.", Self.modelSchema),
      Self.get(
        "/v2/models/{model}/ready", "Whether a model answers.", Schema.object(["ready": Schema.flag])),
      Self.get("/v2/models/{model}/config", "A model's configuration.", ["type": "object"]),
      Self.get("/v2/models/{model}/stats", "How often a model ran, and how long.", statistics),
      Self.post(
        "/v2/models/{model}/infer", "Runs a model on tensors.", Self.requestSchema, Self.answerSchema),
      Self.post("/v2/repository/index", "Lists models.", nil, Schema.list(["type": "object"])),
      Self.post("/v2/repository/models/{model}/load", "Opens a model.", nil, ["type": "object"]),
      Self.post(
        "/v2/repository/models/{model}/unload", "Takes a model out of memory.", nil, ["type": "object"]),
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
