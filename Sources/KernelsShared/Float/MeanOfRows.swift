import CIntrinsics

/// The mean of `rows` rows of `width` float32, `stride` bytes apart; zeros when there are none.
///
/// Sums of 32 rows are added up, so that rounding grows with their number and not with that of the rows.
@inline(never)
func meanOfRowsFloat32(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, stride: Int, rows: Int, width: Int
) {
  let count = FloatVector(repeating: Float(max(rows, 1)))
  var column = 0
  while column &+ lanes <= width {
    let place = x + column &* 4
    let total = sumOfRows(rows) { place.vector($0 &* stride) }
    y.storeBytes(of: total / count, toByteOffset: column &* 4, as: FloatVector.self)
    column &+= lanes
  }
  let rest = width &- column
  if rest > 0 {
    let place = x + column &* 4
    let total = sumOfRows(rows) { apus_load_part_f32(place + $0 &* stride, rest) }
    apus_store_part_f32(y + column &* 4, total / count, rest)
  }
}

/// - Parameter row: gives some columns of a row.
@inline(__always)
private func sumOfRows(_ rows: Int, _ row: (Int) -> FloatVector) -> FloatVector {
  var total = FloatVector(repeating: 0)
  var index = 0
  while index < rows {
    let end = min(index &+ 32, rows)
    var sum = FloatVector(repeating: 0)
    while index < end {
      sum = sum + row(index)
      index &+= 1
    }
    total = total + sum
  }
  return total
}
