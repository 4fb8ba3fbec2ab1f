import Apus
import Networks
import TensorCore

/// Models that only the store held, on their way out of memory. Passing this on does not keep them.
final class Departures: Sendable {
  /// The models' names.
  let names: [String]
  /// Their memory, in bytes.
  let byteCount: Int
  private let models: Lock<[any InferenceModel]>

  init(_ models: [(name: String, model: any InferenceModel, byteCount: Int)]) {
    names = models.map(\.name)
    byteCount = models.reduce(0) { $0 + $1.byteCount }
    self.models = Lock(models.map(\.model))
  }

  /// Models without any user.
  init(gone names: [String], byteCount: Int) {
    (self.names, self.byteCount) = (names, byteCount)
    models = Lock([])
  }

  var isEmpty: Bool { names.isEmpty }

  /// Frees the models. It takes its time.
  /// - Parameters:
  ///   - writesCache: whether weights that were packed lately are written to the cache first, so that they need not be
  ///     packed again; else they are given up.
  ///   - giveBack: gives back to the system what the allocator keeps of so many bytes.
  /// - Returns: what the process had in memory before and after, in bytes.
  func release(writesCache: Bool, giveBack: (Int) -> Void) -> (before: Int, after: Int) {
    let before = Self.residentByteCount
    models.withLock { $0 = [] }
    CacheWriting.finish(writes: writesCache)
    giveBack(byteCount)
    return (before, Self.residentByteCount)
  }

  private static var residentByteCount: Int { ProcessMemory.current?.resident ?? 0 }
}
