import TensorCore

/// The matrices of a model that are in memory in another form than the file has, for as long as anybody uses them: graphs
/// of the same model share them.
final class DerivedStorages: Sendable {
  private struct Entry {
    weak var storage: TensorStorage?
  }

  private let entries = Lock<[ExactText: Entry]>([:])

  /// The tensor of that key, over the storage that others use; a new one where nobody does.
  /// - Parameters:
  ///   - sources: what the elements are made from.
  ///   - rule: what else they depend on.
  ///   - rows: how a row is made by itself.
  ///   - make: writes the elements, once they are read.
  /// - Throws: ``ApusError`` of kind `resources` when there is no memory.
  func tensor(
    _ key: String, _ type: TensorType, from sources: [Tensor], rule: [Int], rows: DerivedRows,
    _ make: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) throws(ApusError) -> Tensor {
    let key = ExactText(key)
    let known = entries.withLock { $0[key]?.storage }
    if let known { return try Tensor(type, storage: known) }
    let derivation = Derivation(from: sources, rule: rule, rows: rows, make)
    let storage = try TensorStorage(byteCount: type.byteCount, derivedBy: derivation)
    entries.withLock { $0[key] = Entry(storage: storage) }
    return try Tensor(type, storage: storage)
  }
}
