import ApusServing
import FoundationEssentials
import HTTPTypes
import Hummingbird

/// The routes of OpenAI's clients for embeddings.
struct OpenAIRoutes: EndpointList {
  let state: ServerState
  let dialect = Dialect.openAI
  /// Seconds since 1970 when models came to be, as far as the server knows: when it started.
  private let created = Int(Date().timeIntervalSince1970)

  init(state: ServerState) { self.state = state }

  var endpoints: [Endpoint] {
    [
      .post(
        "/v1/embeddings", "Embeds texts, and pictures if the model does.",
        takes: OpenAIEmbeddingRequest.schema,
        answers: Self.embeddingsSchema, of: state, reading: OpenAIEmbeddingRequest.init,
        headers: { $0.hasTokens ? [.tokenIDs: "as-given"] : [:] }
      ) { request in try await embeddings(request) },
      .get(
        "/v1/models", "Lists models.",
        answers: Schema.object(["object": Schema.text, "data": Schema.list(Self.modelSchema)])
      ) { _ in ["object": "list", "data": .array(state.models.models.map(description))] },
      .get(
        "/v1/models/{model}", "Describes a model.", answers: Self.modelSchema
      ) { context in description(of: try state.models.model(context.lastParameter)) },
    ]
  }

  private func embeddings(_ request: OpenAIEmbeddingRequest) async throws(ServingError) -> JSONText {
    let model = try state.models.model(asked: request.model)
    let shape = VectorShape(
      dimensions: request.dimensions, length: .model, masksPadding: request.masksPadding)
    let vectors = try await model.vectors(of: request.input, request.truncation, shape)
    return .openAIEmbeddings(vectors, format: request.format, model: model.name)
  }

  private func description(of model: ServedModel) -> JSONText {
    ["id": .string(model.name), "object": "model", "created": .integer(created), "owned_by": "apus"]
  }

  private static let modelSchema = Schema.object([
    "id": Schema.text, "object": Schema.text, "created": ["type": "integer"], "owned_by": Schema.text,
  ])

  private static let embeddingsSchema = Schema.object([
    "object": Schema.text,
    "data": Schema.list(
      Schema.object([
        "object": Schema.text, "index": ["type": "integer"],
        "embedding": Schema.either(Schema.list(Schema.number), Schema.file),
      ])),
    "model": Schema.text,
    "usage": Schema.object(["prompt_tokens": ["type": "integer"], "total_tokens": ["type": "integer"]]),
  ])
}

extension HTTPField.Name {
  /// Says that token ids of the request were read as the model's own.
  fileprivate static let tokenIDs = HTTPField.Name("X-Token-IDs") ?? .eTag
}

extension OpenAIEmbeddingRequest {
  static let schema = Schema.object(
    ["model": Schema.model, "input": EmbeddingInput.schema],
    optional: [
      "encoding_format": Schema.choice(EncodingFormat.allCases.map(\.rawValue)), "dimensions": Schema.count,
      "user": Schema.text, "mask_padding": Schema.flag, "input_type": Schema.text,
      "truncate": Truncation.schema,
    ], isOpen: false)
}
