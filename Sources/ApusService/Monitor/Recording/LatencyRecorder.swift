import Apus
import Statistics
import Synchronization
import TensorCore

/// Takes down how long a model's inferences take: what ``PerformanceMonitor/recorder(for:)`` gives.
///
/// Recording takes no lock and never waits, however many threads record at once. The first recording in five seconds
/// also puts what was counted before into the windows, and looks whether the model still keeps to its target; where
/// another thread reads them at that moment, it leaves that to the next.
public final class LatencyRecorder: Sendable {
  /// The model's name.
  public let model: String
  /// The records of the current slice of time, by ``InferenceStage/index``.
  private let live = InferenceStage.allCases.map { _ in ConcurrentHistogram() }
  private let missed = Atomic<UInt64>(0)
  private let failures = Atomic<UInt64>(0)
  /// The slice that `live` belongs to.
  private let slice: Atomic<UInt64>
  /// Nanoseconds; the greatest number for none.
  private let targetNanoseconds = Atomic<UInt64>(.max)
  /// Bytes; -1 if not reported.
  private let memory = Atomic<Int>(-1)
  private let past = Lock(Past())
  private let words = Lock<(displayName: String?, loadFailure: String?)>((nil, nil))
  private let commons: MonitorCommons

  private struct Past {
    var history = RunHistory()
    /// The one that holds.
    var alert: PerformanceAlert?
  }

  /// The shortest part of any window.
  private static let sliceNanoseconds: UInt64 = 5_000_000_000

  init(model: String, _ commons: MonitorCommons) {
    (self.model, self.commons) = (model, commons)
    slice = Atomic(commons.clock.nanoseconds() / Self.sliceNanoseconds)
  }

  /// Records the time of a stage of one inference. Each inference has a ``InferenceStage/total``, by which it is
  /// counted and held against the target; other stages are recorded where they are known.
  package func record(_ stage: InferenceStage, nanoseconds: UInt64) {
    let now = commons.clock.nanoseconds()
    if now / Self.sliceNanoseconds > slice.load(ordering: .relaxed) { closeSlice(at: now) }
    live[stage.index].record(nanoseconds)
    if stage == .total, nanoseconds > targetNanoseconds.load(ordering: .relaxed) {
      missed.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// Records a duration; negative values count as zero.
  public func record(_ stage: InferenceStage, _ duration: Duration) {
    record(stage, nanoseconds: duration.nanoseconds)
  }

  /// Records all stages of a classification, and their sum as the total. Embedding labels that were not met before is
  /// part of ``InferenceStage/prepare``, making their tokens of ``InferenceStage/tokenize``.
  public func record(_ times: StageTimes) {
    recordStages(times)
    record(.total, times.total)
  }

  /// Records the stages of a classification that took any time, and no total: for who measures that otherwise, waiting
  /// included, or counts requests of several classifications.
  /// - Parameters:
  ///   - times: what each stage took.
  ///   - omitted: a stage that is measured otherwise; nil for none.
  public func recordStages(_ times: StageTimes, but omitted: InferenceStage? = nil) {
    let stages: [(InferenceStage, Duration)] = [
      (.decode, times.decode), (.tokenize, times.tokenize), (.prepare, times.preprocess + times.labels),
      (.run, times.run), (.rank, times.rank),
    ]
    for (stage, time) in stages where time > .zero && stage != omitted { record(stage, time) }
  }

  /// Counts an inference that ended in an error. Its time is not recorded.
  public func recordFailure() { failures.wrappingAdd(1, ordering: .relaxed) }

  /// The target of a run; nil for none. Earlier runs are compared with the target of their time.
  public var target: Duration? {
    get {
      let target = targetNanoseconds.load(ordering: .relaxed)
      return target == .max ? nil : .nanoseconds(Int64(clamping: target))
    }
    set { targetNanoseconds.store(newValue?.nanoseconds ?? .max, ordering: .relaxed) }
  }

  /// The model's memory in bytes, set by the code that loads and unloads it; nil if unset.
  public var memoryByteCount: Int? {
    get {
      let memory = memory.load(ordering: .relaxed)
      return memory < 0 ? nil : memory
    }
    set { memory.store(newValue ?? -1, ordering: .relaxed) }
  }

  /// The model's name for people; nil for its name.
  public var displayName: String? {
    get { words.withLock { $0.displayName } }
    set { words.withLock { $0.displayName = newValue } }
  }

  /// The reason why the last load failed, set by the code that loads the model; nil if it succeeded or is unset.
  public var loadFailure: String? {
    get { words.withLock { $0.loadFailure } }
    set { words.withLock { $0.loadFailure = newValue } }
  }
}

extension LatencyRecorder {
  /// The records so far.
  func history() -> (history: RunHistory, time: UInt64) {
    let now = commons.clock.nanoseconds()
    return past.withLock { past in
      moveIntoPast(&past, at: now)
      return (past.history, now)
    }
  }

  private func closeSlice(at now: UInt64) {
    let isClosed = past.withLockIfAvailable { past in
      // Another thread may have done it meanwhile.
      guard now / Self.sliceNanoseconds > slice.load(ordering: .relaxed) else { return false }
      moveIntoPast(&past, at: now)
      return true
    }
    if isClosed == true { commons.energy.sample(at: now) }
  }

  /// Puts what was counted where it belongs, and begins anew.
  private func moveIntoPast(_ past: inout Past, at now: UInt64) {
    let number = slice.load(ordering: .relaxed)
    var counts = RunCounts()
    for stage in InferenceStage.allCases { counts[stage] = live[stage.index].take() }
    counts.missed = missed.exchange(0, ordering: .relaxed)
    counts.failures = failures.exchange(0, ordering: .relaxed)
    past.history.add(counts, at: number &* Self.sliceNanoseconds)
    slice.store(max(number, now / Self.sliceNanoseconds), ordering: .relaxed)
    judge(&past, at: now)
  }

  /// Says when another severity holds than before. Where there are too few runs to tell, it stays.
  private func judge(_ past: inout Past, at now: UInt64) {
    let target = targetNanoseconds.load(ordering: .relaxed)
    let evidence = target == .max ? nil : past.history.evidence(runs: AlertRule.leastRuns, at: now)
    if let evidence {
      let p95 = evidence.totals.quantile(0.95)
      let severity = AlertRule.severity(
        after: past.alert?.severity,
        AlertRule.Finding(compliance: evidence.compliance, relativeP95: p95 / Double(target)))
      guard severity != past.alert?.severity, let told = severity ?? past.alert?.severity else { return }
      let alert = PerformanceAlert(
        model: model, displayName: displayName, severity: told, isResolved: severity == nil,
        time: commons.clock.timeOfDay(),
        window: evidence.window, runs: evidence.totals.count, compliance: evidence.compliance,
        p95Milliseconds: p95 / 1e6, targetMilliseconds: Double(target) / 1e6)
      past.alert = alert.isResolved ? nil : alert
      commons.alerts.publish(alert)
    } else if let alert = past.alert, target == .max || past.history.isIdle(at: now) {
      past.alert = nil
      commons.alerts.publish(alert.ended(at: commons.clock.timeOfDay()))
    }
  }
}
