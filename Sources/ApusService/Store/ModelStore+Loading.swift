import Apus
import TensorCore

extension ModelStore {
  /// Waits for the model with all who want it, the first of whom has it opened.
  nonisolated(nonsending) func opened<Model>(_ type: ServiceModel<Model>) async throws(ApusError) -> Model {
    try enter(type)
    let waiter = LoadWaiter()
    join(waiter, type)
    let outcome = await withTaskCancellationHandler {
      await waiter.outcome()
    } onCancel: {
      leave(waiter, type.name)
    }
    guard let model = try outcome.get() as? Model else { throw StoreState.isAnother(type.name) }
    return model
  }

  private func join<Model>(_ waiter: LoadWaiter, _ type: ServiceModel<Model>) {
    let ready: Model? = state.withLock { state in
      // Somebody else may have opened it since it was looked for.
      if let ready = try? state.use(type, at: surroundings.now()) { return ready }
      if state.entries[ExactText(type.name)]?.load == nil { begin(type, &state) }
      state.entries[ExactText(type.name)]?.load?.waiters.append(waiter)
      return nil
    }
    if let ready { waiter.finish(.success(ready)) }
  }

  /// Removes a waiter, and ends the load with the last one.
  private func leave(_ waiter: LoadWaiter, _ name: String) {
    let task = state.withLock { state -> Task<Void, Never>? in
      state.entries[ExactText(name)]?.load?.waiters.removeAll { $0 === waiter }
      // A load in place of a model that is there has no waiters, and goes on.
      guard let load = state.entries[ExactText(name)]?.load, load.waiters.isEmpty,
        state.entries[ExactText(name)]?.isLoaded == false
      else { return nil }
      // The next who asks begins anew: this one may have passed its last stage, or be about to fail.
      state.entries[ExactText(name)]?.load = nil
      return load.task
    }
    task?.cancel()
    waiter.finish(.failure(ApusError(.cancelled, "the loading was cancelled")))
  }

  /// Opens a form other than the one in use, without waiters.
  func reload<Model>(_ type: ServiceModel<Model>) {
    state.withLock { state in
      if state.entries[ExactText(type.name)]?.load == nil { begin(type, &state) }
    }
  }

  private func begin<Model>(_ type: ServiceModel<Model>, _ state: inout StoreState) {
    let number = state.beginLoad(of: type.name)
    state.entries[ExactText(type.name)]?.load?.task = Task { [weak self, giveBack = surroundings.giveBack] in
      // Who waits holds the store.
      guard let unwanted = await self?.open(type, number) else { return }
      // It is gone here, and its memory can be given back.
      _ = await WorkerThreads.run { _ in
        unwanted.release(writesCache: true) { byteCount in giveBack(byteCount, false) }
      }
    }
    keepWatch(&state)
  }

  /// - Returns: the model, if every waiter left before it was open; nil if it is in use.
  private func open<Model>(_ type: ServiceModel<Model>, _ number: Int) async -> Departures? {
    let opened: OpenedBox<Model>
    var byteCount = 0
    do throws(ApusError) {
      let model = try await bestFitting(type, number)
      byteCount = model.memory.total
      opened = OpenedBox(.success(model))
    } catch {
      // Nobody knows how far it came; one that had not begun to open its files has no room.
      byteCount = state.withLock { $0.reserved[number] ?? 0 }
      opened = OpenedBox(.failure(error))
    }
    guard finish(type, number, opened) else { return Departures(gone: [], byteCount: byteCount) }
    _ = await shed(.room) { $0.excess() }
    return nil
  }

  /// Keeps the model, and gives it to those who wait. Nobody else holds it when they go on.
  /// - Returns: false when everybody left before.
  private func finish<Model>(_ type: ServiceModel<Model>, _ number: Int, _ opened: OpenedBox<Model>) -> Bool {
    let time = surroundings.now()
    let outcome = opened.take()
    let waiters = state.withLock { state -> [LoadWaiter]? in
      state.endReservation(number)
      guard let load = state.entries[ExactText(type.name)]?.load, load.number == number else { return nil }
      state.entries[ExactText(type.name)]?.load = nil
      let turn = state.nextTurn()
      let events = state.entries[ExactText(type.name)]?.note(
        outcome, of: load, at: time, turn: turn, options.recovery)
      for event in events ?? [] { broadcast.enter(event) }
      return load.waiters
    }
    guard let waiters else { return false }
    // Not with the lock held: who cancels a waiting task holds what resuming it needs, and asks for the lock.
    broadcast.deliver()
    for waiter in waiters { waiter.finish(outcome) }
    return true
  }

