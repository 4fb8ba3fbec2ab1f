import TensorCore

/// The sparse tensors of a model that are dense in memory, for as long as anybody uses them: graphs of the same model share
/// them.
final class TFLiteDenseStorages: Sendable {
  /// Which tensor of the model.
  struct Key: Hashable {
    let subgraph: Int
    let tensor: Int
  }

  private struct Entry {
    weak var storage: TensorStorage?
  }

  private let entries = Lock<[Key: Entry]>([:])

  /// The tensor of that key, over the storage that others use; a new one where nobody does.
  /// - Parameter make: writes the elements over zeros.
  /// - Throws: ``ApusError`` of kind `resources` when there is no memory.
  func tensor(
    _ key: Key, _ type: TensorType, _ make: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(ApusError) -> Tensor {
    let known = entries.withLock { $0[key]?.storage }
    if let known { return try Tensor(type, storage: known) }
    let tensor = try Tensor(type, filledBy: make)
    let storage = tensor.storage
    let first = entries.withLock { entries in
      // Whoever made it meanwhile was there before.
      if let first = entries[key]?.storage { return first }
      entries[key] = Entry(storage: storage)
      return storage
    }
    return first === storage ? tensor : try Tensor(type, storage: first)
  }
}
