import Apus
import ApusServing
import Hummingbird

/// The routes of `huggingface_hub.InferenceClient`, which posts every task to the address that stands for its model:
/// the server's own, or `/models/NAME` for one of several.
struct HuggingFaceRoutes: EndpointList {
  let state: ServerState
  let dialect = Dialect.textEmbeddings
  private let texts: TextEmbeddingsRoutes

  init(state: ServerState) { (self.state, texts) = (state, TextEmbeddingsRoutes(state: state)) }

  var endpoints: [Endpoint] {
    [
      endpoint("/", "Runs the task that the body asks for, on the first model that has it.") { _ in nil },
      endpoint("/models/{model}", "Runs the task that the body asks for.") { $0.lastParameter },
    ]
  }

  private func endpoint(
    _ path: String, _ summary: String, _ name: @escaping @Sendable (ServerContext) -> String?
  ) -> Endpoint {
    Endpoint(
      method: .post, path: path, summary: summary,
      bodies: [("application/json", HuggingFaceRequest.schema), ("image/*", Schema.anything)],
      answer: Schema.list(Schema.anything)
    ) { request, context in
      let (name, type) = (name(context), request.headers[.contentType])
      let tasks = try tasks(of: name)
      return try await state.withBody(of: request) { (body) throws(RequestFault) in
        try HuggingFaceRequest(body, contentType: type, tasks: tasks)
      } _: { request in
        try await answer(request, name: name, tasks).response
      }
    }
  }

  /// What a model does, or all of the server together.
  private func tasks(of name: String?) throws(ServingError) -> Set<ModelTask> {
    if let name { return try state.models.model(asked: name).tasks }
    return state.models.models.reduce(into: []) { $0.formUnion($1.tasks) }
  }

  private func answer(
    _ request: HuggingFaceRequest, name: String?, _ tasks: Set<ModelTask>
  ) async throws(ServingError) -> JSONText {
    switch request {
    case .similarity(let request): return try await texts.similarity(request, named: name)
    case .embedding(let request): return try await texts.embed(request, named: name)
    case .texts(let texts, let topK):
      let model = try state.models.model(name, for: .textClassification)
      // A list for each text, also for a single one: the client takes the first.
      return .array(try await model.classify(texts.map(TextInput.text), topK: topK, truncates: true).scores())
    case .picture(let file, let topK): return try await classes(of: file, topK, name: name, tasks)
    case .zeroShot(let file, let labels, let template):
      return try await zeroShot(file, labels, template: template, name: name)
    }
  }

  /// A picture without labels: its classes, or the labels that a zero-shot model was started with.
  private func classes(
    of file: [UInt8], _ topK: Int?, name: String?, _ tasks: Set<ModelTask>
  ) async throws(ServingError) -> JSONText {
    if !tasks.contains(.imageClassification), tasks.contains(.zeroShot) {
      let model = try state.models.model(name, for: .zeroShot)
      let result = try await model.zeroShot([.encoded(file)], labels: nil, topK: topK).only()
      return .scores(result.predictions.map { ($0.label, $0.score) })
    }
    let model = try state.models.model(name, for: .imageClassification)
    // transformers' pipeline answers with five unless it is told otherwise.
    let result = try await model.classify(pictures: [.encoded(file)], topK: topK ?? 5).only()
    return .scores(result.predictions.map { ($0.label, $0.score) })
  }

  private func zeroShot(
    _ file: [UInt8], _ labels: [String], template: String?, name: String?
  ) async throws(ServingError) -> JSONText {
    let model = try state.models.model(name, for: .zeroShot)
    let result = try await model.zeroShot(
      [.encoded(file)], labels: labels, templates: template.map { [$0] }, topK: nil
    ).only()
    return .scores(result.predictions.map { ($0.label, $0.score) })
  }
}
