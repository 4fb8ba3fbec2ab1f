import CIntrinsics

/// Whether halves below zero are rounded away from zero, known when the kernel is compiled. Where results
/// below the zero point are cut off, the cheaper rounding upward gives the same.
protocol Ties {
  static var areRoundedAway: Bool { get }
}

enum TiesAway: Ties { @inline(__always) static var areRoundedAway: Bool { true } }
enum TiesUp: Ties { @inline(__always) static var areRoundedAway: Bool { false } }

/// Bytes of the table of one vector of columns, as `RequantizationTable` writes it.
@inline(__always) var requantizationTableBytes: Int { 36 &* lanes }

/// The requantization of one vector of columns, in registers.
struct Requantizer<T: Ties> {
  let multiplier: Int32Vector
  let multiplierOdd: Int32Vector
  let offset: Int32Vector
  let addendEven: Int64Vector
  let shiftEven: Int64Vector
  let negativeEven: Int64Vector
  let addendOdd: Int64Vector
  let shiftOdd: Int64Vector
  let negativeOdd: Int64Vector

  @inline(__always)
  init(_ table: UnsafeRawPointer) {
    multiplier = table.vector()
    multiplierOdd = table.vector(vectorBytes)
    offset = table.vector(2 &* vectorBytes)
    addendEven = table.vector(3 &* vectorBytes)
    shiftEven = table.vector(4 &* vectorBytes)
    negativeEven = T.areRoundedAway ? table.vector(5 &* vectorBytes) : addendEven
    addendOdd = table.vector(6 &* vectorBytes)
    shiftOdd = table.vector(7 &* vectorBytes)
    negativeOdd = T.areRoundedAway ? table.vector(8 &* vectorBytes) : addendOdd
  }

  @inline(__always)
  func apply(_ sum: Int32Vector, low: Int32Vector, high: Int32Vector) -> Int32Vector {
    apus_requantize(
      sum, multiplier, multiplierOdd, offset, addendEven, addendOdd, shiftEven, shiftOdd,
      T.areRoundedAway ? 1 : 0, negativeEven, negativeOdd, low, high)
  }
}

/// Stores the low bytes of as many lanes as there are elements left.
@inline(__always)
func storeLowBytes(_ quanta: Int32Vector, _ address: UnsafeMutableRawPointer, _ valid: Int) {
  if valid >= lanes {
    apus_store_low_bytes(address, quanta)
  } else if valid > 0 {
    apus_store_low_bytes_part(address, quanta, valid)
  }
}
