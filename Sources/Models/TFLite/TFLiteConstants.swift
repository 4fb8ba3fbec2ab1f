import Formats
import TensorCore

/// The constants of a model: tensors over the bytes of its file.
struct TFLiteConstants: Sendable {
  private let file: TensorStorage

  init(_ bytes: StoredBytes) { file = bytes.storage }

  /// The elements of a tensor that has data; zeros for one without elements; nil for any other.
  func tensor(_ tensor: TFLiteTensor) throws(ApusError) -> Tensor? {
    guard let data = tensor.data else {
      guard tensor.shape.elementCount == 0 else { return nil }
      return try Tensor(tensor.requireType()) { _ in }
    }
    let type = try tensor.requireType()
    let inFile = try Tensor(type, storage: file, byteOffset: data.lowerBound)
    if type.dataType == .bool { return try normalized(inFile) }
    let isAligned = data.lowerBound % type.dataType.byteCount == 0
    return isAligned ? inFile : try copied(inFile)
  }

  private func copied(_ tensor: Tensor) throws(ApusError) -> Tensor {
    try tensor.withBytes { (source) throws(ApusError) in
      try Tensor(tensor.type) { $0.copyMemory(from: source) }
    }
  }

  /// Truth values of which every one is 0 or 1, the only bytes that Swift's `Bool` may have.
  private func normalized(_ tensor: Tensor) throws(ApusError) -> Tensor {
    try tensor.withBytes { (source) throws(ApusError) in
      try Tensor(tensor.type) { target in
        for index in source.indices { target[index] = source[index] == 0 ? 0 : 1 }
      }
    }
  }
}

extension TFLiteTensor {
  /// The type, for a tensor that has one of those Apus computes with.
  func requireType() throws(ApusError) -> TensorType {
    guard let tensorType else {
      throw ApusError(.unsupportedModel, "elements of type \(type.name)", at: label)
    }
    return tensorType
  }
}
