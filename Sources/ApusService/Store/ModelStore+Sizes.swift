import Networks
import TensorCore

extension ModelStore {
  /// Bytes that some of its models take in memory together, as it was seen last, at most a second ago; what several share
  /// is counted once. What loads have been given is not counted.
  /// - Parameter names: what they are known by; those that the store does not know take none.
  public func byteCount(of names: some Sequence<String>) -> Int {
    let names = Set(names.map { ExactText($0) })
    return state.withLock { state in
      let counted = state.entries.values.filter { $0.isInMemory && names.contains(ExactText($0.name)) }
      return counted.reduce(ModelMemory()) { $0 + $1.memory }.total
    }
  }
}
