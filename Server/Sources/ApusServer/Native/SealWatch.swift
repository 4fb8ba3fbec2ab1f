import ApusService
import Synchronization

/// Whether the process is sealed. The kernel is asked until it says so, which takes it ten milliseconds; a seal cannot be
/// undone.
final class SealWatch: Sendable {
  private let known = Atomic<Bool>(false)

  var isSealed: Bool {
    if known.load(ordering: .relaxed) { return true }
    let isSealed = Privacy.report().isSealed
    known.store(isSealed, ordering: .relaxed)
    return isSealed
  }
}
