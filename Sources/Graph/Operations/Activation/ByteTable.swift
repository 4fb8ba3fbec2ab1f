import Kernels
import TensorCore

/// A function of one 8-bit operand with an 8-bit result, as a table of its 256 values.
struct ByteTable: Sendable {
  /// Bytes that are worth a chunk of their own: 1 to 10 µs.
  private static let grain = 1 << 15

  /// The results' bit patterns, by the operand's.
  private let values: [UInt8]
  private let resultIsSigned: Bool

  /// The bits that distinguish every result from its operand, when they are the same for all.
  var flippedBits: UInt8? {
    let mask = values[0]
    return values.indices.allSatisfy { values[$0] == UInt8(truncatingIfNeeded: $0) ^ mask } ? mask : nil
  }

  /// - Parameter patterns: the bits of the 256 results.
  init(patterns: [UInt8]) {
    values = patterns
    resultIsSigned = false
  }

  /// - Parameters:
  ///   - type: the operand's type, int8 or uint8.
  ///   - result: the result's type, int8 or uint8; the operand's unless it is stated.
  ///   - function: the stored result of a stored operand; a result outside of the type is clamped.
  init(_ type: DataType, result: DataType? = nil, _ function: (Int32) -> Int32) {
    let range = (result ?? type).quantizedRange ?? 0...255
    resultIsSigned = range.lowerBound < 0
    values = (0..<256).map { pattern in
      let stored = type == .int8 ? Int32(Int8(truncatingIfNeeded: pattern)) : Int32(pattern)
      return UInt8(truncatingIfNeeded: max(min(range.upperBound, function(stored)), range.lowerBound))
    }
  }

  /// A real function between two quantized types, computed in single precision and rounded to nearest,
  /// halves away from zero; NaN is stored as 0.
  init(_ input: TensorType, _ result: TensorType, real function: (Float) -> Float) throws(ApusError) {
    let from = try input.uniformQuantization("the input")
    let to = try result.uniformQuantization("the result")
    let inverse = 1 / to.scale
    self.init(input.dataType) { stored in
      let value = function(from.scale * Float(stored - from.zeroPoint))
      let steps = (value * inverse).rounded(.toNearestOrAwayFromZero)
      let stored = steps + Float(to.zeroPoint)
      return stored.isNaN ? 0 : Int32(min(max(stored, -32768), 32767))
    }
  }

  /// The stored result of a stored operand.
  func stored(_ operand: Int32) -> Int32 {
    let pattern = values[Int(UInt8(truncatingIfNeeded: operand))]
    return resultIsSigned ? Int32(Int8(bitPattern: pattern)) : Int32(pattern)
  }

  /// The body of a node that applies the table to operand 0.
  func body(_ kernels: KernelSet) -> Lowering.Body {
    let values = values
    let map = kernels.integer.mapBytes
    return { arguments in
      guard let source = arguments.inputAddress(0) else { return }
      let target = arguments.outputAddress(0)
      values.withUnsafeBytes { table in
        guard let table = table.baseAddress else { return }
        arguments.parallel(arguments.outputCounts[0], grain: Self.grain) {
          map(table, source + $0.lowerBound, target + $0.lowerBound, $0.count)
        }
      }
    }
  }
}
