import CIntrinsics

/// How the sums of one vector of columns become 8-bit results, its constants in registers.
protocol Requantizer {
  init(_ table: UnsafeRawPointer, _ range: QuantumRange)
  /// Stores as many results as there are elements left, at most a vector.
  mutating func store(_ sum: Int32Vector, to address: UnsafeMutableRawPointer, _ valid: Int)
  /// Whether a result that was stored may not be what `FixedPointRequantizer` stores.
  var isInDoubt: Bool { get }
}

extension Requantizer {
  @inline(__always) var isInDoubt: Bool { false }
}

/// The results that there can be.
struct QuantumRange {
  let low: Int32
  let high: Int32
}

/// Bytes of the table of one vector of columns, as `RequantizationTable` writes it.
@inline(__always) var requantizationTableBytes: Int { 48 &* lanes }

/// Bytes of the part of it that fixed-point multiplications take.
@inline(__always) var fixedPointTableBytes: Int { 36 &* lanes }

/// Whether a table holds lines, which no multiplier can be mistaken for: none has a shift of 0.
@inline(__always)
func isLine(_ table: UnsafeRawPointer) -> Bool {
  table.loadUnaligned(fromByteOffset: 4 &* vectorBytes, as: Int64.self) == 0
}

/// By a line through float32, where it was found to round as the fixed-point multiplication does. Results have the
/// whole range of their type.
struct LineRequantizer: Requantizer {
  let slope: FloatVector
  let offset: FloatVector
  /// Brings results that count from -128 to those that count from 0.
  let flip: UInt8

  @inline(__always)
  init(_ table: UnsafeRawPointer, _ range: QuantumRange) {
    self.init(slope: table.vector(), offset: table.vector(vectorBytes), flip: range.low == 0 ? 0x80 : 0)
  }

  @inline(__always)
  init(slope: FloatVector, offset: FloatVector, flip: UInt8 = 0) {
    self.slope = slope
    self.offset = offset
    self.flip = flip
  }

  /// Before it is limited to a byte.
  @inline(__always)
  func result(_ sum: Int32Vector) -> Int32Vector {
    apus_nearest_i32(apus_fma(offset, apus_to_f32(sum), slope))
  }

  @inline(__always)
  func store(_ sum: Int32Vector, to address: UnsafeMutableRawPointer, _ valid: Int) {
    if valid > 0 { apus_store_saturated(address, result(sum), flip, valid) }
  }
}

/// By a line through float32 below the exact one and another above it, by more than float32 loses: where both round to the
/// same, that is the result; else it is in doubt, and found by the fixed-point multiplication. Results have the whole range of
/// their type.
struct CheckedLineRequantizer: Requantizer {
  private let slope: FloatVector
  /// Of the lower line, from a sum of zero on and for sums below, which are rounded otherwise.
  private let offset: FloatVector
  private let offsetBelow: FloatVector
  /// Bits that the two results ever had different.
  private var differences = Int32Vector(repeating: 0)
  private let flip: UInt8

  @inline(__always)
  init(_ table: UnsafeRawPointer, _ range: QuantumRange) {
    let lines = table + fixedPointTableBytes
    slope = lines.vector()
    offset = lines.vector(vectorBytes)
    offsetBelow = lines.vector(2 &* vectorBytes)
    flip = range.low == 0 ? 0x80 : 0
  }

  @inline(__always)
  mutating func store(_ sum: Int32Vector, to address: UnsafeMutableRawPointer, _ valid: Int) {
    guard valid > 0 else { return }
    let low = apus_fma(apus_select_negative(sum, offsetBelow, offset), apus_to_f32(sum), slope)
    let result = apus_nearest_i32(low)
    differences |= result ^ apus_nearest_i32(low + FloatVector(repeating: APUS_CHECKED_LINE_WIDTH))
    apus_store_saturated(address, result, flip, valid)
  }

  @inline(__always) var isInDoubt: Bool { apus_any(differences) != 0 }
}

/// By TFLite's fixed-point multiplication itself.
struct FixedPointRequantizer: Requantizer {
  let multiplier: Int32Vector
  let multiplierOdd: Int32Vector
  let offset: Int32Vector
  let addendEven: Int64Vector
  let shiftEven: Int64Vector
  let negativeEven: Int64Vector
  let addendOdd: Int64Vector
  let shiftOdd: Int64Vector
  let negativeOdd: Int64Vector
  let low: Int32Vector
  let high: Int32Vector

  @inline(__always)
  init(_ table: UnsafeRawPointer, _ range: QuantumRange) {
    low = Int32Vector(repeating: range.low)
    high = Int32Vector(repeating: range.high)
    multiplier = table.vector()
    multiplierOdd = table.vector(vectorBytes)
    offset = table.vector(2 &* vectorBytes)
    addendEven = table.vector(3 &* vectorBytes)
    shiftEven = table.vector(4 &* vectorBytes)
    negativeEven = table.vector(5 &* vectorBytes)
    addendOdd = table.vector(6 &* vectorBytes)
    shiftOdd = table.vector(7 &* vectorBytes)
    negativeOdd = table.vector(8 &* vectorBytes)
  }

  @inline(__always)
  func result(_ sum: Int32Vector) -> Int32Vector {
    apus_requantize(
      sum, multiplier, multiplierOdd, offset, addendEven, addendOdd, shiftEven, shiftOdd, negativeEven,
      negativeOdd, low, high)
  }

  @inline(__always)
  func store(_ sum: Int32Vector, to address: UnsafeMutableRawPointer, _ valid: Int) {
    if valid >= lanes {
      apus_store_low_bytes(address, result(sum))
    } else if valid > 0 {
      apus_store_low_bytes_part(address, result(sum), valid)
    }
  }
}
