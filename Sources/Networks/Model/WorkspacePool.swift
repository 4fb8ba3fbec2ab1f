import Graph
import Synchronization
import TensorCore

/// Memory for concurrent runs of one model: each run borrows a workspace, and idle ones are kept for the next.
final class WorkspacePool: Sendable {
  private let model: CompiledModel
  private let idle = Mutex<[Lease]>([])
  /// More idle workspaces than runs at a time are not worth their memory.
  private let capacity: Int

  /// A workspace in the hands of one caller at a time, which is what makes passing it on safe.
  private struct Lease: @unchecked Sendable {
    let workspace: Workspace
  }

  init(_ model: CompiledModel, capacity: Int) {
    self.model = model
    self.capacity = capacity
  }

  /// Calls `body` with a workspace that nobody else uses meanwhile.
  func withWorkspace<Result>(
    _ body: (Workspace) throws(ApusError) -> Result
  ) throws(ApusError) -> Result {
    let lease: Lease
    if let free = idle.withLock({ $0.popLast() }) {
      lease = free
    } else {
      lease = Lease(workspace: try model.makeWorkspace())
    }
    defer {
      idle.withLock { leases in
        if leases.count < capacity { leases.append(lease) }
      }
    }
    return try body(lease.workspace)
  }
}
