import CIntrinsics

/// Rows of `width` float32, each number by its column's scale and more by its column's offset, limited. The product is
/// rounded before the sum is.
@inline(never)
func scaleRowsFloat32(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, scale: UnsafeRawPointer, offset: UnsafeRawPointer,
  rows: Int, width: Int, low: Float, high: Float
) {
  let (low, high) = (FloatVector(repeating: low), FloatVector(repeating: high))
  for row in 0..<rows {
    let start = row &* width &* 4
    let (x, y) = (x + start, y + start)
    var index = 0
    while index &+ lanes <= width {
      let place = index &* 4
      let product = x.vector(place, as: FloatVector.self) * scale.vector(place, as: FloatVector.self)
      let sum = product + offset.vector(place, as: FloatVector.self)
      y.storeBytes(of: apus_clamp_f32(sum, low, high), toByteOffset: place, as: FloatVector.self)
      index &+= lanes
    }
    let rest = width &- index
    if rest > 0 {
      let place = index &* 4
      let product = apus_load_part_f32(x + place, rest) * apus_load_part_f32(scale + place, rest)
      let sum = product + apus_load_part_f32(offset + place, rest)
      apus_store_part_f32(y + place, apus_clamp_f32(sum, low, high), rest)
    }
  }
}
