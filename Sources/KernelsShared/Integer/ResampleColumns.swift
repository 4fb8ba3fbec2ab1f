import CIntrinsics

// Rows of bytes resampled in fixed point. The products of pixels with the lower bits of weights and with the rest of them
// are summed apart, because vector units of any age multiply numbers of 16 bits; all sums wrap, so that their order does
// not matter. Four rows share the weights that are read.

/// Pixels of three bytes.
@inline(never)
func resampleRGB(_ arguments: UnsafePointer<ApusColumnResample>) {
  let r = arguments.pointee
  let start = SIMD4<UInt32>(repeating: UInt32(bitPattern: r.start))
  resample(r, pixelBytes: 3, stepPixels: lanes / 2, load: { apus_load_rgb_pairs($0) }) { sums, targets in
    apus_store_rgb(targets.0, apus_sum_quarters(sums.0) &+ start, r.shift)
    apus_store_rgb(targets.1, apus_sum_quarters(sums.1) &+ start, r.shift)
    apus_store_rgb(targets.2, apus_sum_quarters(sums.2) &+ start, r.shift)
    apus_store_rgb(targets.3, apus_sum_quarters(sums.3) &+ start, r.shift)
  }
}

/// Pixels of one byte.
@inline(never)
func resampleGrey(_ arguments: UnsafePointer<ApusColumnResample>) {
  let r = arguments.pointee
  resample(r, pixelBytes: 1, stepPixels: 2 &* lanes, load: { apus_load_bytes_as_s16($0) }) { sums, targets in
    let totals = apus_sum_lanes_of_four(sums.0, sums.1, sums.2, sums.3) &+ r.start
    targets.0.storeBytes(of: byte(totals[0] &>> r.shift), as: UInt8.self)
    targets.1.storeBytes(of: byte(totals[1] &>> r.shift), as: UInt8.self)
    targets.2.storeBytes(of: byte(totals[2] &>> r.shift), as: UInt8.self)
    targets.3.storeBytes(of: byte(totals[3] &>> r.shift), as: UInt8.self)
  }
}

/// One for each of four rows.
private typealias Four<Value> = (Value, Value, Value, Value)

/// Every pixel of the target, of four rows at a time; the last row again where there are fewer.
/// - Parameters:
///   - stepPixels: what `load` reads of a row.
///   - store: writes a pixel of four rows, by the sums in its lanes.
@inline(__always)
private func resample(
  _ r: ApusColumnResample, pixelBytes: Int, stepPixels: Int, load: (UnsafeRawPointer) -> Int32Vector,
  store: (_ sums: Four<Int32Vector>, _ targets: Four<UnsafeMutableRawPointer>) -> Void
) {
  let last = r.rows &- 1
  var row = 0
  while row < r.rows {
    let r1 = min(row &+ 1, last), r2 = min(row &+ 2, last), r3 = min(row &+ 3, last)
    let source = (
      r.source + row &* r.sourceStride, r.source + r1 &* r.sourceStride, r.source + r2 &* r.sourceStride,
      r.source + r3 &* r.sourceStride
    )
    let target = (
      r.target + row &* r.targetStride, r.target + r1 &* r.targetStride, r.target + r2 &* r.targetStride,
      r.target + r3 &* r.targetStride
    )
    var weights = r.weights
    var column = 0
    while column < r.columns {
      let first = pixelBytes &* Int(r.firsts[column]), place = pixelBytes &* column
      let rows = (source.0 + first, source.1 + first, source.2 + first, source.3 + first)
      let targets = (target.0 + place, target.1 + place, target.2 + place, target.3 + place)
      store(sums(r, weights, of: rows, stepBytes: pixelBytes &* stepPixels, load: load), targets)
      weights += r.steps &* 2 &* vectorBytes
      column &+= 1
    }
    row &+= 4
  }
}

/// The sums of one target pixel in four rows, in as many lanes.
@inline(__always)
private func sums(
  _ r: ApusColumnResample, _ weights: UnsafeRawPointer, of rows: Four<UnsafeRawPointer>, stepBytes: Int,
  load: (UnsafeRawPointer) -> Int32Vector
) -> Four<Int32Vector> {
  var l0 = Int32Vector(), l1 = l0, l2 = l0, l3 = l0
  var h0 = l0, h1 = l0, h2 = l0, h3 = l0
  var step = 0
  while step < r.steps {
    let low: Int32Vector = weights.vector(2 &* step &* vectorBytes)
    let high: Int32Vector = weights.vector((2 &* step &+ 1) &* vectorBytes)
    let offset = step &* stepBytes
    let p0 = load(rows.0 + offset), p1 = load(rows.1 + offset)
    let p2 = load(rows.2 + offset), p3 = load(rows.3 + offset)
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
private func byte(_ x: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max(x, 0), 255)) }
