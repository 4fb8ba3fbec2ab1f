import TensorCore

/// A file with tensors by name, which are read where they lie.
package protocol TensorFile: Sendable {
  var path: String { get }
  /// Which file it was when it was mapped; nil of one in memory.
  var version: FileVersion? { get }
  /// What it says of itself.
  var metadata: [ExactText: String] { get }
  /// What is known of all tensors without reading them.
  var entries: [SafetensorsEntry] { get }

  /// What is known of a tensor; nil when the file has none of that name.
  subscript(name: String) -> SafetensorsEntry? { get }

  /// - Throws: ``ApusError`` when the file has no such tensor, or one of a type that Apus does not read.
  func tensor(_ name: String) throws(ApusError) -> Tensor

  /// - Throws: ``ApusError`` of kind `file` when the file shrank while it was being read, so that tensors read since it was
  ///   opened may hold zeros.
  func checkUndamaged() throws(ApusError)
}

extension Tensor {
  /// A tensor that lies in a file: its bytes themselves; a copy of them where they are misaligned for their type, or none of
  /// a truth value.
  static func stored(
    _ type: TensorType, in storage: TensorStorage, at start: Int
  ) throws(ApusError) -> Tensor {
    let stored = try Tensor(type, storage: storage, byteOffset: start)
    if type.dataType == .bool { return try normalizedBool(stored) }
    return start % type.dataType.byteCount == 0 ? stored : try copy(stored)
  }

  private static func copy(_ tensor: Tensor) throws(ApusError) -> Tensor {
    unsafe try Tensor(tensor.type) { target in
      unsafe tensor.withBytes { source in unsafe target.copyMemory(from: source) }
    }
  }

  /// The tensor itself, or a copy with 1 for all bytes but 0: bytes over 1 are no value of Swift's Bool.
  private static func normalizedBool(_ tensor: Tensor) throws(ApusError) -> Tensor {
    let isSound = unsafe tensor.withBytes { source in unsafe source.allSatisfy { $0 <= 1 } }
    guard !isSound else { return tensor }
    return unsafe try Tensor(tensor.type) { target in
      unsafe tensor.withBytes { source in
        for index in source.indices { unsafe target[index] = source[index] == 0 ? 0 : 1 }
      }
    }
  }
}
