import TensorCore

/// Memory for panels, in large pages.
///
/// Most matrices are smaller than a large page. By themselves they would lie in small ones, which the system hands out one
/// by one as they are first written, and which products look up again and again. So they share a chunk, which lives as long
/// as the last of them.
package final class PackedMemory: Sendable {
  package static let shared = PackedMemory()

  private static let chunkByteCount = 4 * TensorStorage.largePage

  /// The chunk that has room, if a matrix in it lives.
  private struct Current {
    weak var chunk: TensorStorage?
    var used = 0
  }

  private let current = Lock(Current())

  package init() {}

  /// Zeroed memory.
  /// - Throws: ``ApusError`` of kind `resources` when the system has none left.
  package func storage(byteCount: Int) throws(ApusError) -> TensorStorage {
    guard byteCount < TensorStorage.largePage else { return try TensorStorage(largePagesOf: byteCount) }
    let taken = TensorStorage.padded(byteCount + TensorStorage.slack)
    return try current.withLock { (current) throws(ApusError) in
      let chunk: TensorStorage
      if let open = current.chunk, current.used + taken <= Self.chunkByteCount {
        chunk = open
      } else {
        chunk = try TensorStorage(largePagesOf: Self.chunkByteCount)
        (current.chunk, current.used) = (chunk, 0)
      }
      defer { current.used += taken }
      return TensorStorage(borrowing: chunk.base + current.used, byteCount: byteCount, from: chunk)
    }
  }
}
