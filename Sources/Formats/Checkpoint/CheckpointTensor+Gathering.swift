import TensorCore

extension CheckpointTensor {
  /// The elements in dense order, of a tensor that has them in another.
  /// - Parameter start: of the first element, in the bytes of the file.
  func gathered(_ type: TensorType, from bytes: StoredBytes, at start: Int) throws(ApusError) -> Tensor {
    let dense = unsafe try Tensor(type) { target in
      switch elementByteCount {
      case 1: unsafe gather(into: target, as: UInt8.self, bytes, start)
      case 2: unsafe gather(into: target, as: UInt16.self, bytes, start)
      case 4: unsafe gather(into: target, as: UInt32.self, bytes, start)
      default: unsafe gather(into: target, as: UInt64.self, bytes, start)
      }
    }
    return type.dataType == .bool ? try .stored(type, in: dense.storage, at: 0) : dense
  }

  private func gather<Element: FixedWidthInteger & BitwiseCopyable>(
    into target: UnsafeMutableRawBufferPointer, as _: Element.Type, _ bytes: StoredBytes, _ start: Int
  ) {
    let size = MemoryLayout<Element>.size
    guard let extent = shape.dimensions.last, let step = strides.last, shape.elementCount > 0 else { return }
    var counters = [Int](repeating: 0, count: shape.rank - 1)
    var (source, place) = (start, 0)
    while true {
      for column in 0..<extent {
        let element: Element = bytes.integer(at: source + column * step * size)
        unsafe target.storeBytes(of: element, toByteOffset: place, as: Element.self)
        place += size
      }
      guard let axis = counters.indices.last(where: { counters[$0] + 1 < shape[$0] }) else { return }
      for inner in counters.indices where inner > axis {
        source -= counters[inner] * strides[inner] * size
        counters[inner] = 0
      }
      counters[axis] += 1
      source += strides[axis] * size
    }
  }
}
