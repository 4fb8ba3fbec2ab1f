import Synchronization

/// How the bytes of a storage are made from other tensors, when a tensor over them is first read: weights that a
/// file has in another form. What is never read costs only addresses.
package final class Derivation: Sendable {
  /// What the bytes are made from.
  package let sources: [Tensor]
  /// What else they depend on: of the same sources and numbers the same bytes are made.
  package let rule: [Int]

  /// Whether the bytes are those of the one source, which lie at an address that does not fit their type.
  package let isCopy: Bool

  /// Whether the bytes may be given back once they are packed, to be made again should somebody still read them: for a tensor
  /// that one operation has for itself.
  package let isTransient: Bool

  /// How some rows of a matrix are made without the others; nil where that cannot be.
  package let rows: DerivedRows?

  private let isDone = Atomic<Bool>(false)
  private let making: Mutex<(@Sendable (UnsafeMutableRawBufferPointer) -> Void)?>

  /// - Parameters:
  ///   - rows: how a row of a matrix is made by itself.
  ///   - isCopy: whether the bytes are those of the one source.
  ///   - isTransient: whether the bytes may be given back.
  ///   - make: writes the bytes, which are zero before. It is called once at most, or once after they were given back.
  package init(
    from sources: [Tensor], rule: [Int], rows: DerivedRows? = nil, isCopy: Bool = false,
    isTransient: Bool = false, _ make: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) {
    self.sources = sources
    self.rule = rule
    self.rows = rows
    self.isCopy = isCopy
    self.isTransient = isTransient
    making = Mutex(make)
  }

  /// Whether nobody has read the bytes: they take no memory so far.
  package var isPending: Bool { !isDone.load(ordering: .acquiring) }

  /// Makes the bytes if nobody has yet. Others that read them meanwhile wait.
  func fill(_ storage: TensorStorage) {
    guard isPending else { return }
    making.withLock { making in
      guard isPending, let make = making else { return }
      make(UnsafeMutableRawBufferPointer(start: storage.base, count: storage.byteCount))
      for source in sources { source.discardMappedPages() }
      if !isTransient { making = nil }
      isDone.store(true, ordering: .releasing)
    }
  }

  /// Gives the bytes of a transient tensor back, which nobody may be reading.
  func discard(_ storage: TensorStorage) {
    guard isTransient, !isPending else { return }
    making.withLock { _ in
      if storage.zeroPages() { isDone.store(false, ordering: .releasing) }
    }
  }
}
