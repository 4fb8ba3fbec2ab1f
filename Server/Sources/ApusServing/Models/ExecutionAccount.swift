import Apus
import ApusService
import FoundationEssentials
import Synchronization

/// Takes down what the queues of a model have it do, and the stages of every item.
final class ExecutionAccount: Sendable {
  private let recorder: LatencyRecorder
  private let state = Mutex(ExecutionCounts())

  init(_ recorder: LatencyRecorder) { self.recorder = recorder }

  /// What was taken down so far.
  var counts: ExecutionCounts { state.withLock { $0 } }

  /// Takes down that items were taken from a queue.
  /// - Parameter time: how long they had waited, all together.
  func tookItems(_ count: Int, after time: Duration) {
    state.withLock {
      $0.takenItems &+= UInt64(count)
      $0.waitingNanoseconds &+= UInt64(exactly: (time / .nanoseconds(1)).rounded()) ?? 0
    }
  }

  /// Has a model do items together, and takes that down where it succeeds. Results that state their stages are recorded
  /// with those; others have the whole time for their run.
  func executing<Output>(_ work: () async throws -> [Output]) async throws -> [Output] {
    let begin = ContinuousClock.now
    let outputs = try await work()
    let time = ContinuousClock.now - begin
    guard !outputs.isEmpty else { return outputs }
    state.withLock {
      $0.items &+= UInt64(outputs.count)
      $0.executions &+= 1
      $0.lastMilliseconds = UInt64(exactly: (Date().timeIntervalSince1970 * 1000).rounded()) ?? 0
    }
    for output in outputs {
      if let timed = output as? any TimedResult {
        recorder.recordStages(timed.milliseconds)
      } else {
        recorder.record(.run, time / outputs.count)
      }
    }
    return outputs
  }

  /// The same with texts, whose tokens were made before they waited: that is taken down of those that run, too.
  func executing<Output>(
    _ texts: [ModelQueues.TokenizedText], _ work: ([Encoding]) async throws -> [Output]
  ) async throws -> [Output] {
    let outputs = try await executing { try await work(texts.map(\.encoding)) }
    for text in texts where text.time > .zero { recorder.record(.tokenize, text.time) }
    return outputs
  }
}
