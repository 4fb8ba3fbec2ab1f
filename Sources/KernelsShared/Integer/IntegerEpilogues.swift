import CIntrinsics

/// Integer: adds the row's correction, requantizes to 8 bits, stores.
struct RequantizingEpilogue<R: Requantizer>: Epilogue {
  let result: UnsafeMutableRawPointer
  let resultStride: Int
  let rowSums: UnsafePointer<Int32>?
  let range: QuantumRange
  let columnCount: Int

  @inline(__always)
  func start(_ header: UnsafeRawPointer, vector: Int) -> Int32Vector { header.vector(vector &* vectorBytes) }

  @inline(__always)
  func columns(_ header: UnsafeRawPointer, _ table: UnsafeRawPointer, vector: Int) -> R {
    R(table + vector &* requantizationTableBytes, range)
  }

  @inline(__always)
  func store(_ sum: Int32Vector, row: Int, vector: Int, _ columns: inout R) {
    columns.store(corrected(sum, row), to: place(row, vector), columnCount &- vector &* lanes)
  }

  @inline(__always)
  func isInDoubt(_ columns: R) -> Bool { columns.isInDoubt }

  // Not inlined, because every kernel has a dozen tiles that hardly ever need it, and those that do need it for all rows.
  @inline(never)
  func storeAgain(
    _ sums: UnsafePointer<Tile<Int32Vector>>, rows: Int, vectors: Int, table: UnsafeRawPointer
  ) {
    let sums = UnsafeRawPointer(sums)
    for vector in 0..<vectors {
      let columns = FixedPointRequantizer(table + vector &* requantizationTableBytes, range)
      let valid = columnCount &- vector &* lanes
      for row in 0..<rows {
        let sum: Int32Vector = sums.vector((row &* 2 &+ vector) &* vectorBytes)
        columns.store(corrected(sum, row), to: place(row, vector), valid)
      }
    }
  }

  @inline(__always)
  private func corrected(_ sum: Int32Vector, _ row: Int) -> Int32Vector {
    guard let rowSums else { return sum }
    return sum &+ Int32Vector(repeating: rowSums[row])
  }

  @inline(__always)
  private func place(_ row: Int, _ vector: Int) -> UnsafeMutableRawPointer {
    result + (row &* resultStride &+ vector &* lanes)
  }
}

/// Integer: takes away what the row's zero point added, scales the sums by the row's and the column's scale,
/// adds the column's bias and the residual, limits, stores float32. The table holds the columns' scales, biases, and sums of
/// weights.
struct ScalingEpilogue: Epilogue {
  let result: UnsafeMutableRawPointer
  let resultStride: Int
  let rowZeroPoints: UnsafePointer<Int32>?
  let rowScales: UnsafePointer<Float>
  let columnsFirst: Bool
  let residual: UnsafeRawPointer?
  let residualStride: Int
  let low: FloatVector
  let high: FloatVector
  let columnCount: Int

  struct Columns {
    let scales: FloatVector
    let biases: FloatVector
    let sums: Int32Vector
  }

  @inline(__always)
  func start(_ header: UnsafeRawPointer, vector: Int) -> Int32Vector { header.vector(vector &* vectorBytes) }

  @inline(__always)
  func columns(_ header: UnsafeRawPointer, _ table: UnsafeRawPointer, vector: Int) -> Columns {
    let table = table + vector &* 3 &* vectorBytes
    return Columns(
      scales: table.vector(), biases: table.vector(vectorBytes), sums: table.vector(2 &* vectorBytes))
  }

  @inline(__always)
  func store(_ sum: Int32Vector, row: Int, vector: Int, _ columns: inout Columns) {
    var sum = sum
    if let rowZeroPoints { sum = sum &- Int32Vector(repeating: rowZeroPoints[row]) &* columns.sums }
    let rowScale = FloatVector(repeating: rowScales[row])
    let real = apus_to_f32(sum)
    // The reference rounds every product and sum, so these are not fused.
    let scaled = columnsFirst ? real * columns.scales * rowScale : real * (rowScale * columns.scales)
    var total = scaled + columns.biases
    let offset = vector &* vectorBytes
    let address = result + (row &* resultStride &+ offset)
    let valid = columnCount &- vector &* lanes
    if valid >= lanes {
      if let residual {
        total = total + (residual + row &* residualStride).vector(offset, as: FloatVector.self)
      }
      address.storeBytes(of: apus_clamp_f32(total, low, high), as: FloatVector.self)
    } else if valid > 0 {
      if let residual {
        total = total + apus_load_part_f32(residual + (row &* residualStride &+ offset), valid)
      }
      apus_store_part_f32(address, apus_clamp_f32(total, low, high), valid)
    }
  }
}

/// Integer: stores the sums, which began with what the panel holds before its weights, added to what is there where that is
/// asked for.
struct SumEpilogue: Epilogue {
  let result: UnsafeMutableRawPointer
  let resultStride: Int
  let addsUp: Bool
  let columnCount: Int

  @inline(__always)
  func start(_ header: UnsafeRawPointer, vector: Int) -> Int32Vector { header.vector(vector &* vectorBytes) }

  @inline(__always)
  func columns(_ header: UnsafeRawPointer, _ table: UnsafeRawPointer, vector: Int) {}

  @inline(__always)
  func store(_ sum: Int32Vector, row: Int, vector: Int, _ columns: inout Void) {
    var sum = sum
    let offset = vector &* vectorBytes
    let address = result + (row &* resultStride &+ offset)
    let valid = columnCount &- vector &* lanes
    if valid >= lanes {
      if addsUp { sum &+= UnsafeRawPointer(address).vector() }
      address.storeBytes(of: sum, as: Int32Vector.self)
    } else if valid > 0 {
      if addsUp { sum &+= unsafeBitCast(apus_load_part_f32(address, valid), to: Int32Vector.self) }
      apus_store_part_f32(address, unsafeBitCast(sum, to: FloatVector.self), valid)
    }
  }
}
