import CIntrinsics

/// The mean of `rows` rows of `width` float32, `stride` bytes apart; zeros when there are none.
///
/// Sums of 32 rows are added up, so that rounding grows with their number and not with that of the rows.
@inline(never)
package func meanOfRowsFloat32(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, stride: Int, rows: Int, width: Int
) {
  let count = FloatVector(repeating: Float(max(rows, 1)))
  var column = 0
  while column < width {
    let part = min(lanes, width &- column)
    var total = FloatVector(repeating: 0)
    var row = 0
    while row < rows {
      let end = min(row &+ 32, rows)
      var sum = FloatVector(repeating: 0)
      while row < end {
        sum = sum + apus_load_part_f32(x + (row &* stride &+ column &* 4), part)
        row &+= 1
      }
      total = total + sum
    }
    apus_store_part_f32(y + column &* 4, total / count, part)
    column &+= lanes
  }
}
