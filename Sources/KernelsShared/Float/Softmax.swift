import CIntrinsics

/// Rows of `width` float32, each replaced by `e^(βx)` over its sum along the row.
///
/// The row's greatest number is taken away first, so that no power is above 1 where β is positive.
@inline(never)
func softmaxFloat32(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, rows: Int, width: Int, beta: Float
) {
  for row in 0..<rows {
    let offset = row &* width &* 4
    softmaxRow(x + offset, y + offset, width, beta)
  }
}

@inline(__always)
private func softmaxRow(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ width: Int, _ beta: Float
) {
  let beta = FloatVector(repeating: beta)
  let greatest = FloatVector(repeating: greatestFloat32(x, width))
  var sums = (FloatVector(repeating: 0), FloatVector(repeating: 0))
  var index = 0
  while index &+ lanes <= width {
    let power = vectorExp((x.vector(index &* 4, as: FloatVector.self) - greatest) * beta)
    y.storeBytes(of: power, toByteOffset: index &* 4, as: FloatVector.self)
    sums = (sums.1, sums.0 + power)
    index &+= lanes
  }
  let rest = width &- index
  if rest > 0 {
    let power = vectorExp((apus_load_part_f32(x + index &* 4, rest) - greatest) * beta)
    apus_store_part_f32(y + index &* 4, power, rest)
    sums.0 = sums.0 + apus_first_lanes_f32(power, FloatVector(repeating: 0), rest)
  }
  let inverse = FloatVector(repeating: 1 / apus_sum_f32(sums.0 + sums.1))
  forEachVector(UnsafeRawPointer(y), y, width) { $0 * inverse }
}

@inline(__always)
private func greatestFloat32(_ x: UnsafeRawPointer, _ count: Int) -> Float {
  let least = FloatVector(repeating: -.infinity)
  var greatest = (least, least)
  var index = 0
  while index &+ lanes <= count {
    greatest = (greatest.1, apus_max_f32(x.vector(index &* 4), greatest.0))
    index &+= lanes
  }
  let rest = count &- index
  if rest > 0 {
    let last = apus_first_lanes_f32(apus_load_part_f32(x + index &* 4, rest), least, rest)
    greatest.0 = apus_max_f32(last, greatest.0)
  }
  return apus_greatest_f32(apus_max_f32(greatest.0, greatest.1))
}
