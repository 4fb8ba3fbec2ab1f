import TensorCore

/// Writes out a packed matrix, a row at a time.
struct PackedMatrixReader: Sendable {
  private let form: PackedForm
  private let rows: Int
  private let columns: Int
  /// Packed integers, scales, and zero points where there are any; of the shapes that the form has.
  private let sources: [Tensor]

  init(_ form: PackedForm, rows: Int, columns: Int, _ sources: [Tensor]) {
    self.form = form
    self.rows = rows
    self.columns = columns
    self.sources = sources
  }

  /// All that the elements depend on beside the sources.
  var rule: [Int] { [form.bits, form.columnsOfScale(columns), rows, columns] }

  /// The integers, as int8.
  func writeIntegers(_ target: UnsafeMutableRawBufferPointer) {
    guard !target.isEmpty else { return }
    let target = target.bindMemory(to: Int8.self)
    sources[0].withBytes { packed in
      for row in 0..<rows {
        unpack(
          row, packed, UnsafeMutableBufferPointer(rebasing: target[(row * columns)..<((row + 1) * columns)]))
      }
    }
  }

  /// The weights, in the type of the scales.
  func writeWeights(_ target: UnsafeMutableRawBufferPointer) {
    guard !target.isEmpty else { return }
    let type = sources[1].dataType, scales = ScaleReader(form, columns: columns, sources)
    withUnsafeTemporaryAllocation(of: Int8.self, capacity: columns) { integers in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: columns) { weights in
        sources[0].withBytes { packed in
          for row in 0..<rows {
            unpack(row, packed, integers)
            scale(UnsafeBufferPointer(integers), weights, row, scales)
            let place = target.baseAddress.map { $0 + row * columns * type.byteCount }
            store(UnsafeBufferPointer(weights), as: type, place)
          }
        }
      }
    }
  }

  private func unpack(
    _ row: Int, _ packed: UnsafeRawBufferPointer, _ integers: UnsafeMutableBufferPointer<Int8>
  ) {
    guard let base = packed.baseAddress else { return }
    let start = base + 4 * row * form.words(columns)
    PackedIntegers(bits: form.bits).unpack(start.assumingMemoryBound(to: UInt8.self), integers)
  }

  private func scale(
    _ integers: UnsafeBufferPointer<Int8>, _ weights: UnsafeMutableBufferPointer<Float>, _ row: Int,
    _ scales: ScaleReader
  ) {
    let size = form.columnsOfScale(columns)
    guard size > 0, let target = weights.baseAddress else { return }
    for (group, first) in stride(from: 0, to: columns, by: size).enumerated() {
      let part = UnsafeBufferPointer(rebasing: integers[first..<min(first + size, columns)])
      let (scale, zero) = scales[row, group]
      PackedIntegers.scale(part, zero: zero, by: scale, target + first)
    }
  }

  private func store(
    _ weights: UnsafeBufferPointer<Float>, as type: DataType, _ target: UnsafeMutableRawPointer?
  ) {
    guard let target, let source = weights.baseAddress else { return }
    switch type {
    case .float16: PackedIntegers.roundToFloat16(weights, target.assumingMemoryBound(to: UInt16.self))
    case .bfloat16: PackedIntegers.roundToBFloat16(weights, target.assumingMemoryBound(to: UInt16.self))
    default: target.copyMemory(from: source, byteCount: 4 * weights.count)
    }
  }
}

/// Scales and zero points of a packed matrix as float32.
private struct ScaleReader {
  private let scales: [Float]
  private let zeros: [Int32]
  private let packing: PackedIntegers
  private let groups: Int
  private let isOne: Bool

  init(_ form: PackedForm, columns: Int, _ sources: [Tensor]) {
    let size = form.columnsOfScale(columns)
    packing = PackedIntegers(bits: form.bits)
    groups = size == 0 ? 0 : columns / size + (columns % size == 0 ? 0 : 1)
    isOne = form.span == .matrix
    scales = (try? sources[1].floats()) ?? []
    zeros = sources.count > 2 ? (try? sources[2].elements()) ?? [] : []
  }

  subscript(row: Int, group: Int) -> (scale: Float, zero: Float) {
    let scale = scales[isOne ? 0 : row * groups + group]
    guard !zeros.isEmpty else { return (scale, 0) }
    let word = zeros[row / (32 / packing.bits) * groups + group]
    return (scale, Float(packing.integer(row, in: word)))
  }
}
