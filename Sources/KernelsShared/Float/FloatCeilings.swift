import CIntrinsics

/// Repeats fused multiplications and additions of float32.
@inline(never)
func repeatFloat32(_ steps: Int) -> Float {
  let factors = (FloatVector(repeating: 0.5), FloatVector(repeating: 0.75))
  let start = FloatVector(repeating: Float(steps))
  // Sums that are multiplied and added to themselves grow beyond all numbers, at no less speed.
  return apus_sum_f32(repeatProducts(Float32Product.self, steps, from: start, by: factors) { $0 })
}

/// Reads `count` bytes, a multiple of 16 vectors, and returns something that depends on all of them.
/// - Parameter streams: 1 for one byte after the other, 2 for both halves at a time: some caches give more to one,
///   some to the other.
@inline(never)
func readBytes(_ address: UnsafeRawPointer, _ count: Int, _ streams: Int) -> Int32 {
  var (s0, s1) = (Int32Vector(repeating: 0), Int32Vector(repeating: 0))
  var (s2, s3) = (s0, s0)
  let block = 4 &* vectorBytes
  let (distance, step, end) = streams == 2 ? (count / 2, block, count / 2) : (block, 2 &* block, count)
  var offset = 0
  while offset &+ step <= end {
    @inline(__always) func both(_ index: Int) -> Int32Vector {
      let start = address + (offset &+ index &* vectorBytes)
      let first: Int32Vector = start.vector()
      let second: Int32Vector = start.vector(distance)
      return first | second
    }
    s0 = s0 | both(0)
    s1 = s1 | both(1)
    s2 = s2 | both(2)
    s3 = s3 | both(3)
    offset &+= step
  }
  return apus_sum_lanes((s0 | s1) | (s2 | s3))
}

/// Writes `count` bytes, a multiple of 16 vectors.
@inline(never)
func writeBytes(_ address: UnsafeMutableRawPointer, _ count: Int) {
  // No byte four times: the loop would become a call of memset.
  let value = Int32Vector(repeating: 0x0102_0304)
  var offset = 0
  while offset &+ 4 &* vectorBytes <= count {
    let block = address + offset
    block.storeBytes(of: value, as: Int32Vector.self)
    block.storeBytes(of: value, toByteOffset: vectorBytes, as: Int32Vector.self)
    block.storeBytes(of: value, toByteOffset: 2 &* vectorBytes, as: Int32Vector.self)
    block.storeBytes(of: value, toByteOffset: 3 &* vectorBytes, as: Int32Vector.self)
    offset &+= 4 &* vectorBytes
  }
}
