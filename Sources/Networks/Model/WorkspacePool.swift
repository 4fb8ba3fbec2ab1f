import Graph
import Kernels
import TensorCore

/// Memory for concurrent runs of the models that share it: each run borrows a workspace, and idle ones are kept for the
/// next, also of another model that fits into their memory. Fresh memory would cost a run of a small encoder a tenth of its
/// time, page by page.
package final class WorkspacePool: Sendable {
  private let state = Lock(State())
  /// Of the models that share it.
  let runTimes = RunTimes()
  /// More idle workspaces than runs at a time are not worth their memory.
  private let capacity: Int
  /// Idle memory that so many runs did without is given back.
  private static let runsUntilStale = 256

  private struct State {
    /// The most recently used come last.
    var idle: [Lease] = []
    /// Of all workspaces, idle and in use.
    var byteCount = 0
    var runs = 0

    /// An idle workspace of the model, or else the smallest whose memory is enough for it.
    mutating func take(for model: CompiledModel) -> Lease? {
      runs += 1
      let own = idle.lastIndex { $0.workspace.model === model }
      let fitting = idle.indices.filter { idle[$0].byteCount >= model.plan.byteCount }
      return (own ?? fitting.min { idle[$0].byteCount < idle[$1].byteCount }).map { idle.remove(at: $0) }
    }

    /// Keeps the workspace for the next run; returns those that are not kept any longer.
    mutating func put(_ lease: Lease, capacity: Int) -> [Lease] {
      idle.append(Lease(workspace: lease.workspace, lastRun: runs))
      let stale = idle.prefix { $0.lastRun < runs - WorkspacePool.runsUntilStale }.count
      return drop(max(stale, idle.count - capacity))
    }

    mutating func drop(_ count: Int) -> [Lease] {
      let dropped = Array(idle.prefix(count))
      idle.removeFirst(count)
      byteCount -= dropped.reduce(0) { $0 + $1.byteCount }
      return dropped
    }
  }

  /// A workspace in the hands of one caller at a time, which is what makes passing it on safe.
  private struct Lease: @unchecked Sendable {
    let workspace: Workspace
    /// The number of the run that gave it back.
    var lastRun = 0

    var byteCount: Int { workspace.memory.byteCount }
  }

  package init(capacity: Int = ThreadPool.shared.size) { self.capacity = capacity }

  /// Bytes of all workspaces, idle and in use.
  package var byteCount: Int { state.withLock { $0.byteCount } }

  /// Gives back those that no run has.
  package func releaseIdle() {
    // They are freed here, where no run waits for the lock.
    _ = state.withLock { state in state.drop(state.idle.count) }
  }

  /// Calls `body` with a workspace of the model that is in use by no other run.
  package func withWorkspace<Result>(
    of model: CompiledModel, _ body: (Workspace) throws(ApusError) -> Result
  ) throws(ApusError) -> Result {
    let lease = try take(for: model)
    defer { _ = state.withLock { $0.put(lease, capacity: capacity) } }
    return try body(lease.workspace)
  }

  private func take(for model: CompiledModel) throws(ApusError) -> Lease {
    guard let idle = state.withLock({ $0.take(for: model) }) else {
      let made = Lease(workspace: try model.makeWorkspace())
      state.withLock { $0.byteCount += made.byteCount }
      return made
    }
    guard idle.workspace.model !== model else { return idle }
    return Lease(workspace: model.makeWorkspace(in: idle.workspace.memory))
  }
}

/// Times of runs that were not read yet.
final class RunTimes: Sendable {
  private let times = Lock<[Duration]>([])
  /// The most times kept for a program that never reads them; the oldest are dropped.
  private static let capacity = 1024

  func add(_ time: Duration) {
    times.withLock { times in
      if times.count >= Self.capacity { times.removeFirst(Self.capacity / 2) }
      times.append(time)
    }
  }

  /// The times, in the order in which runs ended; they are asked for once.
  func take() -> [Duration] {
    times.withLock { times in
      defer { times = [] }
      return times
    }
  }
}
