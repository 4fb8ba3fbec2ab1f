import CLibrary
import Graph
import Kernels
import TensorCore

/// Writes packed weights to the cache on disk, behind the work that waits for results.
package enum CacheWriting {
  private struct State {
    /// Stores that may hold weights which the cache lacks.
    var waiting: [PackedWeightStore] = []
    /// The process with a thread that will write them: one that was forked since has none.
    var writer: pid_t?
  }

  private static let state = Lock(State())
  /// One at a time writes.
  private static let turn = Lock(())
  /// By then the first results are out, and most graphs of a model are compiled.
  private static let delay: UInt32 = 5
  /// Fewer bytes are packed again sooner than a cache is worth its place on disk.
  private static let worthwhileByteCount = 64 << 20

  /// Has the store's weights written after a while.
  static func schedule(_ store: PackedWeightStore) {
    let needsWriter = state.withLock { state in
      state.waiting.append(store)
      defer { state.writer = getpid() }
      return state.writer != getpid()
    }
    guard needsWriter else { return }
    let isStarted = WorkerThread.start(stackByteCount: 1 << 20) {
      sleep(delay)
      state.withLock { $0.writer = nil }
      // A process that forks meanwhile waits, so that its child finds no lock taken.
      ForkGate.enter()
      write()
      ForkGate.leave()
    }
    if !isStarted { state.withLock { $0.writer = nil } }
  }

  /// Writes what waits to be written, and waits for it: for a program that is about to end, or wants the memory of
  /// models back that it no longer has.
  /// - Parameter writes: false where memory is too short for it; what waits is given up then.
  package static func finish(writes: Bool = true) { write(writes) }

  private static func write(_ writes: Bool = true) {
    turn.withLock { _ in
      let stores = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      for store in stores where writes && store.byteCount >= worthwhileByteCount { store.writeCache() }
    }
  }
}
