import Kernels
import TensorCore
import TestSupport

/// Random columns in a type that models store, at an odd address, with not a byte behind them.
final class StoredPart {
  let columns: StoredColumns
  /// What the elements stand for.
  let values: [Float]
  /// The scale of each column; 1 for floats.
  let scales: [Float]
  private let memory: UnsafeMutableRawBufferPointer

  /// - Parameter isOfEveryKind: whether numbers that are not finite, or not normal, are among the elements.
  init(
    _ type: DataType, columns count: Int, depth: Int, isOfEveryKind: Bool = false,
    _ random: inout SeededRandom
  ) {
    let size = count * depth * type.byteCount
    // Some types are misaligned by one byte, which the loader never does, and the kernels allow.
    memory = .allocate(byteCount: size + 1, alignment: 64)
    let bytes = UnsafeMutableRawBufferPointer(rebasing: memory[1...])
    let scales = type == .int8 ? random.floats(count, 0.01...0.1) : Array(repeating: 1, count: count)
    var values = random.floats(count * depth)
    if isOfEveryKind {
      for index in values.indices where Int.random(in: 0..<40, using: &random) == 0 {
        values[index] =
          [Float.infinity, -.infinity, .leastNormalMagnitude / 8, -3e-7, -0.0].randomElement(using: &random)
          ?? 0
      }
    }
    for index in values.indices {
      let offset = index * type.byteCount
      switch type {
      case .float16:
        let half = Float16(values[index])
        bytes.storeBytes(of: half, toByteOffset: offset, as: Float16.self)
        values[index] = Float(half)
      case .bfloat16:
        values[index] = DenseCase.rounded(values[index])
        let upper = UInt16(truncatingIfNeeded: values[index].bitPattern >> 16)
        bytes.storeBytes(of: upper, toByteOffset: offset, as: UInt16.self)
      case .int8:
        let byte = Int8.random(in: -128...127, using: &random)
        bytes.storeBytes(of: byte, toByteOffset: offset, as: Int8.self)
        values[index] = Float(byte) * scales[index / depth]
      default: bytes.storeBytes(of: values[index], toByteOffset: offset, as: Float.self)
      }
    }
    self.scales = scales
    self.values = values
    self.columns = StoredColumns(
      UnsafeRawBufferPointer(bytes), type, count: count, scales: type == .int8 ? scales : [])
  }

  deinit { memory.deallocate() }
}

/// The columns of a part stored row by row, at an odd address, with not a byte behind them.
final class StoredRows {
  let columns: StoredColumns
  private let memory: UnsafeMutableRawBufferPointer

  init(_ part: StoredPart, depth: Int) {
    let (count, size) = (part.columns.count, part.columns.dataType.byteCount)
    memory = .allocate(byteCount: count * depth * size + 1, alignment: 64)
    let bytes = UnsafeMutableRawBufferPointer(rebasing: memory[1...])
    for column in 0..<count {
      for k in 0..<depth {
        let (from, to) = ((column * depth + k) * size, (k * count + column) * size)
        for byte in 0..<size { bytes[to + byte] = part.columns.bytes[from + byte] }
      }
    }
    columns = StoredColumns(
      UnsafeRawBufferPointer(bytes), part.columns.dataType, count: count, .byRows, scales: part.columns.scales
    )
  }

  deinit { memory.deallocate() }
}
