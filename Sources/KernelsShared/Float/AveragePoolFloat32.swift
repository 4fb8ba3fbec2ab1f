import CIntrinsics

/// The mean of a window of float32, limited.
@inline(never)
func averagePoolFloat32(_ arguments: UnsafePointer<ApusPool>) {
  let pool = arguments.pointee
  let count = FloatVector(repeating: Float(pool.rows &* pool.columns))
  let (low, high) = (FloatVector(repeating: pool.low), FloatVector(repeating: pool.high))
  var channel = 0
  while channel &+ lanes <= pool.channels {
    let sum = sumOfTaps(pool) { $0.vector(channel &* 4) }
    pool.output.storeBytes(
      of: apus_clamp_f32(sum / count, low, high), toByteOffset: channel &* 4, as: FloatVector.self)
    channel &+= lanes
  }
  let rest = pool.channels &- channel
  if rest > 0 {
    let sum = sumOfTaps(pool) { apus_load_part_f32($0 + channel &* 4, rest) }
    apus_store_part_f32(pool.output + channel &* 4, apus_clamp_f32(sum / count, low, high), rest)
  }
}

/// - Parameter tap: some channels of a tap.
@inline(__always)
private func sumOfTaps(_ pool: ApusPool, _ tap: (UnsafeRawPointer) -> FloatVector) -> FloatVector {
  var sum = FloatVector(repeating: 0)
  for row in 0..<pool.rows {
    var place = pool.input + row &* pool.rowStride
    for _ in 0..<pool.columns {
      sum += tap(place)
      place += pool.columnStride
    }
  }
  return sum
}
