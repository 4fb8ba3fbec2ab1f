import CAllocator
import Synchronization

/// Memory of models that are gone which the allocator keeps.
final class FreedMemory: Sendable {
  /// That of the process.
  static let ofProcess = FreedMemory { apus_release_freed_memory() }

  /// Fewer bytes than these stay with the allocator, for the next model. To give memory back it goes through all that the
  /// process ever freed, with a call of the system for each free page that stops every other core.
  static let leastByteCount = 4 << 20

  private let kept = Atomic<Int>(0)
  private let trim: @Sendable () -> Void

  /// - Parameter trim: has the allocator give all of it back.
  init(trim: @escaping @Sendable () -> Void) { self.trim = trim }

  /// Gives it back to the system once enough has come together. It takes its time.
  /// - Parameters:
  ///   - byteCount: what was freed now, at least 0.
  ///   - always: whether any of it is worth it, as where memory is very short.
  func giveBack(after byteCount: Int, always: Bool) {
    let freed = min(max(0, byteCount), Self.leastByteCount)
    let all = kept.add(freed, ordering: .relaxed).newValue
    guard always || all >= Self.leastByteCount else { return }
    kept.store(0, ordering: .relaxed)
    trim()
  }
}
