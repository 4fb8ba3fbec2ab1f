import CIntrinsics

/// Applies `function` to each vector; the last, incomplete one is computed like the others.
@inline(__always)
func forEachVector(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int,
  _ function: (FloatVector) -> FloatVector
) {
  var index = 0
  while index &+ lanes <= count {
    let result = function(x.vector(index &* 4))
    y.storeBytes(of: result, toByteOffset: index &* 4, as: FloatVector.self)
    index &+= lanes
  }
  let rest = count &- index
  if rest > 0 {
    apus_store_part_f32(y + index &* 4, function(apus_load_part_f32(x + index &* 4, rest)), rest)
  }
}
