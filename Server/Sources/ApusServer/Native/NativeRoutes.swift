import ApusService
import ApusServing
import Hummingbird
import Synchronization

/// The server's own routes: pictures and texts to classify, and what is served.
struct NativeRoutes: EndpointList {
  let state: ServerState
  let dialect = Dialect.native
  private let seal = SealWatch()

  init(state: ServerState) { self.state = state }

  var endpoints: [Endpoint] {
    [
      classify,
      zeroShot, embedImage,
      picture("/api/classify-image", "Scores the classes of a picture.", takes: [.model, .topK]) { request in
        let model = try state.models.model(request.model, for: .imageClassification)
        let areProbabilities = try await model.givesProbabilities()
        let results = try await model.classify(pictures: [.encoded(request.picture)], topK: request.topK)
        return .classification(try results.only(), model: model.name, areProbabilities: areProbabilities)
      },
      .post(
        "/api/classify-text", "Scores the classes of a text.", takes: ClassifyTextRequest.schema,
        answers: NativeSchemas.classification, of: state, reading: ClassifyTextRequest.init
      ) { request in
        let model = try state.models.model(request.model, for: .textClassification)
        let areProbabilities = try await model.givesProbabilities()
        let results = try await model.classify([.text(request.text)], topK: request.topK, truncates: true)
        return .classification(try results.only(), model: model.name, areProbabilities: areProbabilities)
      },
      .get("/api/models", "Describes the models and the server.", answers: NativeSchemas.status) { _ in
        .status(of: state.models, isSealed: state.options.isSealed && seal.isSealed)
      },
    ]
  }

  /// What CLARA's app calls: it has a picture's embedding, and shows what it gets of errors.
  private var classify: Endpoint {
    var endpoint = Endpoint.post(
      "/api/classify", "Scores labels for the embedding of a picture.",
      takes: ClassifyEmbeddingRequest.schema,
      answers: NativeSchemas.scores, of: state, reading: ClassifyEmbeddingRequest.init
    ) { request in
      let model = try state.models.labelScorer(request.model)
      let result = try await model.zeroShot(
        embedding: request.embedding, labels: request.labels, topK: request.topK, reading: request.reading)
      return ["results": .scores(result.predictions.map { ($0.label, $0.score) })]
    }
    endpoint.hasPlainErrors = true
    return endpoint
  }

  private var zeroShot: Endpoint {
    picture(
      "/api/zero-shot", "Scores labels for a picture.",
      takes: [.model, .labels, .topK, .reading]
    ) { request in
      let model = try state.models.model(request.model, for: .zeroShot)
      let results = try await model.zeroShot(
        [.encoded(request.picture)], labels: request.labels, topK: request.topK, reading: request.reading)
      let trained = try await model.trainedScoring(of: request.reading)
      return .zeroShot(try results.only(), model: model.name, trained: trained)
    }
  }

  private var embedImage: Endpoint {
    picture(
      "/api/embed-image", "Embeds a picture.", takes: [.model], answers: NativeSchemas.embedding
    ) { request in
      let model = try state.models.model(request.model, for: .imageEmbedding)
      let embedding = try await model.embed(pictures: [.encoded(request.picture)]).only()
      return ["model": .string(model.name), "embedding": .vector(embedding.values)]
    }
  }

  private func picture(
    _ path: String, _ summary: String, takes options: Set<PictureRequest.Option>,
    answers answer: JSONText = NativeSchemas.classification,
    _ handle: @escaping @Sendable (PictureRequest) async throws -> JSONText
  ) -> Endpoint {
    var endpoint = Endpoint(
      method: .post, path: path, summary: summary, answer: answer
    ) { request, _ in
      let query = try AddressQuery.parameters(request.uri.query ?? "")
      let type = request.headers[.contentType]
      try PictureRequest.check(contentType: type)
      return try await state.withBody(of: request) { (body) throws(RequestFault) in
        try PictureRequest(body, contentType: type, query: query, taking: options)
      } _: { request in
        try await handle(request).response
      }
    }
    endpoint.bodies = PictureRequest.bodies(taking: options)
    endpoint.query = PictureRequest.query(taking: options)
    return endpoint
  }
}

/// Whether the process is sealed. The kernel is asked until it says so, which takes it ten milliseconds; a seal cannot be
/// undone.
final class SealWatch: Sendable {
  private let known = Atomic<Bool>(false)

  var isSealed: Bool {
    if known.load(ordering: .relaxed) { return true }
    let isSealed = Privacy.report().isSealed
    known.store(isSealed, ordering: .relaxed)
    return isSealed
  }
}
