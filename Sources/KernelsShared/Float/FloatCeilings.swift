import CIntrinsics

/// Repeats fused multiplications and additions of float32.
@inline(never)
func repeatFloat32(_ steps: Int) -> Float {
  let half = FloatVector(repeating: 0.5)
  let start = FloatVector(repeating: Float(steps))
  // Sums that are multiplied by ½ and added to themselves grow beyond all numbers, at no less speed.
  return apus_sum_f32(repeatProducts(Float32Product.self, steps, from: start, by: half) { $0 })
}

/// Reads `count` bytes, a multiple of 16 vectors, and returns something that depends on all of them.
@inline(never)
func readBytes(_ address: UnsafeRawPointer, _ count: Int) -> Int32 {
  var (s0, s1) = (Int32Vector(repeating: 0), Int32Vector(repeating: 0))
  var (s2, s3) = (s0, s0)
  let step = 4 &* vectorBytes
  var offset = 0
  while offset &+ step <= count {
    let block = address + offset
    let v0: Int32Vector = block.vector(0)
    let v1: Int32Vector = block.vector(vectorBytes)
    let v2: Int32Vector = block.vector(2 &* vectorBytes)
    let v3: Int32Vector = block.vector(3 &* vectorBytes)
    s0 = s0 | v0
    s1 = s1 | v1
    s2 = s2 | v2
    s3 = s3 | v3
    offset &+= step
  }
  return apus_sum_lanes((s0 | s1) | (s2 | s3))
}
