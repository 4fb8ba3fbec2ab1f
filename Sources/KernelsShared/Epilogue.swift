import CIntrinsics

/// What happens to the sums of a tile while they are still in registers.
protocol Epilogue {
  associatedtype Accumulator
  /// Finishes and stores the columns of one vector.
  /// - Parameters:
  ///   - row, vector: the place in the tile.
  ///   - table: what the panel holds after its weights.
  func store(_ sum: Accumulator, row: Int, vector: Int, table: UnsafeRawPointer)
}

/// Float: adds the residual, limits, stores. The bias is the panel's header.
struct FloatEpilogue: Epilogue {
  let result: UnsafeMutableRawPointer
  let resultStride: Int
  let residual: UnsafeRawPointer?
  let residualStride: Int
  let low: FloatVector
  let high: FloatVector
  /// Columns of the panel that exist; the others are padding.
  let columns: Int

  @inline(__always)
  func store(_ sum: FloatVector, row: Int, vector: Int, table: UnsafeRawPointer) {
    let offset = vector &* vectorBytes
    let valid = columns &- vector &* lanes
    if valid >= lanes {
      var sum = sum
      if let residual { sum = sum + (residual + row &* residualStride).vector(offset, as: FloatVector.self) }
      (result + row &* resultStride)
        .storeBytes(of: apus_clamp_f32(sum, low, high), toByteOffset: offset, as: FloatVector.self)
    } else if valid > 0 {
      var sum = sum
      if let residual { sum = sum + apus_load_part_f32(residual + (row &* residualStride &+ offset), valid) }
      apus_store_part_f32(
        result + (row &* resultStride &+ offset), apus_clamp_f32(sum, low, high), valid)
    }
  }
}

/// Integer: adds the row's correction, requantizes to 8 bits, stores.
struct RequantizingEpilogue: Epilogue {
  let result: UnsafeMutableRawPointer
  let resultStride: Int
  let rowSums: UnsafePointer<Int32>?
  let low: Int32Vector
  let high: Int32Vector
  let tiesAway: Bool
  let columns: Int

  @inline(__always)
  func store(_ sum: Int32Vector, row: Int, vector: Int, table: UnsafeRawPointer) {
    var sum = sum
    if let rowSums { sum &+= Int32Vector(repeating: rowSums[row]) }
    let table = table + vector &* requantizationTableBytes
    let quanta =
      tiesAway ? apus_requantize(sum, table, 1, low, high) : apus_requantize(sum, table, 0, low, high)
    let address = result + (row &* resultStride &+ vector &* lanes)
    let valid = columns &- vector &* lanes
    if valid >= lanes {
      apus_store_low_bytes(address, quanta)
    } else if valid > 0 {
      apus_store_low_bytes_part(address, quanta, valid)
    }
  }
}

/// Bytes of the table that `apus_requantize` reads for one vector of columns.
@inline(__always) var requantizationTableBytes: Int { 32 &* lanes }

/// Integer: takes away what the row's zero point added, scales the sums by the row's and the column's scale,
/// adds the column's bias, limits, stores float32. The table holds the columns' scales, biases, and sums of
/// weights.
struct ScalingEpilogue: Epilogue {
  let result: UnsafeMutableRawPointer
  let resultStride: Int
  let rowZeroPoints: UnsafePointer<Int32>?
  let rowScales: UnsafePointer<Float>
  let low: FloatVector
  let high: FloatVector
  let columns: Int

  @inline(__always)
  func store(_ sum: Int32Vector, row: Int, vector: Int, table: UnsafeRawPointer) {
    let table = table + vector &* 3 &* vectorBytes
    var sum = sum
    if let rowZeroPoints {
      let columnSums: Int32Vector = table.vector(2 &* vectorBytes)
      sum = sum &- Int32Vector(repeating: rowZeroPoints[row]) &* columnSums
    }
    let scale: FloatVector = table.vector()
    let bias: FloatVector = table.vector(vectorBytes)
    let scaled = apus_fma(bias, apus_to_f32(sum), FloatVector(repeating: rowScales[row]) * scale)
    let limited = apus_clamp_f32(scaled, low, high)
    let address = result + (row &* resultStride &+ vector &* vectorBytes)
    let valid = columns &- vector &* lanes
    if valid >= lanes {
      address.storeBytes(of: limited, as: FloatVector.self)
    } else if valid > 0 {
      apus_store_part_f32(address, limited, valid)
    }
  }
}
