import Apus
import ApusService
import Synchronization

/// The forms of one model in the store: nobody gets one of a model that a client has taken out, and nothing of it stays in
/// memory, whoever was about to open it.
final class FormAccess: Sendable {
  private let store: ModelStore
  /// What clients call the model.
  private let name: String
  private let withdrawn = Atomic<Bool>(false)

  init(of name: String, in store: ModelStore) { (self.name, self.store) = (name, store) }

  /// Whether a client has taken the model out.
  var isWithdrawn: Bool {
    get { withdrawn.load(ordering: .sequentiallyConsistent) }
    set { withdrawn.store(newValue, ordering: .sequentiallyConsistent) }
  }

  /// - Throws: ``ServingError`` of kind `unavailable` when it was taken out.
  func require() throws(ServingError) {
    guard !isWithdrawn else { throw ServingError(.unavailable, "Model '\(name)' was unloaded.") }
  }

  /// The model in a form, opened if it is not in memory.
  /// - Throws: ``ServingError``: `unavailable` when it was taken out before or meanwhile; what keeps it from being opened.
  func model<Model>(for form: ServiceModel<Model>) async throws(ServingError) -> Model {
    try require()
    let model: Model
    do throws(ApusError) { model = try await store.model(for: form) } catch { throw ServingError(error) }
    if isWithdrawn {
      await store.unload(form)
      try require()
    }
    return model
  }
}
