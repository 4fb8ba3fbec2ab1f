import Dispatch
import Graph
import Synchronization

/// Writes packed weights to the cache on disk, behind the work that waits for results.
package enum CacheWriting {
  private static let queue = DispatchQueue(label: "apus.cache", qos: .utility)
  /// Stores that may hold weights which the cache lacks.
  private static let waiting = Mutex<[PackedWeightStore]>([])
  /// By then the first results are out, and most graphs of a model are compiled.
  private static let delay = DispatchTimeInterval.seconds(5)
  /// Fewer bytes are packed again sooner than a cache is worth its place on disk.
  private static let worthwhileByteCount = 64 << 20

  /// Has the store's weights written after a while.
  static func schedule(_ store: PackedWeightStore) {
    waiting.withLock { $0.append(store) }
    queue.asyncAfter(deadline: .now() + delay) { write() }
  }

  /// Writes what waits to be written, and waits for it: for a program that is about to end, or wants the memory of
  /// models back that it no longer has.
  /// - Parameter writes: false where memory is too short for it; what waits is given up then.
  package static func finish(writes: Bool = true) { queue.sync { write(writes) } }

  private static func write(_ writes: Bool = true) {
    let stores = waiting.withLock { stores in
      defer { stores = [] }
      return stores
    }
    for store in stores where writes && store.byteCount >= worthwhileByteCount { store.writeCache() }
  }
}
