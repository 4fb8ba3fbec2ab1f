import Apus
import ApusService
import Synchronization

/// A model that clients ask for by its name. Its calls wait in its queues, run together with those of others, and are
/// cancelled with the calling task.
public final class ServedModel: Sendable {
  /// What clients call it.
  public let name: String
  /// The file, folder or repository; of two that with the tower for pictures.
  public let path: String
  /// The same of what takes texts: ``path``, unless its tower for texts has a folder of its own.
  public let textPath: String
  /// What it can be asked to do.
  public let tasks: Set<ModelTask>
  /// What it takes on.
  public let limits: ServingLimits
  let forms: ModelForms
  let queues: ModelQueues
  let access: FormAccess
  let store: ModelStore
  let recorder: LatencyRecorder
  let account: ExecutionAccount
  let tokenizer: KeptValue<Tokenizer>
  /// Kept, so that an answer waits for no model that was put away meanwhile; nil where other files may take over, of which
  /// it may not be so.
  let areProbabilities: KeptValue<Bool>?
  /// What the session of a load takes and gives, by the number of the load: who asks often does not keep it in memory.
  let openNetworks = Mutex<(load: Int, networks: [NetworkDescription])?>(nil)
  let tower: TowerScoring
  /// What the store calls its forms.
  private let formNames: [ModelTask: String]
  private let stays: Bool
  private let isOpened = Atomic<Bool>(false)
  private let failure = Mutex<String?>(nil)

  init(
    _ options: ServedModelOptions, _ store: ModelStore, _ monitor: PerformanceMonitor,
    _ limits: ServingLimits
  ) throws(ApusError) {
    let limits = limits.of(options)
    (name, path, self.store, self.limits) = (options.name, options.path, store, limits)
    textPath = options.textPath
    tasks = try options.tasks()
    let others = try options.checkFallbacks(of: tasks) { "fallback \($0) of model '\(options.name)'" }
    try options.checkPadding()
    stays = options.keepAlive == nil
    forms = ModelForms(options, images: limits.images, withoutTensors: others)
    formNames = Dictionary(
      uniqueKeysWithValues: tasks.map { ($0, ModelForms.name(options.name, $0)) })
    tower = TowerScoring(options)
    access = FormAccess(of: options.name, in: store)
    tokenizer = KeptValue(access)
    areProbabilities = options.hasOtherFiles ? nil : KeptValue(access)
    recorder = monitor.recorder(for: options.name)
    account = ExecutionAccount(recorder)
    queues = ModelQueues(forms, access, tower, account, limits)
    recorder.target = options.latencyTarget
  }

  /// Whether it answers.
  public var state: ServedModelState { state(in: store.status()) }

  /// The same by what the store says of all its models.
  public func state(in store: StoreStatus) -> ServedModelState {
    if access.isWithdrawn { return .withdrawn }
    let known = known(ordinaryTasks, in: store)
    if known.count == ordinaryTasks.count, known.allSatisfy(\.isLoaded) { return .ready }
    if known.contains(where: \.isLoading) { return .loading }
    if let failure = failure.withLock({ $0 }) { return .failed(failure) }
    return .unloaded
  }

  /// Whether ``load()`` has succeeded since it was taken out last. Where it has left memory since, it comes back with the
  /// next request.
  public var wasLoaded: Bool { isOpened.load(ordering: .relaxed) }

  /// Bytes that it takes in memory now, for all its tasks; what its forms share is counted once.
  public var byteCount: Int { status(in: store.status()).byteCount }

  /// What the store knows of its forms for tasks; those that nobody asked for yet are missing.
  func known(_ tasks: Set<ModelTask>, in store: StoreStatus) -> [StoreStatus.Model] {
    let names = Set(tasks.compactMap { formNames[$0].map { ExactText($0) } })
    return store.models.filter { names.contains(ExactText($0.name)) }
  }

  /// Its tasks by what the store calls the forms that do them.
  package var tasksOfForms: [ExactText: ModelTask] {
    Dictionary(formNames.map { (ExactText($1), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// What waits for it: tokens, pixels and bytes.
  public var waiting: (tokens: Int, pixels: Int, bytes: Int) {
    (queues.waiting(.tokens), queues.waiting(.pixels), queues.waiting(.bytes))
  }

  /// What it is opened for when the server starts: its tasks but those on bare tensors, unless it has no others.
  private var ordinaryTasks: Set<ModelTask> {
    let others = tasks.subtracting([.tensors])
    return others.isEmpty ? tasks : others
  }

  private var servedForms: [any AnyServiceModel] {
    ModelTask.allCases.filter(tasks.contains).map { forms[$0] }
  }

  /// Opens it for all its tasks, so that the first who ask need not wait. It stays in memory, unless it is to leave when
  /// nobody uses it. Where it was taken out it is opened anew, once those are done who used it before; calls of this and of
  /// ``unload()`` wait for each other, in their order.
  /// - Throws: ``ServingError``: `failed` when it cannot be opened, `unavailable` when there is no memory for it, or when
  ///   those who used it before are not done in the time of a request, `cancelled`. After the last two it is still out
  ///   where it was.
  public func load() async throws(ServingError) {
    try await access.inTurn { () async throws(ServingError) in try await openForms() }
  }

  private func openForms() async throws(ServingError) {
    // Nobody is there any more who wants it.
    guard !Task.isCancelled else { throw ServingError(CancellationError()) }
    try await access.putIn(servedForms, within: limits.requestTime) { () async throws(ServingError) in
      try await openOrdinaryForms()
    }
    isOpened.store(true, ordering: .relaxed)
  }

  private func openOrdinaryForms() async throws(ServingError) {
    var error: ServingError?
    for task in ModelTask.allCases where ordinaryTasks.contains(task) {
      do throws(ServingError) {
        try await open(forms[task])
      } catch let cause {
        // Who asked is gone, which says nothing of the model.
        guard cause.kind != .cancelled else { throw cause }
        error = error ?? cause
      }
    }
    failure.withLock { $0 = error?.message }
    if let error { throw error }
  }

  private func open(_ form: some AnyServiceModel) async throws(ServingError) {
    do throws(ApusError) {
      if stays { try store.pin(form.serviceModel) }
      _ = try await store.model(for: form.serviceModel)
    } catch {
      throw ServingError(error)
    }
  }

  /// Takes it out: its memory goes back to the system, and it answers nothing until it is loaded again. What still waits for
  /// it fails as `unavailable`.
  public func unload() async {
    await access.inTurn { () async in
      await access.withdraw(servedForms)
      isOpened.store(false, ordering: .relaxed)
      tokenizer.clear()
      areProbabilities?.clear()
    }
  }

  /// - Throws: ``ServingError``: `unsupported` when it does not do the task, `unavailable` when it was taken out.
  func require(_ task: ModelTask) throws(ServingError) {
    guard tasks.contains(task) else {
      throw ServingError(
        .unsupported, "Model '\(name)' does not do \(task.rawValue), but \(ModelTask.list(tasks)).")
    }
    try access.require()
  }

  /// - Throws: ``ServingError`` of kind `tooLarge`.
  func require(count: Int) throws(ServingError) {
    guard count <= limits.itemsPerRequest else {
      throw ServingError(
        .tooLarge, "\(count) inputs in one request, expected at most \(limits.itemsPerRequest).")
    }
  }

  /// - Throws: ``ServingError`` of kind `invalid`.
  func require(topK: Int?) throws(ServingError) {
    if let topK, topK < 1 { throw ServingError(.invalid, "A top of \(topK), expected at least 1.") }
  }

  func expireRequests(at now: ContinuousClock.Instant) { queues.expire(at: now) }
}
