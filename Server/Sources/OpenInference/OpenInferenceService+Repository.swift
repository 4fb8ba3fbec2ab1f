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
  /// - Parameters:
  ///   - changesModel: whether the request brings files or a configuration, which no request may here.
  ///   - isAllowed: whether this request may, where not every one may.
  /// - Throws: ``ServingError``: `notFound`, `unsupported`; what keeps it from being opened.
  public func load(
    _ name: String, changesModel: Bool, isAllowed: Bool = false
  ) async throws(ServingError) {
    try requireControl(isAllowed)
    let model = try model(name, nil)
    guard !changesModel else {
      throw ServingError(
        .unsupported, "Model files and configurations can only be set when the server is started.")
    }
    try await model.load()
  }

  /// Takes a model out of memory. It answers nothing until it is loaded again.
  /// - Parameter isAllowed: whether this request may, where not every one may.
  /// - Throws: ``ServingError``: `notFound`, `unsupported`.
  public func unload(_ name: String, isAllowed: Bool = false) async throws(ServingError) {
    try requireControl(isAllowed)
    await (try model(name, nil)).unload()
  }

  /// - Throws: ``ServingError`` of kind `unsupported` where the request may not load and unload models.
  private func requireControl(_ isAllowed: Bool) throws(ServingError) {
    guard !allowsModelControl, !isAllowed else { return }
    throw ServingError(.unsupported, Self.controlRefusal)
  }

  /// What a request is told that may not load and unload models.
  public static let controlRefusal =
    "Loading and unloading models is off: the server allows it to all with --allow-model-control, or to the keys of "
    + "--control-key-file."
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
