import CAllocator
import Synchronization

/// What the allocator keeps of models that are gone.
enum FreedMemory {
  /// Fewer bytes than these stay with the allocator, for the next model. To give memory back it goes through all that the
  /// process ever freed, with a call of the system for each free page that stops every other core.
  static let leastByteCount = 4 << 20

  private static let kept = Atomic<Int>(0)

  /// Gives it back to the system once enough has come together. It takes its time.
  /// - Parameter byteCount: what was freed now, at least 0.
  static func giveBack(after byteCount: Int) {
    let all = kept.add(min(max(0, byteCount), leastByteCount), ordering: .relaxed).newValue
    guard all >= leastByteCount else { return }
    kept.store(0, ordering: .relaxed)
    apus_release_freed_memory()
  }
}
