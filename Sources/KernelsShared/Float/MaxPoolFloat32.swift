import CIntrinsics

/// The greatest number of each channel in a window of float32, limited. A NaN counts where it is the window's first alone.
@inline(never)
func maxPoolFloat32(_ arguments: UnsafePointer<ApusPool>) {
  let pool = arguments.pointee
  let (low, high) = (FloatVector(repeating: pool.low), FloatVector(repeating: pool.high))
  var channel = 0
  while channel &+ lanes <= pool.channels {
    let greatest = greatestTap(pool) { $0.vector(channel &* 4) }
    pool.output.storeBytes(
      of: limited(greatest, low, high), toByteOffset: channel &* 4, as: FloatVector.self)
    channel &+= lanes
  }
  let rest = pool.channels &- channel
  if rest > 0 {
    let greatest = greatestTap(pool) { apus_load_part_f32($0 + channel &* 4, rest) }
    apus_store_part_f32(pool.output + channel &* 4, limited(greatest, low, high), rest)
  }
}

/// - Parameter tap: some channels of a tap.
@inline(__always)
private func greatestTap(_ pool: ApusPool, _ tap: (UnsafeRawPointer) -> FloatVector) -> FloatVector {
  var greatest = tap(pool.input)
  for row in 0..<pool.rows {
    var place = pool.input + row &* pool.rowStride
    for _ in 0..<pool.columns {
      let numbers = tap(place)
      greatest.replace(with: numbers, where: numbers .>= greatest)
      place += pool.columnStride
    }
  }
  return greatest
}

/// As `min(high, max(low, x))` is in Swift, for zeros of either sign and NaN too.
@inline(__always)
private func limited(_ x: FloatVector, _ low: FloatVector, _ high: FloatVector) -> FloatVector {
  let raised = low.replacing(with: x, where: x .>= low)
  return high.replacing(with: raised, where: raised .< high)
}
