import Kernels
import TensorCore
import TestSupport
import Testing

/// A linear layer with random operands, and what plain loops make of it.
struct DenseCase {
  let rows: Int
  let depth: Int
  let columns: Int
  var x: [Float]
  var weights: [Float]
  var bias: [Float]

  init(rows: Int, depth: Int, columns: Int, _ random: inout SeededRandom) {
    self.rows = rows
    self.depth = depth
    self.columns = columns
    x = random.floats(rows * depth, -2...1)
    weights = random.floats(columns * depth)
    bias = random.floats(columns)
  }

  func run(_ format: WeightFormat, _ kernels: KernelSet, threads: Int) throws -> [Float] {
    let matrix = try weights.withUnsafeBytes {
      try PackedMatrix.linear(
        [StoredColumns($0, .float32, count: columns)], depth: depth, bias: bias, format: format,
        kernels: kernels, threads: threads)
    }
    let product = MatrixProduct(matrix, format, kernels: kernels)
    let scratch = try GuardedScratch(product, rows: rows, threads: threads)
    let result = try TensorStorage(byteCount: 4 * rows * columns)
    x.withUnsafeBytes {
      guard let input = $0.baseAddress else { return }
      var block = MatrixProduct.Rows(
        count: rows, address: input, stride: 4 * depth, result: result.base, resultStride: 4 * columns)
      block.scratch = scratch.base
      product.multiply(block, threads: threads)
    }
    #expect(scratch.isIntact, "\(product.name) \(rows) x \(depth) x \(columns)")
    defer { withExtendedLifetime(result) {} }
    return Array(
      UnsafeRawBufferPointer(start: result.base, count: 4 * rows * columns).bindMemory(to: Float.self))
  }

  /// Sums in double precision.
  func sums() -> [Double] {
    var result: [Double] = []
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = Double(bias[column])
        for k in 0..<depth { sum += Double(x[row * depth + k]) * Double(weights[column * depth + k]) }
        result.append(sum)
      }
    }
    return result
  }

  /// The nearest bfloat16, halves to even.
  static func rounded(_ x: Float) -> Float {
    let bits = x.bitPattern
    return Float(bitPattern: (bits &+ 0x7fff &+ (bits >> 16 & 1)) & 0xffff_0000)
  }

  /// The product of rows and columns that are quantized to 8 bits.
  func integer8() -> [Float] {
    let columns = (0..<self.columns).map { QuantizedColumn(weights[($0 * depth)..<(($0 + 1) * depth)]) }
    return (0..<rows).flatMap { row -> [Float] in
      let row = QuantizedRow(x[(row * depth)..<((row + 1) * depth)])
      return columns.enumerated().map { index, column in
        var sum: Int32 = 0
        for (a, b) in zip(row.elements, column.elements) { sum += (a - row.zeroPoint) * b }
        return Float(sum) * (row.scale * column.scale) + bias[index]
      }
    }
  }
}

/// Elements as bytes, by the range of the row and zero.
private struct QuantizedRow {
  let scale: Float
  let zeroPoint: Int32
  let elements: [Int32]

  init(_ x: ArraySlice<Float>) {
    let low = min(0, x.min() ?? 0)
    let width = max(0, x.max() ?? 0) - low
    let inverse = 255 / width
    scale = width * (1 / 255)
    let zero = (low * -inverse).rounded(.toNearestOrEven)
    zeroPoint = Int32(zero)
    elements = x.map { Int32(max(0, min(255, $0 * inverse + zero)).rounded(.toNearestOrEven)) }
  }
}

/// Elements as signed bytes, by their largest magnitude.
private struct QuantizedColumn {
  let scale: Float
  let elements: [Int32]

  init(_ x: ArraySlice<Float>) {
    let magnitude = x.map(abs).max() ?? 0
    scale = magnitude / 127
    let inverse = 127 / magnitude
    elements = x.map { Int32(($0 * inverse).rounded(.toNearestOrEven)) }
  }
}
