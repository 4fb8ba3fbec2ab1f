import CIntrinsics

/// How the 64-bit sums of one vector of columns become int16 results: (sum × factor + addend) >> shift, limited.
///
/// The addend is what rounds to nearest, and the bias times the factor.
private struct WideScaling {
  let factors: WideVector
  let addends: WideVector
  let shifts: WideVector

  @inline(__always)
  init(_ table: UnsafeRawPointer) {
    factors = WideVector(table)
    addends = WideVector(table + 2 &* vectorBytes)
    shifts = WideVector(table + 4 &* vectorBytes)
  }

  /// - Parameter valid: how many results there are to store.
  @inline(__always)
  func store(_ sums: WideVector, _ range: QuantumRange, to address: UnsafeMutableRawPointer, _ valid: Int) {
    let low = apus_scale_wide(sums.low, factors.low, addends.low, shifts.low)
    let high = apus_scale_wide(sums.high, factors.high, addends.high, shifts.high)
    let (least, greatest) = (Int32Vector(repeating: range.low), Int32Vector(repeating: range.high))
    apus_store_words(address, apus_limit_wide(low, high, least, greatest), valid)
  }
}

/// Scales the sums of one vector of columns in some rows to int16, and stores them.
///
/// Not inlined: 64-bit products take so many instructions that the kernels of int16 would be as large as all others together.
/// - Parameters:
///   - sums: ``WideVector``s, `stride` bytes apart.
///   - valid: how many of the columns there are, at least one.
@inline(never)
func storeScaled(
  _ sums: UnsafeRawPointer, stride: Int, rows: Int, table: UnsafeRawPointer, _ range: QuantumRange,
  to result: UnsafeMutableRawPointer, resultStride: Int, _ valid: Int
) {
  let scaling = WideScaling(table)
  for row in 0..<rows {
    scaling.store(WideVector(sums + row &* stride), range, to: result + row &* resultStride, valid)
  }
}

/// Bytes of the table of one vector of columns, as `WideScalingTable` writes it.
@inline(__always) var wideScalingTableBytes: Int { 3 &* wideVectorBytes }

/// Bytes of a ``WideVector`` in memory.
@inline(__always) var wideVectorBytes: Int { 2 &* vectorBytes }

/// As many 64-bit numbers as a vector has lanes.
struct WideVector {
  var low: Int64Vector
  var high: Int64Vector

  @inline(__always)
  init(_ address: UnsafeRawPointer) {
    low = address.vector()
    high = address.vector(vectorBytes)
  }

  @inline(__always)
  init(widening x: Int32Vector) {
    low = apus_widen_low(x)
    high = apus_widen_high(x)
  }

  @inline(__always)
  static func &+ (a: WideVector, b: WideVector) -> WideVector {
    var sum = a
    sum.low = a.low &+ b.low
    sum.high = a.high &+ b.high
    return sum
  }

  @inline(__always)
  func store(to address: UnsafeMutableRawPointer) {
    address.storeBytes(of: low, as: Int64Vector.self)
    address.storeBytes(of: high, toByteOffset: vectorBytes, as: Int64Vector.self)
  }
}

/// Adds the sums of a block of depth to those of the blocks before: for each row of a tile two vectors of columns.
struct AddingEpilogue: Epilogue {
  let sums: UnsafeMutableRawPointer
  /// Rows of the sums before this tile.
  let firstRow: Int

  @inline(__always)
  func start(_ header: UnsafeRawPointer, vector: Int) -> Int32Vector { Int32Vector(repeating: 0) }

  @inline(__always)
  func columns(_ header: UnsafeRawPointer, _ table: UnsafeRawPointer, vector: Int) {}

  @inline(__always)
  func store(_ sum: Int32Vector, row: Int, vector: Int, _ columns: inout Void) {
    let place = sums + (2 &* (firstRow &+ row) &+ vector) &* wideVectorBytes
    (WideVector(place) &+ WideVector(widening: sum)).store(to: place)
  }
}
