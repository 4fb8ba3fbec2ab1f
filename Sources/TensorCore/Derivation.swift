import Synchronization

/// How the bytes of a storage are made from other tensors, when a tensor over them is first read: weights that a
/// file has in another form. What is never read costs only addresses.
package final class Derivation: Sendable {
  /// What the bytes are made from.
  package let sources: [Tensor]
  /// What else they depend on: of the same sources and numbers the same bytes are made.
  package let rule: [Int]

  private let isDone = Atomic<Bool>(false)
  private let making: Mutex<(@Sendable (UnsafeMutableRawBufferPointer) -> Void)?>

  /// - Parameter make: writes the bytes, which are zero before. It is called once at most.
  package init(
    from sources: [Tensor], rule: [Int], _ make: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) {
    self.sources = sources
    self.rule = rule
    making = Mutex(make)
  }

  /// Makes the bytes if nobody has yet. Others that read them meanwhile wait.
  func fill(_ storage: TensorStorage) {
    guard !isDone.load(ordering: .acquiring) else { return }
    making.withLock { making in
      guard let make = making else { return }
      make(UnsafeMutableRawBufferPointer(start: storage.base, count: storage.byteCount))
      for source in sources { source.discardMappedPages() }
      making = nil
      isDone.store(true, ordering: .releasing)
    }
  }
}
