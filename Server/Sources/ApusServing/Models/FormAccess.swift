import Apus
import ApusService
import Synchronization

/// The forms of one model in the store: nobody gets one of a model that a client has taken out, and one that is put in again
/// is opened anew, as its files may be others.
final class FormAccess: Sendable {
  private struct State {
    var isWithdrawn = false
    /// Openings that began before it was taken out, and have not ended.
    var openings = 0
  }

  private let store: ModelStore
  /// What clients call the model.
  private let name: String
  private let state = Mutex(State())
  private let turns = Turns()

  init(of name: String, in store: ModelStore) { (self.name, self.store) = (name, store) }

  /// How many wait for their turn.
  var waitingTurns: Int { turns.waitingCount }

  /// Whether a client has taken the model out.
  var isWithdrawn: Bool { state.withLock { $0.isWithdrawn } }

  private var withdrawal: ServingError { ServingError(.unavailable, "Model '\(name)' was unloaded.") }

  /// - Throws: ``ServingError`` of kind `unavailable` when it was taken out.
  func require() throws(ServingError) {
    guard !isWithdrawn else { throw withdrawal }
  }

  /// Opens something of the model, which is not put in again before that has ended.
  /// - Throws: ``ServingError``: `unavailable` when it was taken out; what `body` throws.
  func opening<Value>(
    _ body: () async throws(ServingError) -> Value
  ) async throws(ServingError) -> Value {
    let isIn = state.withLock { state -> Bool in
      guard !state.isWithdrawn else { return false }
      state.openings += 1
      return true
    }
    guard isIn else { throw withdrawal }
    defer { state.withLock { $0.openings -= 1 } }
    return try await body()
  }

  /// The model in a form, opened if it is not in memory.
  /// - Throws: ``ServingError``: `unavailable` when it was taken out before or meanwhile; what keeps it from being opened.
  func model<Model>(for form: ServiceModel<Model>) async throws(ServingError) -> OpenModel<Model> {
    try await opening { () async throws(ServingError) -> OpenModel<Model> in
      let outcome: Result<OpenModel<Model>, ServingError>
      do throws(ApusError) {
        let model = try await store.model(for: form)
        let load = FormLoad(form: ExactText(form.name), number: store.loads(of: form))
        outcome = .success(OpenModel(model: model, load: load))
      } catch {
        outcome = .failure(ServingError(error))
      }
      guard isWithdrawn else { return try outcome.get() }
      // The store may have got it after it was taken out. Nobody puts it in again before this has ended.
      await store.unload(form)
      throw withdrawal
    }
  }

  /// The model in a form where it is in memory, and counts as used by that; nil where it would have to be opened.
  /// - Throws: ``ServingError``: `unavailable` when it was taken out before or meanwhile.
  func loadedModel<Model>(for form: ServiceModel<Model>) async throws(ServingError) -> Model? {
    try await opening { () async throws(ServingError) -> Model? in
      let model = try? store.loadedModel(for: form)
      guard isWithdrawn else { return model }
      // As above: what somebody else still has comes back into the store when it is asked for.
      await store.unload(form)
      throw withdrawal
    }
  }
}

extension FormAccess {
  /// Puts the model in or takes it out, after all that was asked for before.
  func inTurn<Failure: Error>(_ work: () async throws(Failure) -> Void) async throws(Failure) {
    try await turns.run(work)
  }

  /// Takes the model out. To be called in turn.
  func withdraw(_ forms: [any AnyServiceModel]) async {
    state.withLock { $0.isWithdrawn = true }
    for form in forms { await putOut(form) }
  }

  private func putOut(_ form: some AnyServiceModel) async { await store.unload(form.serviceModel) }

  /// Puts the model in where it was taken out, and has it opened. Where whoever asked for that leaves meanwhile, it is out
  /// again. To be called in turn.
  /// - Throws: ``ServingError``: as ``admit(_:within:)``; what `open` throws.
  func putIn(
    _ forms: [any AnyServiceModel], within limit: Duration, _ open: () async throws(ServingError) -> Void
  ) async throws(ServingError) {
    let wasOut = isWithdrawn
    try await admit(forms, within: limit)
    do throws(ServingError) {
      try await open()
    } catch {
      if wasOut, error.kind == .cancelled { await withdraw(forms) }
      throw error
    }
  }

  /// Puts the model in again where it was taken out, so that it can be opened. It waits for those who still open or use what
  /// was there before: as long as they do, the store would give that to the next. To be called in turn.
  /// - Throws: ``ServingError``: `unavailable` when they are not done within the limit, `cancelled`; the model stays out
  ///   then.
  func admit(_ forms: [any AnyServiceModel], within limit: Duration) async throws(ServingError) {
    guard isWithdrawn else { return }
    let names = Set(forms.map { ExactText(Self.name(of: $0)) })
    let end = ContinuousClock.now + limit
    while isHeld(names) {
      guard ContinuousClock.now < end else {
        throw ServingError(.unavailable, "Model '\(name)' is still in use.")
      }
      do { try await Task.sleep(for: .milliseconds(5)) } catch { throw ServingError(error) }
    }
    state.withLock { $0.isWithdrawn = false }
  }

  private static func name(of form: some AnyServiceModel) -> String { form.serviceModel.name }

  /// Whether anybody opens the model, or has it.
  private func isHeld(_ names: Set<ExactText>) -> Bool {
    if state.withLock({ $0.openings > 0 }) { return true }
    return store.status().models.contains { form in
      names.contains(ExactText(form.name)) && (form.isLoading || form.byteCount != nil)
    }
  }
}
