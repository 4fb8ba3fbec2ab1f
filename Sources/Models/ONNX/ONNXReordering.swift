import TensorCore

extension Tensor {
  /// The elements with the axes in another order, made when they are first read.
  /// - Parameter order: for each axis of the result the axis of this tensor.
  func reordered(_ order: [Int]) throws(ApusError) -> Tensor {
    let extents = order.map { self.shape[$0] }
    let strides = order.map { self.shape.strides[$0] }
    let type = TensorType(dataType, try Shape(extents))
    let (source, size) = (self, dataType.byteCount)
    let derivation = Derivation(from: [self], rule: order + extents, isTransient: true) { target in
      source.withBytes { bytes in
        switch size {
        case 1: Reordering<UInt8>(extents, strides).run(bytes, target)
        case 2: Reordering<UInt16>(extents, strides).run(bytes, target)
        case 4: Reordering<UInt32>(extents, strides).run(bytes, target)
        default: Reordering<UInt64>(extents, strides).run(bytes, target)
        }
      }
    }
    return try Tensor(type, storage: TensorStorage(byteCount: type.byteCount, derivedBy: derivation))
  }
}

/// Elements brought into row-major order.
private struct Reordering<Element: BitwiseCopyable> {
  let extents: [Int]
  /// Elements of the source from one index to the next along each axis.
  let strides: [Int]

  init(_ extents: [Int], _ strides: [Int]) { (self.extents, self.strides) = (extents, strides) }

  func run(_ source: UnsafeRawBufferPointer, _ target: UnsafeMutableRawBufferPointer) {
    guard !extents.contains(0), let from = source.baseAddress, let to = target.baseAddress else { return }
    var position = 0
    copy(0, from.assumingMemoryBound(to: Element.self), to.assumingMemoryBound(to: Element.self), &position)
  }

  private func copy(
    _ axis: Int, _ source: UnsafePointer<Element>, _ target: UnsafeMutablePointer<Element>,
    _ position: inout Int
  ) {
    guard axis + 1 < extents.count else {
      let (count, step) = (extents.last ?? 1, strides.last ?? 1)
      for index in 0..<count { target[position + index] = source[index * step] }
      position += count
      return
    }
    for index in 0..<extents[axis] { copy(axis + 1, source + index * strides[axis], target, &position) }
  }
}
