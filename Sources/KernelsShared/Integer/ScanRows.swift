import CIntrinsics

/// Scores of rows of signed bytes: each row's products with the query, summed exactly, times the row's scale.
///
/// Bound by memory, which is read in order: with the rows of four sums side by side, as matrix products have them, the
/// processor does not see what to fetch ahead, and a scan takes three times as long.
/// - Returns: the greatest score; minus infinity for no rows.
@inline(never)
func scanRows8(_ arguments: UnsafePointer<ApusRowScan>) -> Float {
  let scan = arguments.pointee
  let start = correction(scan.query, scan.stride)
  var greatest = -Float.infinity
  var row = 0
  while row < scan.count {
    let place = place(scan, row)
    let sums = products(scan, scan.rows + place &* scan.stride, ahead: rowAhead(scan, row), start: start)
    let score = Float(apus_sum_lanes(sums)) * scan.scales[place]
    scan.scores[row] = score
    if score > greatest { greatest = score }
    row &+= 1
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

/// How many bytes ahead memory is asked for, into the first-level cache: the processor itself stops at the end of each
/// page, and what is only in the second level comes too late.
private let bytesAhead = 6144
/// The same of rows that lie apart.
private let placesAhead = 8

/// The sums of the products of a row, in as many lanes; what lies `ahead` is asked for meanwhile.
///
/// Two vectors of sums, so that no product waits for the one before it.
@inline(__always)
private func products(
  _ scan: ApusRowScan, _ numbers: UnsafeRawPointer, ahead: UnsafeRawPointer, start: Int32Vector
) -> Int32Vector {
  var (even, odd) = (start, Int32Vector())
  var offset = 0
  while offset &+ 2 &* vectorBytes <= scan.stride {
    let second = offset &+ vectorBytes
    apus_prefetch_near(ahead + offset)
    apus_prefetch_near(ahead + second)
    even = apus_dot_s8s8(even, numbers.vector(offset), scan.query.vector(offset))
    odd = apus_dot_s8s8(odd, numbers.vector(second), scan.query.vector(second))
    offset &+= 2 &* vectorBytes
  }
  if offset < scan.stride {
    even = apus_dot_s8s8(even, numbers.vector(offset), scan.query.vector(offset))
  }
  return even &+ odd
}

@inline(__always)
private func place(_ scan: ApusRowScan, _ row: Int) -> Int {
  scan.places.map { Int($0[row]) } ?? row
}

/// Of consecutive rows what lies ahead may be behind the last one: nothing is read there.
@inline(__always)
private func rowAhead(_ scan: ApusRowScan, _ row: Int) -> UnsafeRawPointer {
  guard let places = scan.places else { return scan.rows + row &* scan.stride + bytesAhead }
  return scan.rows + Int(places[min(row &+ placesAhead, scan.count &- 1)]) &* scan.stride
}
