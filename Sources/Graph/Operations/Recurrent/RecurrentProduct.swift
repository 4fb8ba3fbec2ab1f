import Kernels
import TensorCore

/// The sums of some gates: states by the transpose of some rows of the weights.
struct RecurrentProduct: Sendable {
  private enum Form: Sendable {
    /// Weights that are known, packed for the kernels of linear layers.
    case packed(MatrixProduct)
    /// Weights as they come.
    case plain
    /// Weights of int16, by states that are brought to 8 bits.
    case integer
  }

  private let form: Form
  private let extents: RecurrenceExtents
  /// Rows of the weights.
  private let rows: Range<Int>
  private let threads: Int

  init(_ gates: Range<Int>, _ extents: RecurrenceExtents, _ context: LoweringContext) throws(ApusError) {
    let size = extents.size
    rows = (gates.lowerBound * size)..<(gates.upperBound * size)
    (self.extents, threads) = (extents, context.threads)
    guard try context.operands.input(1).dataType == .float32 else {
      form = .integer
      return
    }
    guard let weights = context.operands.constant(1) else {
      form = .plain
      return
    }
    let count = rows.count
    let first = rows.lowerBound
    let matrix = try weights.withBytes { (bytes) throws(ApusError) -> PackedMatrix in
      let part = UnsafeRawBufferPointer(rebasing: bytes[(4 * size * first)..<(4 * size * (first + count))])
      return try PackedMatrix.linear(
        [StoredColumns(part, .float32, count: count)], depth: size, bias: nil, format: .float32,
        kernels: context.kernels, threads: context.threads)
    }
    form = .packed(
      MatrixProduct(
        matrix, .float32, activation: Activation.none.kernelFunction, isRectified: false,
        kernels: context.kernels))
  }

  var name: String {
    switch form {
    case .packed(let product): product.name
    case .plain: "float32"
    case .integer: "int16"
    }
  }

  var isInteger: Bool { if case .integer = form { true } else { false } }

  /// Bytes of packed weights.
  var byteCount: Int {
    if case .packed(let product) = form { product.matrices.reduce(0) { $0 + $1.byteCount } } else { 0 }
  }

  /// Columns of the sums.
  var columns: Int { rows.count }

  var scratchByteCount: Int {
    switch form {
    case .packed(let product): product.scratchByteCount(rows: extents.batch, threads: threads)
    case .plain: 0
    case .integer: 2 * extents.batch * extents.size
    }
  }

  /// - Parameters:
  ///   - states: [batch, size].
  ///   - sums: [batch, columns].
  func multiply(
    _ states: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Float>, scratch: UnsafeMutableRawPointer,
    _ arguments: borrowing KernelArguments
  ) {
    let size = extents.size
    switch form {
    case .packed(let product):
      var block = MatrixProduct.Rows(
        count: extents.batch, address: UnsafeRawPointer(states), stride: 4 * size,
        result: UnsafeMutableRawPointer(sums), resultStride: 4 * columns)
      block.scratch = scratch
      product.multiply(block, threads: arguments.threads)
    case .plain:
      guard let weights = arguments.input(1, as: Float.self).baseAddress else { return }
      for row in 0..<extents.batch {
        for column in 0..<columns {
          let line = weights + (rows.lowerBound + column) * size
          var sum: Float = 0
          for k in 0..<size { sum += states[row * size + k] * line[k] }
          sums[row * columns + column] = sum
        }
      }
    case .integer:
      let steps = scratch.bindMemory(to: Int16.self, capacity: extents.batch * size)
      multiplyIntegers(states, steps, sums, arguments)
    }
  }

  private func multiplyIntegers(
    _ states: UnsafePointer<Float>, _ steps: UnsafeMutablePointer<Int16>, _ sums: UnsafeMutablePointer<Float>,
    _ arguments: borrowing KernelArguments
  ) {
    guard let weights = arguments.input(1, as: Int16.self).baseAddress,
      let scales = arguments.input(7, as: Float.self).baseAddress
    else { return }
    let (size, count) = (extents.size, extents.batch * extents.size)
    let quantizer = RangeQuantizer(states, count)
    for index in 0..<count { steps[index] = quantizer(states[index]) }
    for row in 0..<extents.batch {
      let state = steps + row * size
      for column in 0..<columns {
        let line = weights + (rows.lowerBound + column) * size
        var sum: Int32 = 0
        for k in 0..<size { sum &+= Int32(state[k]) &* Int32(line[k]) }
        sums[row * columns + column] = Float(sum) * (quantizer.scale * scales[rows.lowerBound + column])
      }
    }
  }
}

/// Numbers in steps of 1/255 of their range, which includes 0, by the rule of ONNX's `DynamicQuantizeLinear`.
private struct RangeQuantizer {
  let scale: Float
  private let zero: Float

  init(_ numbers: UnsafePointer<Float>, _ count: Int) {
    var (low, high) = (Float(0), Float(0))
    for index in 0..<count {
      let number = numbers[index]
      low = number < low ? number : low
      high = number > high ? number : high
    }
    let step = (high - low) / 255
    scale = step > 0 && step < .infinity ? step : 1
    zero = min(max(-low / scale, 0), 255).rounded(.toNearestOrEven)
  }

  /// The step of a number, less that of zero.
  @inline(__always)
  func callAsFunction(_ number: Float) -> Int16 {
    let step = (number / scale).rounded(.toNearestOrEven) + zero
    let limited = step > 0 ? min(step, 255) : 0
    return Int16(limited - zero)
  }
}
