import Apus
import ApusService
import ApusServing
import Hummingbird

/// The routes of Ollama that have to do with embeddings, and those by which its clients find models.
struct OllamaRoutes: EndpointList {
  let state: ServerState
  let dialect = Dialect.ollama

  var endpoints: [Endpoint] {
    [
      .post(
        "/api/embed", "Embeds texts.", takes: OllamaEmbedRequest.schema, answers: Self.embeddingsSchema,
        of: state,
        reading: { (body) throws(RequestFault) in try OllamaEmbedRequest(body) }
      ) { request in try await embed(request) },
      .post(
        "/api/embeddings", "Embeds one text (older form).", takes: OllamaEmbedRequest.elderSchema,
        answers: Schema.object(["embedding": Schema.list(Schema.number)]), of: state,
        reading: { (body) throws(RequestFault) in try OllamaEmbedRequest(prompt: body) }
      ) { request in
        let vector = try await vectors(request).first?.vector
        return ["embedding": .vector(vector ?? [])]
      },
      .get("/api/tags", "Lists models.", answers: Self.listSchema) { _ in
        ["models": .array(state.models.models.map(description))]
      },
      .get("/api/ps", "Lists the models in memory.", answers: Self.listSchema) { _ in
        let models = state.models.models.filter { $0.state == .ready }
        return ["models": .array(models.map(description))]
      },
      .post(
        "/api/show", "Describes a model.", takes: OllamaShowRequest.schema, answers: Self.showSchema,
        of: state,
        reading: OllamaShowRequest.init
      ) { request in try await show(try state.models.model(asked: request.model)) },
      .get("/api/version", "Returns the version.", answers: Schema.object(["version": Schema.text])) { _ in
        ["version": .string(ApusVersion.current)]
      },
    ]
  }

  private func embed(_ request: OllamaEmbedRequest) async throws(ServingError) -> JSONText {
    let begin = ContinuousClock.now
    let vectors = try await vectors(request)
    let time = Int((ContinuousClock.now - begin) / .nanoseconds(1))
    return [
      "model": .string(request.model), "embeddings": .array(vectors.map { .vector($0.vector) }),
      "total_duration": .integer(time),
      "prompt_eval_count": .integer(vectors.reduce(0) { $0 + $1.tokens }),
    ]
  }

  /// Vectors of length 1, as Ollama gives them. No text at all asks for the model to be opened.
  private func vectors(
    _ request: OllamaEmbedRequest
  ) async throws(ServingError) -> [(vector: [Float], tokens: Int)] {
    let model = try state.models.model(request.model, for: .textEmbedding)
    guard !request.texts.isEmpty else {
      try await model.load()
      return []
    }
    return try await model.vectors(
      of: request.texts.map(TextInput.text), truncates: request.truncates,
      limit: request.contextLength.map { TokenLimit($0, field: "options.num_ctx") },
      VectorShape(dimensions: request.dimensions, length: .unit))
  }

  private func description(of model: ServedModel) -> JSONText {
    [
      "name": .string(model.name), "model": .string(model.name), "size": .integer(model.byteCount),
      "size_vram": 0,
      "details": details(of: model),
    ]
  }

  private func details(of model: ServedModel) -> JSONText {
    [
      "format": .string(ModelInterface.isFile(model.path) ? "tflite" : "safetensors"), "family": "",
      "families": [],
    ]
  }

  private func show(_ model: ServedModel) async throws(ServingError) -> JSONText {
    let facts = try await model.facts()
    let embeds = model.tasks.contains(.textEmbedding)
    let sees = !model.tasks.isDisjoint(with: [.imageClassification, .zeroShot, .imageEmbedding])
    let lengths: [(key: String, value: JSONText)] =
      (facts.embeddingWidth.map { [("apus.embedding_length", .integer($0))] } ?? [])
      + (facts.maximumTokens.map { [("apus.context_length", .integer($0))] } ?? [])
    return [
      "details": details(of: model),
      "model_info": .object(
        [("general.architecture", "apus"), ("general.basename", .string(model.name))] + lengths),
      "capabilities": .array((embeds ? ["embedding"] : []) + (sees ? ["vision"] : [])),
    ]
  }
}
