import TensorCore

/// Writes out a packed matrix, or rows of it: its integers as int8, or its weights in the type of its scales.
struct PackedMatrixReader: Sendable {
  private let form: PackedForm
  private let rows: Int
  private let columns: Int
  /// Packed integers, scales, and zero points where there are any; of the shapes that the form has.
  private let sources: [Tensor]
  private let type: DataType

  /// - Parameter type: int8, or the type of the scales.
  init(_ form: PackedForm, rows: Int, columns: Int, _ sources: [Tensor], as type: DataType) {
    self.form = form
    self.rows = rows
    self.columns = columns
    self.sources = sources
    self.type = type
  }

  /// All that the elements depend on beside the sources and their own type.
  var rule: [Int] { [form.bits, form.columnsOfScale(columns), rows, columns] }

  /// A row by itself.
  var derivedRows: DerivedRows {
    DerivedRows(scratchByteCount: scratchByteCount) { row, target, scratch in
      sources[0].withBytes { packed in write(row, of: packed, target, scratch) }
    }
  }

  /// Writes all rows.
  func write(_ target: UnsafeMutableRawBufferPointer) {
    guard let base = target.baseAddress, rows > 0, columns > 0 else { return }
    let alignment = TensorStorage.alignment, stride = columns * type.byteCount
    withUnsafeTemporaryAllocation(byteCount: scratchByteCount, alignment: alignment) { scratch in
      guard let scratch = scratch.baseAddress else { return }
      sources[0].withBytes { packed in
        for row in 0..<rows { write(row, of: packed, base + row * stride, scratch) }
      }
    }
  }

  /// Float32 weights of a row, and its integers.
  private var scratchByteCount: Int { type == .int8 ? 0 : 5 * columns }

  private func write(
    _ row: Int, of packed: UnsafeRawBufferPointer, _ target: UnsafeMutableRawPointer,
    _ scratch: UnsafeMutableRawPointer
  ) {
    guard let base = packed.baseAddress else { return }
    let words = (base + 4 * row * form.words(columns)).assumingMemoryBound(to: UInt8.self)
    let place = type == .int8 ? target : scratch + 4 * columns
    let integers = UnsafeMutableBufferPointer(start: place.assumingMemoryBound(to: Int8.self), count: columns)
    PackedIntegers(bits: form.bits).unpack(words, integers)
    guard type != .int8 else { return }
    let weights = UnsafeMutableBufferPointer(
      start: scratch.assumingMemoryBound(to: Float.self), count: columns)
    scale(row, UnsafeBufferPointer(integers), weights)
    store(UnsafeBufferPointer(weights), target)
  }

  private func scale(
    _ row: Int, _ integers: UnsafeBufferPointer<Int8>, _ weights: UnsafeMutableBufferPointer<Float>
  ) {
    let size = form.columnsOfScale(columns)
    guard size > 0, let target = weights.baseAddress else { return }
    let groups = (columns - 1) / size + 1
    for group in 0..<groups {
      let first = group * size
      let part = UnsafeBufferPointer(rebasing: integers[first..<min(first + size, columns)])
      let index = form.span == .matrix ? 0 : row * groups + group
      let zero = zeroPoint(row, group, of: groups)
      PackedIntegers.scale(part, zero: zero, by: scale(index), target + first)
    }
  }

  private func scale(_ index: Int) -> Float {
    sources[1].withBytes { bytes in
      switch type {
      case .float16: Float(bytes.loadUnaligned(fromByteOffset: 2 * index, as: Float16.self))
      case .bfloat16: Float(bytes.loadUnaligned(fromByteOffset: 2 * index, as: BFloat16.self))
      default: bytes.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
      }
    }
  }

  private func zeroPoint(_ row: Int, _ group: Int, of groups: Int) -> Float {
    guard sources.count > 2 else { return 0 }
    let offset = 4 * (row / (32 / form.bits) * groups + group)
    let word = sources[2].withBytes { $0.loadUnaligned(fromByteOffset: offset, as: Int32.self) }
    return Float(PackedIntegers(bits: form.bits).integer(row, in: word))
  }

  private func store(_ weights: UnsafeBufferPointer<Float>, _ target: UnsafeMutableRawPointer) {
    guard let source = weights.baseAddress else { return }
    switch type {
    case .float16: PackedIntegers.roundToFloat16(weights, target.assumingMemoryBound(to: UInt16.self))
    case .bfloat16:
      let target = target.assumingMemoryBound(to: BFloat16.self)
      for index in weights.indices { target[index] = BFloat16(weights[index]) }
    default: target.copyMemory(from: source, byteCount: 4 * weights.count)
    }
  }
}
