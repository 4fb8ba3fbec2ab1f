import Formats
import TensorCore

/// The tensors of an ONNX file, over the bytes of the file or of those beside it.
struct ONNXConstants: Sendable {
  private let bytes: StoredBytes
  /// The folder that elements in other files lie in.
  private let folder: String
  private let files: ONNXExternalFiles

  init(_ bytes: StoredBytes, folder: String, files: ONNXExternalFiles) {
    (self.bytes, self.folder, self.files) = (bytes, folder, files)
  }

  /// The elements of a tensor.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for elements of a type that Apus does not have, of kind `file` or
  ///   `malformedModel` where they cannot be read.
  func tensor(_ tensor: ONNXTensor) throws(ApusError) -> Tensor {
    do throws(ApusError) {
      return try elements(of: tensor)
    } catch {
      throw error.at(tensor.label)
    }
  }

  func elements(of tensor: ONNXTensor) throws(ApusError) -> Tensor {
    guard let dataType = tensor.elementType.dataType else {
      throw ApusError(.unsupportedModel, "elements of type \(tensor.elementType.name)")
    }
    return try stored(tensor, TensorType(dataType, tensor.shape))
  }

  /// The elements as they lie in the file, of whatever type.
  func stored(_ tensor: ONNXTensor, _ type: TensorType) throws(ApusError) -> Tensor {
    let dataType = type.dataType
    switch tensor.content {
    case .listed(let listed):
      return try Tensor(type) { target in
        if dataType == .bool {
          for index in target.indices { target[index] = listed[index] == 0 ? 0 : 1 }
        } else {
          target.copyBytes(from: listed)
        }
      }
    case .stored(let range):
      return try Self.view(type, Tensor(type, storage: bytes.storage, byteOffset: range.lowerBound))
    case .external(let place):
      let file = try files.file(place.location, in: folder)
      let range = try place.range(in: file.byteCount)
      guard range.count == type.byteCount else {
        throw ApusError(
          .malformedModel, "\(range.count) bytes of '\(place.location.clipped)'",
          expected: "\(type.byteCount)")
      }
      return try Self.view(type, Tensor(type, storage: file.storage, byteOffset: range.lowerBound))
    }
  }

  /// The elements where they lie, or a copy that is made when it is first read: where their address does not fit the type, of
  /// what may be indices, and of truth values, of which every byte must be 0 or 1.
  private static func view(_ type: TensorType, _ stored: Tensor) throws(ApusError) -> Tensor {
    let isAligned = stored.byteOffset % type.dataType.byteCount == 0
    let isBool = type.dataType == .bool
    guard !isAligned || isBool || type.dataType.mayBeIndices else { return stored }
    let derivation = Derivation(from: [stored], rule: [0], isCopy: !isBool) { target in
      stored.withBytes { source in
        if isBool {
          for index in source.indices { target[index] = source[index] == 0 ? 0 : 1 }
        } else if source.count > 0 {
          target.copyMemory(from: source)
        }
      }
    }
    return try Tensor(type, storage: TensorStorage(byteCount: type.byteCount, derivedBy: derivation))
  }
}
