import CIntrinsics

/// `count` float16 numbers as float32.
@inline(never)
package func widenFloat16(_ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int) {
  widen(x, y, count) { apus_load_part_f16($0, $1) }
}

/// `count` bfloat16 numbers as float32.
@inline(never)
package func widenBFloat16(_ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int) {
  widen(x, y, count) { apus_load_part_bf16($0, $1) }
}

@inline(__always)
private func widen(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int,
  _ load: (UnsafeRawPointer, Int) -> FloatVector
) {
  var index = 0
  while index &+ lanes <= count {
    y.storeBytes(of: load(x + index &* 2, lanes), toByteOffset: index &* 4, as: FloatVector.self)
    index &+= lanes
  }
  let rest = count &- index
  if rest > 0 { apus_store_part_f32(y + index &* 4, load(x + index &* 2, rest), rest) }
}
