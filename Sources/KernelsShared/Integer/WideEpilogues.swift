import CIntrinsics

/// How the 64-bit sums of one vector of columns become int16 results: (sum × factor + addend) >> shift, limited.
///
/// The addend is what rounds to nearest, and the bias times the factor.
struct WideScaling {
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
    guard valid > 0 else { return }
    let low = apus_scale_wide(sums.low, factors.low, addends.low, shifts.low)
    let high = apus_scale_wide(sums.high, factors.high, addends.high, shifts.high)
    let (least, greatest) = (Int32Vector(repeating: range.low), Int32Vector(repeating: range.high))
    apus_store_words(address, apus_limit_wide(low, high, least, greatest), valid)
  }
}

/// Bytes of the table of one vector of columns, as `WideScalingTable` writes it.
@inline(__always) var wideScalingTableBytes: Int { 6 &* vectorBytes }

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

/// What the blocks of depth before this one summed up to: for each row of a tile two vectors of columns.
struct EarlierSums {
  let memory: UnsafeMutableRawPointer

  @inline(__always)
  func place(row: Int, vector: Int) -> UnsafeMutableRawPointer {
    memory + (2 &* row &+ vector) &* 2 &* vectorBytes
  }
}

/// Adds the sums of a block of depth to those of the blocks before.
struct AddingEpilogue: Epilogue {
  let earlier: EarlierSums
  let isFirst: Bool
  /// Rows of the block before this tile.
  let firstRow: Int

  @inline(__always)
  func start(_ header: UnsafeRawPointer, vector: Int) -> Int32Vector { Int32Vector(repeating: 0) }

  @inline(__always)
  func columns(_ header: UnsafeRawPointer, _ table: UnsafeRawPointer, vector: Int) {}

  @inline(__always)
  func store(_ sum: Int32Vector, row: Int, vector: Int, _ columns: inout Void) {
    let place = earlier.place(row: firstRow &+ row, vector: vector)
    let sum = WideVector(widening: sum)
    (isFirst ? sum : sum &+ WideVector(place)).store(to: place)
  }
}

/// Adds what was summed before, scales to int16, stores.
struct WideScalingEpilogue: Epilogue {
  let result: UnsafeMutableRawPointer
  let resultStride: Int
  /// Nil where one block is all of the depth.
  let earlier: EarlierSums?
  let firstRow: Int
  let range: QuantumRange
  let columnCount: Int

  @inline(__always)
  func start(_ header: UnsafeRawPointer, vector: Int) -> Int32Vector { Int32Vector(repeating: 0) }

  @inline(__always)
  func columns(_ header: UnsafeRawPointer, _ table: UnsafeRawPointer, vector: Int) -> WideScaling {
    WideScaling(table + vector &* wideScalingTableBytes)
  }

  @inline(__always)
  func store(_ sum: Int32Vector, row: Int, vector: Int, _ columns: inout WideScaling) {
    var sum = WideVector(widening: sum)
    if let earlier { sum = sum &+ WideVector(earlier.place(row: firstRow &+ row, vector: vector)) }
    let address = result + (row &* resultStride &+ vector &* lanes &* 2)
    columns.store(sum, range, to: address, columnCount &- vector &* lanes)
  }
}
