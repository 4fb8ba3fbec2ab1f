import CIntrinsics

/// Rows of bytes through two lines for each column.
@inline(never)
func followLines(_ arguments: UnsafePointer<ApusByteLines>) {
  let a = arguments.pointee
  let flip = Int32Vector(repeating: a.isSigned != 0 ? 0x80 : 0)
  let resultFlip: UInt8 = a.isSigned != 0 ? 0 : 0x80
  let bend = FloatVector(repeating: a.bend)
  let (low, high) = (FloatVector(repeating: -128), FloatVector(repeating: 127))
  // Some rows share a vector of columns' lines, which are twenty times as long as its bytes.
  var start = 0
  while start < a.rows {
    let rows = min(8, a.rows &- start)
    var (column, lines) = (0, a.lines)
    while column < a.width {
      let slope: FloatVector = lines.vector(0)
      let (below, above): (FloatVector, FloatVector) = (
        lines.vector(vectorBytes), lines.vector(2 &* vectorBytes)
      )
      let second: (slope: FloatVector, offset: FloatVector) = (
        lines.vector(3 &* vectorBytes), lines.vector(4 &* vectorBytes)
      )
      let valid = a.width &- column
      var place = start &* a.width &+ column
      for _ in 0..<rows {
        let x = apus_to_f32(apus_load_u8(a.x + place) ^ flip)
        let between = apus_clamp_f32(apus_fma(apus_select_from(bend, x, above, below), x, slope), low, high)
        let byte = apus_to_f32(apus_nearest_i32(between))
        let result = apus_nearest_i32(apus_fma(second.offset, byte, second.slope))
        apus_store_saturated(a.y + place, result, resultFlip, valid)
        place &+= a.width
      }
      lines += 5 &* vectorBytes
      column &+= lanes
    }
    start &+= rows
  }
}
