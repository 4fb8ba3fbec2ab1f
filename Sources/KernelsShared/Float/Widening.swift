import CIntrinsics

/// `count` float16 numbers as float32.
@inline(never)
func widenFloat16(_ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int) {
  widen(x, y, count) { apus_load_f16($0) }
}

/// `count` bfloat16 numbers as float32.
@inline(never)
func widenBFloat16(_ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int) {
  widen(x, y, count) { apus_load_bf16($0) }
}

@inline(__always)
private func widen(
  _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int,
  _ load: (UnsafeRawPointer) -> FloatVector
) {
  var index = 0
  while index &+ lanes <= count {
    y.storeBytes(of: load(x + index &* 2), toByteOffset: index &* 4, as: FloatVector.self)
    index &+= lanes
  }
  let rest = count &- index
  guard rest > 0 else { return }
  // Nothing behind the last number may be read.
  var last = FloatVector(repeating: 0)
  withUnsafeMutableBytes(of: &last) { buffer in
    buffer.copyMemory(from: UnsafeRawBufferPointer(start: x + index &* 2, count: rest &* 2))
    guard let address = buffer.baseAddress else { return }
    apus_store_part_f32(y + index &* 4, load(address), rest)
  }
}