  /// The best form for which there is memory.
  private func bestFitting<Model>(
    _ type: ServiceModel<Model>, _ number: Int
  ) async throws(ApusError) -> Model {
    try await requireAvailable(type)
    while true {
      let index = state.withLock { $0.entries[ExactText(type.name)]?.load?.variant ?? 0 }
      let variant = type.variants[min(index, type.variants.count - 1)]
      do throws(ApusError) {
        return try await open(variant, of: type, number, index: index)
      } catch {
        guard error.isOfMemory, type.isAdaptive, index + 1 < type.variants.count, !Task.isCancelled else {
          throw error
        }
        guard stepDown(type, from: index, number) else { throw error }
      }
    }
  }

  /// The next form takes over where there is no memory for one.
  /// - Returns: false where that is in use already.
  private func stepDown<Model>(_ type: ServiceModel<Model>, from index: Int, _ number: Int) -> Bool {
    let time = surroundings.now()
    let isNew = state.withLock { state in
      state.endReservation(number)
      guard let entry = state.entries[ExactText(type.name)], entry.load?.number == number else {
        return false
      }
      state.entries[ExactText(type.name)]?.load?.variant = index + 1
      state.entries[ExactText(type.name)]?.giveUp(index, at: time, recovery: options.recovery)
      guard !entry.isLoaded || entry.variant != index + 1 else { return false }
      broadcast.enter(
        .quality(
          type.name, from: type.variants[index].quality, to: type.variants[index + 1].quality, .memory))
      return true
    }
    broadcast.deliver()
    return isNew
  }

  private func open<Model>(
    _ variant: ModelVariant<Model>, of type: ServiceModel<Model>, _ number: Int, index: Int
  ) async throws(ApusError) -> Model {
    let needed = try await byteCount(of: variant, type, index: index)
    try await takeRoom(needed, for: type.name, number)
    state.withLock { state in
      // Another load may have begun after the last waiter of this one left.
      guard state.entries[ExactText(type.name)]?.load?.number == number else { return }
      broadcast.enter(.loading(type.name, variant.quality))
    }
    broadcast.deliver()
    let model: Model
    do throws(ApusError) {
      model = try await Model.load(variant.path, options: variant.options, progress: nil)
    } catch {
      throw .model(type.name, .loadFailed, error)
    }
    let taken = model.memory.total
    state.withLock { $0.entries[ExactText(type.name)]?.note(taken, ofVariant: index) }
    guard taken <= byteLimit else {
      throw .noMemory(type.name, needed: taken, available: byteLimit, of: byteLimit)
    }
    return model
  }

  private func requireAvailable<Model>(_ type: ServiceModel<Model>) async throws(ApusError) {
    guard type.isAvailable else {
      throw .model(
        type.name, .notAvailable,
        ApusError(
          .argument, "its description says that it is not available",
          advice: """
            Ask for another model; or, where this one can be used, leave isAvailable out of its ServiceModel, or give \
            true.
            """))
    }
    guard let requirements = type.requirements else { return }
    do throws(ApusError) {
      // Measuring the processor takes its time when it is done first.
      try await WorkerThreads.run { (_) throws(ApusError) in
        try requirements.require(of: DeviceCapabilities.current())
      }
    } catch {
      throw .model(type.name, .notAvailable, error)
    }
  }

  /// Bytes that a form will take: as it says, as it took before, or as its files say.
  private func byteCount<Model>(
    of variant: ModelVariant<Model>, _ type: ServiceModel<Model>, index: Int
  ) async throws(ApusError) -> Int {
    if let known = state.withLock({ $0.entries[ExactText(type.name)]?.measured[index] }) ?? variant.memory {
      return known
    }
    do throws(ApusError) {
      return try await WorkerThreads.run { (isCancelled) throws(ApusError) in
        guard !isCancelled() else { throw ApusError(.cancelled, "the loading was cancelled") }
        return try ModelSize.byteCount(variant.path, as: Model.self, variant.options)
      }
    } catch {
      throw .model(type.name, variant.paths.allSatisfy(ModelSize.isThere) ? .loadFailed : .notFound, error)
    }
  }
}

/// The outcome of opening a model, until it is taken. Passing the box on does not keep the model.
private final class OpenedBox<Model: InferenceModel>: Sendable {
  private let outcome: Lock<Result<Model, ApusError>?>

  init(_ outcome: Result<Model, ApusError>) { self.outcome = Lock(outcome) }

  func take() -> Result<any InferenceModel, ApusError> {
    let outcome = outcome.withLock { $0.take() }
    return outcome?.map { $0 as any InferenceModel }
      ?? .failure(ApusError(.cancelled, "the loading was cancelled"))
  }
}
