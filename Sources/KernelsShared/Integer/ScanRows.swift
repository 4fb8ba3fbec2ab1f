import CIntrinsics

/// Scores of rows of signed bytes: each row's products with the query, summed exactly, times the row's scale.
///
/// Bound by memory: two rows are read side by side, and what comes is asked for in the order of memory, as the processor
/// itself does not see what to fetch ahead of several rows.
/// - Returns: the greatest score; minus infinity for no rows.
@inline(never)
func scanRows8(_ arguments: UnsafePointer<ApusRowScan>) -> Float {
  let scan = arguments.pointee
  let start = correction(scan.query, scan.stride)
  var greatest = -Float.infinity
  var row = 0
  while row < scan.count {
    // Two rows share the loads of the query; of an odd number the last one is done twice.
    let next = min(row &+ 1, scan.count &- 1)
    let places = (first: place(scan, row), second: place(scan, next))
    let sums = products(
      scan, first: scan.rows + places.first &* scan.stride, second: scan.rows + places.second &* scan.stride,
      ahead: prefetch(scan, row), start: start)
    let scores = (
      first: Float(apus_sum_lanes(sums.first)) * scan.scales[places.first],
      second: Float(apus_sum_lanes(sums.second)) * scan.scales[places.second]
    )
    scan.scores[row] = scores.first
    scan.scores[next] = scores.second
    if scores.first > greatest { greatest = scores.first }
    if scores.second > greatest { greatest = scores.second }
    row &+= 2
  }
  return greatest
}

/// What each lane starts at, so that products may come out larger than they are, by an amount that depends on the query.
@inline(__always)
private func correction(_ query: UnsafeRawPointer, _ stride: Int) -> Int32Vector {
  var excess = Int32Vector()
  var offset = 0
  while offset < stride {
    excess = apus_excess_s8s8(excess, query.vector(offset))
    offset &+= vectorBytes
  }
  return Int32Vector() &- excess
}

/// The sums of the products of two rows, in as many lanes; what lies ahead is asked for meanwhile.
@inline(__always)
private func products(
  _ scan: ApusRowScan, first: UnsafeRawPointer, second: UnsafeRawPointer, ahead: Prefetch, start: Int32Vector
) -> (first: Int32Vector, second: Int32Vector) {
  var sums = (first: start, second: start)
  var (offset, aheadOffset) = (0, 0)
  while offset < scan.stride {
    apus_prefetch_near(ahead.first + aheadOffset)
    apus_prefetch_near(ahead.second + aheadOffset)
    let query: Int32Vector = scan.query.vector(offset)
    sums.first = apus_dot_s8s8(sums.first, first.vector(offset), query)
    sums.second = apus_dot_s8s8(sums.second, second.vector(offset), query)
    offset &+= vectorBytes
    aheadOffset &+= ahead.step
  }
  return sums
}

@inline(__always)
private func place(_ scan: ApusRowScan, _ row: Int) -> Int {
  scan.places.map { Int($0[row]) } ?? row
}

/// Memory that is asked for while two rows are multiplied: two addresses, and how far they move with each vector.
private typealias Prefetch = (first: UnsafeRawPointer, second: UnsafeRawPointer, step: Int)

/// How many bytes ahead memory is asked for, into the first-level cache: the processor itself stops at the end of each
/// page, and what is only in the second level comes too late.
private let bytesAhead = 12288
/// The same of rows that lie apart.
private let placesAhead = 8

/// Consecutive rows are asked for in the order of memory. What lies ahead may be behind the last one: nothing is read
/// there.
@inline(__always)
private func prefetch(_ scan: ApusRowScan, _ row: Int) -> Prefetch {
  guard let places = scan.places else {
    let first = scan.rows + row &* scan.stride + bytesAhead
    return (first, first + vectorBytes, 2 &* vectorBytes)
  }
  let last = scan.count &- 1
  return (
    scan.rows + Int(places[min(row &+ placesAhead, last)]) &* scan.stride,
    scan.rows + Int(places[min(row &+ placesAhead &+ 1, last)]) &* scan.stride,
    vectorBytes
  )
}
