import CIntrinsics

/// What happens to the sums of a tile while they are still in registers.
protocol Epilogue {
  associatedtype Accumulator
  /// What it needs to know of one vector of columns.
  associatedtype Columns
  /// What the sums of a vector of columns start from.
  /// - Parameter header: what the panel holds before its weights.
  func start(_ header: UnsafeRawPointer, vector: Int) -> Accumulator
  /// - Parameter table: what the panel holds after its weights.
  func columns(_ header: UnsafeRawPointer, _ table: UnsafeRawPointer, vector: Int) -> Columns
  /// Finishes and stores one row's part of a vector of columns.
  func store(_ sum: Accumulator, row: Int, vector: Int, _ columns: inout Columns)
  /// Whether a result that was stored for these columns may not be the right one.
  func isInDoubt(_ columns: Columns) -> Bool
  /// Stores the right results of a tile, whatever was stored.
  /// - Parameters:
  ///   - sums: those of its rows, two vectors each.
  ///   - table: what the panel holds after its weights.
  func storeAgain(
    _ sums: UnsafePointer<Tile<Accumulator>>, rows: Int, vectors: Int, table: UnsafeRawPointer)
}

extension Epilogue {
  @inline(__always)
  func isInDoubt(_ columns: Columns) -> Bool { false }

  @inline(__always)
  func storeAgain(
    _ sums: UnsafePointer<Tile<Accumulator>>, rows: Int, vectors: Int, table: UnsafeRawPointer
  ) {}
}

/// Float: adds the bias, which is the panel's header, and the residual, limits, stores.
///
/// The bias comes last: partial sums that start from a large one would all be rounded to its precision.
struct FloatEpilogue: Epilogue {
  let result: UnsafeMutableRawPointer
  let resultStride: Int
  let residual: UnsafeRawPointer?
  let residualStride: Int
  let low: FloatVector
  let high: FloatVector
  /// Columns of the panel that exist; the others are padding.
  let columnCount: Int

  @inline(__always)
  func start(_ header: UnsafeRawPointer, vector: Int) -> FloatVector { FloatVector(repeating: 0) }

  @inline(__always)
  func columns(_ header: UnsafeRawPointer, _ table: UnsafeRawPointer, vector: Int) -> FloatVector {
    header.vector(vector &* vectorBytes)
  }

  @inline(__always)
  func store(_ sum: FloatVector, row: Int, vector: Int, _ bias: inout FloatVector) {
    let offset = vector &* vectorBytes
    let address = result + (row &* resultStride &+ offset)
    let valid = columnCount &- vector &* lanes
    var sum = sum + bias
    if valid >= lanes {
      if let residual {
        sum = sum + (residual + row &* residualStride).vector(offset, as: FloatVector.self)
      }
      address.storeBytes(of: apus_clamp_f32(sum, low, high), as: FloatVector.self)
    } else if valid > 0 {
      if let residual { sum = sum + apus_load_part_f32(residual + (row &* residualStride &+ offset), valid) }
      apus_store_part_f32(address, apus_clamp_f32(sum, low, high), valid)
    }
  }
}
