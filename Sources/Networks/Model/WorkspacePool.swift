import Graph
import Synchronization
import TensorCore

/// Memory for concurrent runs of one model: each run borrows a workspace, and idle ones are kept for the next.
final class WorkspacePool: Sendable {
  private let model: CompiledModel
  private let state = Mutex(State())
  /// More idle workspaces than runs at a time are not worth their memory.
  private let capacity: Int

  private struct State {
    var idle: [Lease] = []
    var inUse = 0
  }

  /// A workspace in the hands of one caller at a time, which is what makes passing it on safe.
  private struct Lease: @unchecked Sendable {
    let workspace: Workspace
  }

  init(_ model: CompiledModel, capacity: Int) {
    self.model = model
    self.capacity = capacity
  }

  /// Workspaces that there are.
  var count: Int { state.withLock { $0.idle.count + $0.inUse } }

  /// Gives back those that no run has.
  func releaseIdle() {
    let idle = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    // They are freed here, where no run waits for the lock.
    _ = consume idle
  }

  /// Calls `body` with a workspace that nobody else uses meanwhile.
  func withWorkspace<Result>(
    _ body: (Workspace) throws(ApusError) -> Result
  ) throws(ApusError) -> Result {
    let lease = try take()
    defer {
      state.withLock { state in
        state.inUse -= 1
        if state.idle.count < capacity { state.idle.append(lease) }
      }
    }
    return try body(lease.workspace)
  }

  private func take() throws(ApusError) -> Lease {
    let free = state.withLock { state in
      let free = state.idle.popLast()
      if free != nil { state.inUse += 1 }
      return free
    }
    if let free { return free }
    let made = Lease(workspace: try model.makeWorkspace())
    state.withLock { $0.inUse += 1 }
    return made
  }
}
