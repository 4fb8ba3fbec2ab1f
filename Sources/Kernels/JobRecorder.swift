import Synchronization
import TensorCore

/// What a thread of a pool did in a job, and when, in nanoseconds since the machine started.
package struct JobPart: Sendable, Hashable {
  package enum Activity: Sendable {
    case work
    /// For the others of the job.
    case wait
  }

  /// 0 for who called the pool, else the number of the worker.
  package let thread: Int
  package let activity: Activity
  package let start: UInt64
  package let end: UInt64

  package init(thread: Int, activity: Activity, start: UInt64, end: UInt64) {
    (self.thread, self.activity, self.start, self.end) = (thread, activity, start, end)
  }
}

/// Takes down the parts of jobs while somebody wants to know them.
struct JobRecorder: ~Copyable, Sendable {
  private let flag = Atomic<Bool>(false)
  private let parts = Lock<[JobPart]>([])

  /// Asked once for each job: who has no recorder pays a load.
  var isOn: Bool { flag.load(ordering: .relaxed) }

  func begin() {
    parts.withLock { $0 = [] }
    flag.store(true, ordering: .relaxed)
  }

  func add(_ part: JobPart) { parts.withLock { $0.append(part) } }

  /// Ends the recording.
  func take() -> [JobPart] {
    flag.store(false, ordering: .relaxed)
    return parts.withLock { parts in
      defer { parts = [] }
      return parts
    }
  }
}
