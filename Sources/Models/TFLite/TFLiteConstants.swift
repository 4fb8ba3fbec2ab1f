import Formats
import TensorCore

/// The constants of a model, for one graph: tensors over the bytes of its file, and dense ones in place of sparse.
final class TFLiteConstants {
  private let file: TensorStorage
  private let storages: TFLiteDenseStorages
  /// The sparse tensors that the graph has already, so that each counts once however often it is read.
  private var dense: [TFLiteDenseStorages.Key: Tensor] = [:]
  /// Bytes that sparse tensors may still take.
  private var left: Int

  /// - Parameter storages: where graphs of the same model have their dense tensors.
  init(_ bytes: StoredBytes, sharing storages: TFLiteDenseStorages) {
    file = bytes.storage
    self.storages = storages
    left = Self.denseLimit(fileByteCount: file.byteCount)
  }

  /// Bytes that the sparse tensors of a graph may take once they are dense, so that a tiny file cannot make huge ones:
  /// 256 MiB, or 16 times the file, which has 6 bytes for each float32 of a matrix where one in ten is not zero.
  static func denseLimit(fileByteCount: Int) -> Int { max(256 << 20, 16 * fileByteCount) }

  /// The elements of a tensor that has data; zeros for one without elements; nil for any other.
  /// - Parameter subgraph: the index of the one that the tensor is in.
  func tensor(_ tensor: TFLiteTensor, of subgraph: Int) throws(ApusError) -> Tensor? {
    guard let data = tensor.data else {
      guard tensor.shape.elementCount == 0 else { return nil }
      return try Tensor(tensor.requireType()) { _ in }
    }
    let type = try tensor.requireType()
    if let sparsity = tensor.sparsity {
      return try densified(
        tensor, type, data, sparsity, TFLiteDenseStorages.Key(subgraph: subgraph, tensor: tensor.index))
    }
    let inFile = try Tensor(type, storage: file, byteOffset: data.lowerBound)
    if type.dataType == .bool { return try normalized(inFile) }
    let isAligned = data.lowerBound % type.dataType.byteCount == 0
    return isAligned && !type.dataType.mayBeIndices ? inFile : try copied(inFile)
  }

  private func densified(
    _ tensor: TFLiteTensor, _ type: TensorType, _ data: Range<Int>, _ sparsity: TFLiteSparsity,
    _ key: TFLiteDenseStorages.Key
  ) throws(ApusError) -> Tensor {
    if let known = dense[key] { return known }
    guard TFLiteTensor.densifiedTypes.contains(tensor.type) else {
      throw ApusError(
        .unsupportedModel, "values of \(tensor.type.name) in a sparse encoding", at: tensor.label)
    }
    guard type.byteCount <= left else {
      throw ApusError(
        .unsupportedModel, "a sparse tensor of \(type.byteCount) bytes once it is dense",
        expected: "at most \(left), what is left of \(Self.denseLimit(fileByteCount: file.byteCount))",
        at: tensor.label, advice: TFLiteSparsity.advice)
    }
    let source = UnsafeRawPointer(file.base + data.lowerBound)
    let elements = try storages.tensor(key, type) { bytes in
      guard let target = bytes.baseAddress else { return }
      switch type.dataType.byteCount {
      case 1: TFLiteDensification<UInt8>.run(sparsity, from: source, to: target)
      case 2: TFLiteDensification<UInt16>.run(sparsity, from: source, to: target)
      default: TFLiteDensification<UInt32>.run(sparsity, from: source, to: target)
      }
    }
    left -= type.byteCount
    dense[key] = elements
    return elements
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
