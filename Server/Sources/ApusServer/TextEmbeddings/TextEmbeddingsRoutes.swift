import Apus
import ApusServing
import Hummingbird

/// The routes of Text Embeddings Inference. A request may name a model.
struct TextEmbeddingsRoutes: EndpointList {
  let state: ServerState
  let dialect = Dialect.textEmbeddings

  var endpoints: [Endpoint] {
    [
      post(
        "/embed", "Embeds texts.", EmbedRequest.schema, Schema.list(Schema.list(Schema.number)),
        EmbedRequest.init
      ) {
        request in try await embed(request)
      },
      post(
        "/predict", "Scores the classes of texts, or of pairs of texts.", PredictRequest.schema,
        Schema.either(Self.scoresSchema, Schema.list(Self.scoresSchema)), PredictRequest.init, predict),
      post(
        "/similarity", "Scores how similar texts are to one text.", SimilarityRequest.schema,
        Schema.list(Schema.number),
        SimilarityRequest.init
      ) { request in try await similarity(request) },
      post(
        "/rerank", "Ranks texts by how well they answer a query.", RerankRequest.schema,
        RerankRequest.answerSchema, RerankRequest.init, rerank),
      post(
        "/embed_all", "Embeds every token of texts.", EmbedRequest.schema, Schema.list(Schema.anything),
        EmbedRequest.init, embedAll),
      post(
        "/tokenize", "Tokenizes texts.", TokenizeRequest.schema,
        Schema.list(Schema.list(Self.tokenSchema)), TokenizeRequest.init, tokenize),
      post(
        "/decode", "Decodes token ids to texts.", DecodeRequest.schema, Schema.list(Schema.text),
        DecodeRequest.init,
        decode),
      .get(
        "/info", "Describes what is served.", answers: Schema.anything
      ) { _ in try await info() },
    ]
  }

  private func post<Body: Sendable>(
    _ path: String, _ summary: String, _ schema: JSONText, _ answer: JSONText,
    _ read: @escaping @Sendable ([UInt8]) throws(RequestFault) -> Body,
    _ handle: @escaping @Sendable (Body) async throws -> JSONText
  ) -> Endpoint {
    .post(path, summary, takes: schema, answers: answer, of: state, reading: read, handle)
  }
}

extension TextEmbeddingsRoutes {
  func embed(_ request: EmbedRequest, named name: String? = nil) async throws(ServingError) -> JSONText {
    let model = try state.models.model(name ?? request.options.model, for: .textEmbedding)
    let vectors = try await model.vectors(
      of: request.inputs, truncates: request.options.truncates, cutting: request.options.side, request.shape)
    return .array(vectors.map { .vector($0.vector) })
  }

  func similarity(
    _ request: SimilarityRequest, named name: String? = nil
  ) async throws(ServingError) -> JSONText {
    let model = try state.models.model(name ?? request.options.model, for: .textEmbedding)
    let texts = ([request.source] + request.sentences).map(TextInput.text)
    let vectors = try await model.embed(
      texts, truncates: request.options.truncates, cutting: request.options.side,
      masksPadding: request.masksPadding
    ).all()
    let embeddings = vectors.map { Embedding($0.values) }
    return .vector(embeddings.dropFirst().map { embeddings[0].cosine($0) })
  }

  private func predict(_ request: PredictRequest) async throws(ServingError) -> JSONText {
    let model = try state.models.model(request.options.model, for: .textClassification)
    let results = try await model.classify(
      request.sequences, topK: nil, truncates: request.options.truncates, cutting: request.options.side)
    let scores = try request.wantsLogits ? results.logits() : results.scores()
    return request.isSingle ? scores.first ?? [] : .array(scores)
  }

  private func rerank(_ request: RerankRequest) async throws(ServingError) -> JSONText {
    let options = request.options
    let found = try await state.models.reranker(options.model).relevance(
      of: request.texts, to: request.query, truncates: options.truncates, cutting: options.side)
    return try request.answer(found.all().map(\.logit))
  }

  /// Models here give one vector for a text.
  private func embedAll(_ request: EmbedRequest) async throws(ServingError) -> JSONText {
    let model = try state.models.model(request.options.model, for: .textEmbedding)
    throw ServingError(.unsupported, "Model '\(model.name)' gives no vectors of single tokens.")
  }

  private static let scoresSchema = Schema.list(
    Schema.object(["label": Schema.text, "score": Schema.number]))
}

extension TextEmbeddingsRoutes {
  private func tokenize(_ request: TokenizeRequest) async throws(ServingError) -> JSONText {
    let model = try tokenizingModel(request.model)
    let encodings = try await model.encode(request.texts, addsSpecialTokens: request.addsSpecialTokens)
    return .array(zip(request.texts, encodings).map { .array(TokenList.tokens(of: $0, $1)) })
  }

  private func decode(_ request: DecodeRequest) async throws(ServingError) -> JSONText {
    let model = try tokenizingModel(request.model)
    let texts = try await model.decode(request.ids, skipsSpecialTokens: request.skipsSpecialTokens)
    return .array(texts.map(JSONText.string))
  }

  /// The model that a request names, or the first that reads texts.
  private func tokenizingModel(_ name: String?) throws(ServingError) -> ServedModel {
    if let name { return try state.models.model(asked: name) }
    let model = state.models.models.first {
      !$0.tasks.isDisjoint(with: [.textEmbedding, .textClassification, .zeroShot])
    }
    guard let model else { throw ServingError(.unsupported, "No model of this server reads texts.") }
    return model
  }

  private static let tokenSchema = Schema.object([
    "id": ["type": "integer"], "text": Schema.text, "special": Schema.flag,
    "start": Schema.optional(["type": "integer"]), "stop": Schema.optional(["type": "integer"]),
  ])

  /// The first model and its kind, as a server of one model would tell of it.
  private func info() async throws(ServingError) -> JSONText {
    let models = state.models.models
    let isText = { (model: ServedModel) in
      !model.tasks.isDisjoint(with: [.textEmbedding, .textClassification])
    }
    guard let model = models.first(where: isText) ?? models.first else {
      throw ServingError(.notFound, "No model is served.")
    }
    let facts = try await model.facts()
    return [
      "model_id": .string(model.name), "served_model_name": .string(model.name), "model_sha": nil,
      "model_dtype": .optional(facts.computation), "model_type": kind(of: model, facts),
      "max_input_length": facts.maximumTokens.map { .integer($0) } ?? nil,
      "max_client_batch_size": .integer(model.limits.itemsPerRequest),
      "max_batch_tokens": .integer(model.limits.batchTokens),
      "max_concurrent_requests": .integer(state.options.connections), "auto_truncate": true,
      "version": .string(ApusVersion.current),
    ]
  }

  private func kind(of model: ServedModel, _ facts: ModelFacts) -> JSONText {
    guard !model.tasks.contains(.textEmbedding), let labels = facts.labels else {
      return ["embedding": ["pooling": "model"]]
    }
    let names = labels.enumerated().map { (key: "\($0)", value: JSONText.string($1)) }
    let numbers = labels.enumerated().map { (key: $1, value: JSONText.integer($0)) }
    // What has one class tells how well two texts go together.
    let classes: JSONText = ["id2label": .object(names), "label2id": .object(numbers)]
    return labels.count == 1 ? ["reranker": classes] : ["classifier": classes]
  }
}
