import Apus
import ApusService
import FoundationEssentials
import Synchronization

/// Takes down what the queues of a model have it do, and the stages of every item.
final class ExecutionAccount: Sendable {
  private struct State {
    var counts = ExecutionCounts()
    /// By the name of the form.
    var firstRuns: [ExactText: FirstRun] = [:]
    /// The last opening that something was done by, by the name of the form.
    var opened: [ExactText: Int] = [:]
  }

  private struct FirstRun {
    /// The number of the opening.
    let load: Int
    let milliseconds: Double
  }

  private let recorder: LatencyRecorder
  private let state = Mutex(State())

  init(_ recorder: LatencyRecorder) { self.recorder = recorder }

  /// What was taken down so far.
  var counts: ExecutionCounts { state.withLock { $0.counts } }

  /// How long the first run of a form took after it was opened so, in milliseconds; nil where it has not run since.
  func firstRunMilliseconds(of load: FormLoad) -> Double? {
    let run = state.withLock { $0.firstRuns[load.form] }
    return run?.load == load.number ? run?.milliseconds : nil
  }

  /// Takes down that items were taken from a queue.
  /// - Parameter time: how long they had waited, all together.
  func tookItems(_ count: Int, after time: Duration) {
    state.withLock {
      $0.counts.takenItems &+= UInt64(count)
      $0.counts.waitingNanoseconds &+= UInt64(exactly: (time / .nanoseconds(1)).rounded()) ?? 0
    }
  }

  /// Has a model do items together, and takes that down where it succeeds: each run of its networks with its time, however
  /// many items it was for, and the other stages of results that state them.
  /// - Parameters:
  ///   - load: what the model came of, whose first run is taken down by itself.
  ///   - times: those of runs of the model's networks since it was last called.
  func executing<Output>(
    by load: FormLoad, times: () -> [Duration], _ work: () async throws -> [Output]
  ) async throws -> [Output] {
    forgetRunsOfOpening(load, times)
    let outputs = try await work()
    guard !outputs.isEmpty else { return outputs }
    let runs = times()
    state.withLock {
      $0.counts.items &+= UInt64(outputs.count)
      $0.counts.executions &+= UInt64(runs.count)
      guard let first = runs.first else { return }
      $0.counts.lastMilliseconds = UInt64(exactly: (Date().timeIntervalSince1970 * 1000).rounded()) ?? 0
      // Runs of a model that was opened before may end after the first of the one in its place.
      if $0.firstRuns[load.form]?.load ?? 0 < load.number {
        $0.firstRuns[load.form] = FirstRun(load: load.number, milliseconds: first / .milliseconds(1))
      }
    }
    for run in runs { recorder.record(.run, run) }
    for case let timed as any TimedResult in outputs {
      recorder.recordStages(timed.times, but: .run)
    }
    return outputs
  }

  /// Labels were embedded as the model was opened, which is part of that.
  private func forgetRunsOfOpening(_ load: FormLoad, _ times: () -> [Duration]) {
    state.withLock { state in
      guard state.opened[load.form] ?? 0 < load.number else { return }
      state.opened[load.form] = load.number
      _ = times()
    }
  }

  /// Takes down how long the tokens of texts that ran took, which were made before they waited.
  func tookTokens(of texts: [TokenizedText]) {
    for text in texts where text.time > .zero { recorder.record(.tokenize, text.time) }
  }
}
