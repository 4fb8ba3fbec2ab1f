import ApusServing
import InferenceProtocol

extension OpenInferenceService {
  /// The models, and whether each answers.
  public func repositoryIndex(readyOnly: Bool) -> [RepositoryModel] {
    models.models.map { model in
      let (state, reason) = model.state.inRepository
      return RepositoryModel(name: model.name, version: Self.modelVersion, state: state, reason: reason)
    }.filter { !readyOnly || $0.state == .ready }
  }

  /// Opens a model, or opens it again.
  /// - Parameter changesModel: whether the request brings files or a configuration, which nobody may here.
  /// - Throws: ``ServingError``: `notFound`, `unsupported`; what keeps it from being opened.
  public func load(_ name: String, changesModel: Bool) async throws(ServingError) {
    let model = try model(name, nil)
    guard !changesModel else {
      throw ServingError(
        .unsupported, "Files and configurations of models come from whoever starts the server.")
    }
    try await model.load()
  }

  /// Takes a model out of memory. It answers nothing until it is loaded again.
  /// - Throws: ``ServingError`` of kind `notFound`.
  public func unload(_ name: String) async throws(ServingError) {
    await (try model(name, nil)).unload()
  }
}

extension ServedModelState {
  fileprivate var inRepository: (state: RepositoryModel.State, reason: String) {
    switch self {
    case .ready: (.ready, "")
    case .unloaded: (.ready, "opened when it is asked for")
    case .loading: (.loading, "")
    case .withdrawn: (.unavailable, "unloaded")
    case .failed(let reason): (.unavailable, reason)
    }
  }
}
