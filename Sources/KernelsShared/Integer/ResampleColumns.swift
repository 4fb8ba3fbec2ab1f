import CIntrinsics

// Rows of bytes resampled in fixed point. The products of pixels with the lower bits of weights and with the rest of them
// are summed apart, because vector units of any age multiply numbers of 16 bits; all sums wrap, so that their order does
// not matter. Four rows share the weights that are read.

/// Pixels of three bytes.
@inline(never)
func resampleRGB(_ arguments: UnsafePointer<ApusColumnResample>) {
  let r = arguments.pointee
  forEachFourRows(r) { s0, s1, s2, s3, t0, t1, t2, t3 in
    var weights = r.weights
    var column = 0
    while column < r.columns {
      let offset = 3 &* Int(r.firsts[column])
      let sums = sums(r, weights, s0 + offset, s1 + offset, s2 + offset, s3 + offset, 3 &* lanes / 2) {
        apus_load_rgb_pairs($0)
      }
      store(sums.0, r, to: t0 + 3 &* column)
      store(sums.1, r, to: t1 + 3 &* column)
      store(sums.2, r, to: t2 + 3 &* column)
      store(sums.3, r, to: t3 + 3 &* column)
      weights += r.steps &* 2 &* vectorBytes
      column &+= 1
    }
  }
}

/// Pixels of one byte.
@inline(never)
func resampleGrey(_ arguments: UnsafePointer<ApusColumnResample>) {
  let r = arguments.pointee
  forEachFourRows(r) { s0, s1, s2, s3, t0, t1, t2, t3 in
    var weights = r.weights
    var column = 0
    while column < r.columns {
      let offset = Int(r.firsts[column])
      let sums = sums(r, weights, s0 + offset, s1 + offset, s2 + offset, s3 + offset, 2 &* lanes) {
        apus_load_bytes_as_s16($0)
      }
      let totals = apus_sum_lanes_of_four(sums.0, sums.1, sums.2, sums.3) &+ r.start
      t0.storeBytes(of: byte(totals[0] &>> r.shift), toByteOffset: column, as: UInt8.self)
      t1.storeBytes(of: byte(totals[1] &>> r.shift), toByteOffset: column, as: UInt8.self)
      t2.storeBytes(of: byte(totals[2] &>> r.shift), toByteOffset: column, as: UInt8.self)
      t3.storeBytes(of: byte(totals[3] &>> r.shift), toByteOffset: column, as: UInt8.self)
      weights += r.steps &* 2 &* vectorBytes
      column &+= 1
    }
  }
}

/// Four rows of the source and of the target at a time; the last one again where there are fewer.
@inline(__always)
private func forEachFourRows(
  _ r: ApusColumnResample,
  _ body: (
    _ s0: UnsafeRawPointer, _ s1: UnsafeRawPointer, _ s2: UnsafeRawPointer, _ s3: UnsafeRawPointer,
    _ t0: UnsafeMutableRawPointer, _ t1: UnsafeMutableRawPointer, _ t2: UnsafeMutableRawPointer,
    _ t3: UnsafeMutableRawPointer
  ) -> Void
) {
  let last = r.rows &- 1
  var row = 0
  while row < r.rows {
    let r1 = min(row &+ 1, last), r2 = min(row &+ 2, last), r3 = min(row &+ 3, last)
    body(
      r.source + row &* r.sourceStride, r.source + r1 &* r.sourceStride, r.source + r2 &* r.sourceStride,
      r.source + r3 &* r.sourceStride, r.target + row &* r.targetStride, r.target + r1 &* r.targetStride,
      r.target + r2 &* r.targetStride, r.target + r3 &* r.targetStride)
    row &+= 4
  }
}

/// The sums of one target pixel in four rows.
/// - Parameter bytes: that a step reads of each row.
@inline(__always)
private func sums(
  _ r: ApusColumnResample, _ weights: UnsafeRawPointer, _ s0: UnsafeRawPointer, _ s1: UnsafeRawPointer,
  _ s2: UnsafeRawPointer, _ s3: UnsafeRawPointer, _ bytes: Int, load: (UnsafeRawPointer) -> Int32Vector
) -> (Int32Vector, Int32Vector, Int32Vector, Int32Vector) {
  var l0 = Int32Vector(), l1 = l0, l2 = l0, l3 = l0
  var h0 = l0, h1 = l0, h2 = l0, h3 = l0
  var step = 0
  while step < r.steps {
    let low: Int32Vector = weights.vector(2 &* step &* vectorBytes)
    let high: Int32Vector = weights.vector((2 &* step &+ 1) &* vectorBytes)
    let offset = step &* bytes
    let p0 = load(s0 + offset), p1 = load(s1 + offset), p2 = load(s2 + offset), p3 = load(s3 + offset)
    (l0, h0) = (apus_dot_s16(l0, p0, low), apus_dot_s16(h0, p0, high))
    (l1, h1) = (apus_dot_s16(l1, p1, low), apus_dot_s16(h1, p1, high))
    (l2, h2) = (apus_dot_s16(l2, p2, low), apus_dot_s16(h2, p2, high))
    (l3, h3) = (apus_dot_s16(l3, p3, low), apus_dot_s16(h3, p3, high))
    step &+= 1
  }
  return (
    l0 &+ h0 &<< r.lowBits, l1 &+ h1 &<< r.lowBits, l2 &+ h2 &<< r.lowBits, l3 &+ h3 &<< r.lowBits
  )
}

@inline(__always)
private func store(_ sums: Int32Vector, _ r: ApusColumnResample, to target: UnsafeMutableRawPointer) {
  let start = SIMD4<UInt32>(repeating: UInt32(bitPattern: r.start))
  apus_store_rgb(target, apus_sum_quarters(sums) &+ start, r.shift)
}

@inline(__always)
private func byte(_ x: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max(x, 0), 255)) }
