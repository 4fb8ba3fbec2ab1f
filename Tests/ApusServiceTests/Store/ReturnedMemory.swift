import Synchronization

/// What is to be given back to the system, in place of an allocator that does.
final class ReturnedMemory: Sendable {
  struct Piece: Equatable {
    let byteCount: Int
    let always: Bool
  }

  private let pieces = Mutex<[Piece]>([])

  /// In the order in which it was freed.
  var all: [Piece] { pieces.withLock { $0 } }

  func add(_ byteCount: Int, always: Bool) {
    pieces.withLock { $0.append(Piece(byteCount: byteCount, always: always)) }
  }
}
