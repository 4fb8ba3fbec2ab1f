import CIntrinsics

/// Rows of `width` float32 less their mean, over their standard deviation, scaled and shifted column by column.
///
/// The mean is found twice: of the numbers, and of what is left of them, which makes good for what rounding
/// took from the first. So rows far from zero lose nothing.
@inline(never)
func normalizeLayerFloat32(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, scale: UnsafeRawPointer, offset: UnsafeRawPointer,
  rows: Int, width: Int, epsilon: Float
) {
  for row in 0..<rows {
    let place = row &* width &* 4
    normalizeRow(x + place, y + place, scale, offset, width, epsilon)
  }
}

@inline(__always)
private func normalizeRow(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ scale: UnsafeRawPointer, _ offset: UnsafeRawPointer,
  _ width: Int, _ epsilon: Float
) {
  let mean = FloatVector(repeating: moments(x, width, less: FloatVector(repeating: 0)).first)
  let (rest, squares) = moments(x, width, less: mean)
  let variance = max(squares - rest * rest, 0)
  let factor = FloatVector(repeating: 1 / (variance + epsilon).squareRoot())
  let second = FloatVector(repeating: rest)
  var index = 0
  while index &+ lanes <= width {
    let place = index &* 4
    let normal = (x.vector(place, as: FloatVector.self) - mean - second) * factor
    y.storeBytes(
      of: apus_fma(offset.vector(place), normal, scale.vector(place)), toByteOffset: place,
      as: FloatVector.self)
    index &+= lanes
  }
  let count = width &- index
  if count > 0 {
    let place = index &* 4
    let normal = (apus_load_part_f32(x + place, count) - mean - second) * factor
    let result = apus_fma(
      apus_load_part_f32(offset + place, count), normal, apus_load_part_f32(scale + place, count))
    apus_store_part_f32(y + place, result, count)
  }
}

/// The means of the differences from `origin` and of their squares.
@inline(__always)
func moments(
  _ x: UnsafeRawPointer, _ count: Int, less origin: FloatVector
) -> (first: Float, second: Float) {
  let zero = FloatVector(repeating: 0)
  // Several sums, because each addition waits for the one before.
  var (s0, s1, s2, s3) = (zero, zero, zero, zero)
  var (q0, q1, q2, q3) = (zero, zero, zero, zero)
  var index = 0
  while index &+ 4 &* lanes <= count {
    let place = x + index &* 4
    let d0 = place.vector(as: FloatVector.self) - origin
    let d1 = place.vector(vectorBytes, as: FloatVector.self) - origin
    let d2 = place.vector(2 &* vectorBytes, as: FloatVector.self) - origin
    let d3 = place.vector(3 &* vectorBytes, as: FloatVector.self) - origin
    (s0, s1, s2, s3) = (s0 + d0, s1 + d1, s2 + d2, s3 + d3)
    (q0, q1) = (apus_fma(q0, d0, d0), apus_fma(q1, d1, d1))
    (q2, q3) = (apus_fma(q2, d2, d2), apus_fma(q3, d3, d3))
    index &+= 4 &* lanes
  }
  while index < count {
    let rest = min(lanes, count &- index)
    let d0 = apus_first_lanes_f32(apus_load_part_f32(x + index &* 4, rest) - origin, zero, rest)
    (s0, s1, s2, s3) = (s1, s2, s3, s0 + d0)
    (q0, q1, q2, q3) = (q1, q2, q3, apus_fma(q0, d0, d0))
    index &+= lanes
  }
  let length = Float(count)
  return (
    apus_sum_f32((s0 + s1) + (s2 + s3)) / length, apus_sum_f32((q0 + q1) + (q2 + q3)) / length
  )
}
