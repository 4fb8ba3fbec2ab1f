import Apus
import ApusService
import ApusServing
import Logging
import ServiceLifecycle

/// Writes to the log what whoever runs a server is to know of its models, each once: what was passed over when they were
/// opened, whenever that is, which of their forms answers where that changes, and alerts.
struct ModelLog: Service {
  private let models: ModelServer
  private let photos: PhotoLibrary?
  private let logger: Logger
  /// The models, and what they do, by what the store calls their forms.
  private let forms: [ExactText: (model: String, task: ModelTask)]
  // They tell of what happens from now on, before the first model is opened.
  private let events: AsyncStream<StoreEvent>
  private let alerts: AsyncStream<PerformanceAlert>

  /// - Parameter events: what happens to models; nil for the store's.
  init(
    _ models: ModelServer, photos: PhotoLibrary? = nil, events: AsyncStream<StoreEvent>? = nil,
    _ logger: Logger
  ) {
    (self.models, self.photos, self.logger) = (models, photos, logger)
    (self.events, alerts) = (events ?? models.store.events, models.monitor.alerts)
    var forms: [ExactText: (model: String, task: ModelTask)] = [:]
    for model in models.models {
      for (form, task) in model.tasksOfForms { forms[form] = (model: model.name, task: task) }
    }
    self.forms = forms
  }

  func run() async throws {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await tellEvents() }
      group.addTask { await tellAlerts() }
      group.addTask { await tellPhotoNotes() }
    }
  }

  private func tellEvents() async {
    var notes: [ExactText: Set<ExactText>] = [:]
    var qualities: [ExactText: ModelQuality] = [:]
    for await event in events {
      guard case .loaded(let name, let quality, _, _) = event, let form = forms[ExactText(name)] else {
        continue
      }
      let known = models.store.status().models.first { ExactText($0.name) == ExactText(name) }
      for note in known?.notes ?? []
      where notes[ExactText(form.model), default: []].insert(ExactText(note)).inserted {
        tell(of: note, form.model)
      }
      // What was told last is what whoever reads the log takes to be so, whatever was in memory meanwhile.
      let before = qualities.updateValue(quality, forKey: ExactText(name)) ?? .high
      if before != quality { tell(form, from: before, to: quality) }
    }
  }

  private func tell(_ form: (model: String, task: ModelTask), from old: ModelQuality, to new: ModelQuality) {
    // A server tells the store of no times, so that what makes forms give way is memory.
    let cause: StoreEvent.QualityCause = new < old ? .memory : .recovery
    logger.log(
      level: new < old ? .warning : .notice, "model quality",
      metadata: [
        "model": .string(form.model), "task": .string(form.task.rawValue), "from": .string(old.rawValue),
        "to": .string(new.rawValue), "cause": .string(cause.rawValue),
      ])
  }

  private func tell(of note: String, _ model: String) {
    logger.warning("model note", metadata: ["model": .string(model), "note": .string(note)])
  }

  private func tellPhotoNotes() async {
    guard let photos else { return }
    for await note in photos.notes { tell(of: note, photos.model) }
  }

  private func tellAlerts() async {
    for await alert in alerts {
      let level: Logger.Level =
        if alert.isResolved { .notice } else { alert.severity == .critical ? .error : .warning }
      logger.log(
        level: level, alert.isResolved ? "alert ended" : "alert", metadata: Self.metadata(of: alert))
    }
  }

  private static func metadata(of alert: PerformanceAlert) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "model": .string(alert.model), "severity": .string(alert.severity.rawValue),
      "target_ms": .stringConvertible(alert.target / .milliseconds(1)),
    ]
    // An alert also ends where nothing runs any more.
    guard alert.runs > 0 else { return metadata }
    metadata["window"] = .string(alert.window.rawValue)
    metadata["runs"] = .stringConvertible(Int(clamping: alert.runs))
    metadata["compliance"] = .stringConvertible(alert.compliance)
    metadata["p95_ms"] = .stringConvertible(alert.p95 / .milliseconds(1))
    return metadata
  }
}
