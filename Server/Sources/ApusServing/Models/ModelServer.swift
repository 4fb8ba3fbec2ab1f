import Apus
import ApusService

/// The models that a server offers, by their names.
///
///     let server = try ModelServer([ServedModelOptions("minilm")])
///     let model = try server.model(nil, for: .textEmbedding)
///     print(try await model.embed([.text("a swift")], truncates: true)[0].get().values)
public final class ModelServer: Sendable {
  /// In the order in which they were given.
  public let models: [ServedModel]
  /// What keeps them in memory.
  public let store: ModelStore
  /// What it takes on.
  public let limits: ServingLimits
  /// What takes down the times of requests, by the names of models.
  public let monitor: PerformanceMonitor
  private let clock: Task<Void, Never>

  /// Opens no model yet, but looks at each.
  /// - Throws: ``ApusError``: for a model that cannot be used, of kind `argument` for two of one name.
  public init(_ options: [ServedModelOptions], limits: ServingLimits = ServingLimits()) throws(ApusError) {
    let monitor = PerformanceMonitor()
    let store = try ModelStore(options: .init(byteLimit: limits.modelBytes), monitor: monitor)
    var models: [ServedModel] = []
    // Times are taken down by the names of models and of their forms.
    let forms = Set(
      options.flatMap { option in ModelTask.allCases.map { ExactText(ModelForms.name(option.name, $0)) } })
    for option in options {
      try ModelName.require(option.name)
      guard !forms.contains(ExactText(option.name)) else {
        throw ApusError(
          .argument, "'\(option.name)' is what a form of another model is called", expected: "another name")
      }
      guard !models.contains(where: { ExactText($0.name) == ExactText(option.name) }) else {
        throw ApusError(
          .argument, "two models called '\(option.name)'", expected: "a name for each",
          advice: "Give one of them another name: --model NAME=PATH, or 'name' in the file of --models.")
      }
      models.append(try ServedModel(option, store, monitor, limits))
    }
    (self.models, self.store, self.monitor, self.limits) = (models, store, monitor, limits)
    clock = Task { [models] in
      while (try? await Task.sleep(for: .milliseconds(100))) != nil {
        for model in models { model.expireRequests(at: .now) }
      }
    }
  }

  deinit { clock.cancel() }

  /// The tag that clients of Ollama, and programs that were written for it, add by themselves.
  private static let usualTag = ":latest"

  /// The model of a name, for who asks about that model; also by the last part of it, where no other has that, and by
  /// either with the usual tag.
  /// - Throws: ``ServingError`` of kind `notFound`.
  public func model(_ name: String) throws(ServingError) -> ServedModel {
    if let model = find(name) ?? findWithoutTag(name) { return model }
    throw ServingError(.notFound, "There is no model '\(name.clipped)'.")
  }

  /// The model that does the work of a request with a name, as clients of other servers write it: where one model is
  /// served, that one, whatever the name. Text Embeddings Inference does so, whose clients say any, and those of OpenAI,
  /// Cohere and Jina name those companies' models where nobody tells them another.
  /// - Throws: ``ServingError`` of kind `notFound`.
  public func model(asked name: String) throws(ServingError) -> ServedModel {
    if models.count == 1 { return models[0] }
    return try model(name)
  }

  private func findWithoutTag(_ name: String) -> ServedModel? {
    name.hasSuffix(Self.usualTag) ? find(String(name.dropLast(Self.usualTag.count))) : nil
  }

  private func find(_ name: String) -> ServedModel? {
    if let model = models.first(where: { ExactText($0.name) == ExactText(name) }) { return model }
    let like = models.filter { $0.name.utf8.reversed().starts(with: "/\(name)".utf8.reversed()) }
    return like.count == 1 ? like[0] : nil
  }

  /// The model that a request names, or the first that does the task.
  /// - Throws: ``ServingError``: `notFound`, or `unsupported` when it does not do the task.
  public func model(_ name: String?, for task: ModelTask) throws(ServingError) -> ServedModel {
    guard let name else {
      if let model = models.first(where: { $0.tasks.contains(task) }) { return model }
      throw ServingError(.unsupported, "No model of this server does \(task.rawValue).")
    }
    let model = try model(asked: name)
    try model.require(task)
    return model
  }

  /// The model that a request names, or the first that ranks texts; where none does, one whose refusal says so.
  /// - Throws: ``ServingError``: `notFound`, or `unsupported` when none classifies texts.
  public func reranker(_ name: String?) async throws(ServingError) -> ServedModel {
    let first = try model(name, for: .textClassification)
    guard name == nil else { return first }
    for model in models where (try? await model.isReranker()) == true { return model }
    return first
  }

  /// The model that a request names, or the first that scores labels for vectors of pictures: one that sees pictures too, else one that
  /// embeds texts alone.
  /// - Throws: ``ServingError``: `notFound`, or `unsupported` when it does neither.
  public func labelScorer(_ name: String?) throws(ServingError) -> ServedModel {
    if let name {
      let named = try model(asked: name)
      if !named.tasks.contains(.textEmbedding) { try named.require(.zeroShot) }
      return named
    }
    for task in [ModelTask.zeroShot, .textEmbedding] {
      if let model = models.first(where: { $0.tasks.contains(task) }) { return model }
    }
    throw ServingError(.unsupported, "No model of this server does \(ModelTask.zeroShot.rawValue).")
  }
}
