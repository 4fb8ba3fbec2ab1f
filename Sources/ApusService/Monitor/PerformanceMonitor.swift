import TensorCore

/// Keeps the times of inferences by model and stage, holds them against targets, and tells when a model misses its own.
///
///     let monitor = PerformanceMonitor()
///     monitor.register("leaf", target: .milliseconds(50))
///     let recorder = monitor.recorder(for: "leaf")
///     let classifier = try await ImageClassifier.load("leaf.tflite")
///     recorder.record(try await classifier.classify("leaf.jpg").times)
///     print(monitor.snapshot().models[0].all.stages[.total]?.p95 ?? .zero)
///
/// Times are counted in buckets at most 0.8 % wide, so that a quantile of any number of runs takes the same memory, some
/// 0.2 MB for a model.
public final class PerformanceMonitor: Sendable {
  let commons: MonitorCommons
  /// On the monitor's clock, in nanoseconds.
  let start: UInt64
  private let recorders = Lock<[ExactText: LatencyRecorder]>([:])

  /// A monitor that knows no model yet.
  public convenience init() { self.init(MonitorCommons()) }

  init(_ commons: MonitorCommons) {
    self.commons = commons
    start = commons.clock.nanoseconds()
  }

  deinit { commons.alerts.finish() }

  /// Makes a model known, with what one of its runs may take; nil for no target. For a model that is known already, the
  /// target holds for the runs to come.
  public func register(_ name: String, target: Duration? = nil) { recorder(for: name).target = target }

  /// The recorder of a model, always the same one for a name. A model that was not registered has no
  /// target.
  ///
  /// Keep it if you record often, to avoid the look-up.
  public func recorder(for name: String) -> LatencyRecorder {
    recorders.withLock { recorders in
      let key = ExactText(name)
      if let known = recorders[key] { return known }
      let recorder = LatencyRecorder(model: name, commons)
      recorders[key] = recorder
      return recorder
    }
  }

  /// Removes a model and its records; its alert ends. A recorder still in use is no longer part of snapshots.
  public func remove(_ name: String) {
    guard let recorder = recorders.withLock({ $0.removeValue(forKey: ExactText(name)) }) else { return }
    recorder.target = nil
    _ = recorder.history()
  }

  /// Alerts as they come, after those that are active. Each stream is one of its own; it ends with the monitor, or with
  /// the listening task. A listener that is slow misses all but the last hundred.
  ///
  /// Models are judged when they are recorded, at most every five seconds, and by ``snapshot()``.
  public var alerts: AsyncStream<PerformanceAlert> { commons.alerts.stream() }

  /// The recorders of all models, by name.
  var known: [LatencyRecorder] { recorders.withLock { $0.values.sorted { $0.model < $1.model } } }
}
