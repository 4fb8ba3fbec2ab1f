import CIntrinsics

/// Rows of `width` float32 over the root of the mean of their squares, scaled column by column.
@inline(never)
func normalizeRootMeanSquareFloat32(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, scale: UnsafeRawPointer, rows: Int, width: Int,
  epsilon: Float
) {
  for row in 0..<rows {
    let place = row &* width &* 4
    let (x, y) = (x + place, y + place)
    let squares = moments(x, width, less: FloatVector(repeating: 0)).second
    let factor = FloatVector(repeating: 1 / (squares + epsilon).squareRoot())
    var index = 0
    while index &+ lanes <= width {
      let place = index &* 4
      let result = x.vector(place, as: FloatVector.self) * factor * scale.vector(place, as: FloatVector.self)
      y.storeBytes(of: result, toByteOffset: place, as: FloatVector.self)
      index &+= lanes
    }
    let count = width &- index
    if count > 0 {
      let place = index &* 4
      let result = apus_load_part_f32(x + place, count) * factor * apus_load_part_f32(scale + place, count)
      apus_store_part_f32(y + place, result, count)
    }
  }
}
