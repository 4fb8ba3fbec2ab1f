import CIntrinsics

/// One row of bytes that is the weighted sum of several, in fixed point; see `resampleRGB`.
@inline(never)
func combineRows(_ arguments: UnsafePointer<ApusRowCombination>) {
  let c = arguments.pointee
  guard c.bytes >= lanes else { return combineFewBytes(c) }
  var offset = 0
  while offset &+ 2 &* lanes <= c.bytes {
    combineTwoVectors(c, offset, offset &+ lanes)
    offset &+= 2 &* lanes
  }
  // The last bytes are computed again where they do not fill vectors.
  if offset < c.bytes {
    combineTwoVectors(c, min(offset, c.bytes &- lanes), c.bytes &- lanes)
  }
}

@inline(__always)
private func combineTwoVectors(_ c: ApusRowCombination, _ first: Int, _ second: Int) {
  var low0 = Int32Vector(repeating: c.start), low1 = low0
  var high0 = Int32Vector(), high1 = high0
  var pair = 0
  while pair < c.pairs {
    let a = c.rows[2 &* pair], b = c.rows[2 &* pair &+ 1]
    let low = Int32Vector(repeating: c.weights[2 &* pair])
    let high = Int32Vector(repeating: c.weights[2 &* pair &+ 1])
    let x0 = apus_load_byte_pairs(a + first, b + first), x1 = apus_load_byte_pairs(a + second, b + second)
    (low0, high0) = (apus_dot_s16(low0, x0, low), apus_dot_s16(high0, x0, high))
    (low1, high1) = (apus_dot_s16(low1, x1, low), apus_dot_s16(high1, x1, high))
    pair &+= 1
  }
  apus_store_bytes(c.target + first, low0 &+ high0 &<< c.lowBits, c.shift)
  apus_store_bytes(c.target + second, low1 &+ high1 &<< c.lowBits, c.shift)
}

/// A row that is shorter than a vector.
private func combineFewBytes(_ c: ApusRowCombination) {
  var x = 0
  while x < c.bytes {
    var low = c.start, high: Int32 = 0
    var pair = 0
    while pair < c.pairs {
      let a = Int32(c.rows[2 &* pair].load(fromByteOffset: x, as: UInt8.self))
      let b = Int32(c.rows[2 &* pair &+ 1].load(fromByteOffset: x, as: UInt8.self))
      low &+= dot(a, b, c.weights[2 &* pair])
      high &+= dot(a, b, c.weights[2 &* pair &+ 1])
      pair &+= 1
    }
    let sum = (low &+ high &<< c.lowBits) &>> c.shift
    c.target.storeBytes(of: UInt8(truncatingIfNeeded: min(max(sum, 0), 255)), toByteOffset: x, as: UInt8.self)
    x &+= 1
  }
}

/// a and b times the two halves of a pair of weights.
@inline(__always)
private func dot(_ a: Int32, _ b: Int32, _ weights: Int32) -> Int32 {
  a &* ((weights &<< 16) &>> 16) &+ b &* (weights &>> 16)
}
