import TensorCore

/// The memory of one or several tensors, as a checkpoint refers to it.
struct CheckpointStorage {
  /// Its name in the file.
  let key: ExactText
  /// nil of bytes without a type.
  let type: SafetensorsType?
  /// Where it begins in what the name stands for, in bytes.
  private(set) var start = 0
  let byteCount: Int
  /// Bytes of all that the name stands for.
  private(set) var wholeByteCount: Int

  /// - Throws: ``ApusError`` of kind `malformedModel` for a number of elements that no memory holds.
  init(_ key: ExactText, _ type: SafetensorsType?, elementCount: Int) throws(ApusError) {
    let size = type.map { $0.bitCount / 8 } ?? 1
    let (byteCount, overflow) = elementCount.multipliedReportingOverflow(by: size)
    guard elementCount >= 0, !overflow else {
      throw ApusError(
        .malformedModel, "storage '\(key.clipped)' of \(elementCount) elements",
        expected: "a number that memory can hold")
    }
    (self.key, self.type, self.byteCount, wholeByteCount) = (key, type, byteCount, byteCount)
  }

  /// Bytes that an element takes.
  var elementByteCount: Int { type.map { $0.bitCount / 8 } ?? 1 }

  /// Some of its elements.
  /// - Throws: ``ApusError`` of kind `malformedModel` for those that it does not have.
  func part(from offset: Int, elementCount: Int) throws(ApusError) -> CheckpointStorage {
    var part = try CheckpointStorage(key, type, elementCount: elementCount)
    guard offset >= 0, offset <= byteCount / elementByteCount,
      part.byteCount <= byteCount - offset * elementByteCount
    else {
      throw ApusError(
        .malformedModel, "\(elementCount) elements from \(offset) of storage '\(key.clipped)'",
        expected: "ones that it has")
    }
    part.start = offset * elementByteCount
    part.wholeByteCount = wholeByteCount
    return part
  }
}

/// A tensor as PyTorch has it: a storage seen under extents and strides. Sound where it exists: all elements lie in the storage.
struct CheckpointTensor {
  let storage: CheckpointStorage
  let type: SafetensorsType
  let shape: Shape
  /// The elements between neighbours along each axis.
  let strides: [Int]
  /// Of the first element in the storage, in bytes.
  let offset: Int

  /// Dense tensors may have so many bytes more than their storage, as views that repeat elements have.
  private static let repeatedLimit = 16 << 20

  var elementByteCount: Int { type.bitCount / 8 }
  /// Bytes of the elements in dense order.
  var byteCount: Int { shape.elementCount * elementByteCount }

  /// Whether elements lie one after the other in row-major order.
  var isDense: Bool {
    zip(shape.dimensions, zip(strides, shape.strides)).allSatisfy { $0 <= 1 || $1.0 == $1.1 }
  }

  /// - Parameter offset: of the first element, in elements.
  /// - Throws: ``ApusError`` of kind `malformedModel` when an element would lie outside of the storage, or repeated ones would
  ///   take much more memory than that.
  init(
    _ storage: CheckpointStorage, _ type: SafetensorsType, offset: Int, shape: [Int], strides: [Int]
  ) throws(ApusError) {
    let label = "a tensor of shape \(shape.prefix(8)), strides \(strides.prefix(8)) and offset \(offset)"
    let size = type.bitCount / 8
    self.shape = try Shape(shape)
    guard strides.count == shape.count, offset >= 0, strides.allSatisfy({ $0 >= 0 }) else {
      throw ApusError(.malformedModel, label, expected: "a stride for each axis, and none below 0")
    }
    let isEmpty = self.shape.elementCount == 0
    guard isEmpty || Self.end(offset, shape, strides).map({ $0 <= storage.byteCount / size }) ?? false else {
      throw ApusError(
        .malformedModel, label,
        expected: "one inside of its storage, which has \(storage.byteCount / size) elements")
    }
    guard self.shape.elementCount * size <= max(storage.byteCount, Self.repeatedLimit) else {
      throw ApusError(
        .unsupportedModel, label, expected: "no more elements than its storage has",
        advice: "It repeats elements. Save a copy of it: tensor.contiguous().")
    }
    (self.storage, self.type, self.strides) = (storage, type, strides)
    self.offset = isEmpty ? 0 : offset * size
  }

  /// The element behind the last one, counted from the storage's first; nil where that is over any number.
  private static func end(_ offset: Int, _ shape: [Int], _ strides: [Int]) -> Int? {
    var end = offset
    for (extent, stride) in zip(shape, strides) {
      let (step, tooFar) = (extent - 1).multipliedReportingOverflow(by: stride)
      let (next, overflow) = end.addingReportingOverflow(step)
      guard !tooFar, !overflow else { return nil }
      end = next
    }
    return end < .max ? end + 1 : nil
  }
}
