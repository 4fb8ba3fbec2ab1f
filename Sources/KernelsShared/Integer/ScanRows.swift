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
  var greatest = SIMD4<Float>(repeating: -.infinity)
  var row = 0
  while row &+ 4 <= scan.count {
    let scores = scoresOfFour(scan, row, last: row &+ 3, start: start)
    UnsafeMutableRawPointer(scan.scores + row).storeBytes(of: scores, as: SIMD4<Float>.self)
    greatest = greatest.replacing(with: scores, where: scores .> greatest)
    row &+= 4
  }
  if row < scan.count {
    let scores = scoresOfFour(scan, row, last: scan.count &- 1, start: start)
    greatest = greatest.replacing(with: scores, where: scores .> greatest)
    var lane = 0
    while row &+ lane < scan.count {
      scan.scores[row &+ lane] = scores[lane]
      lane &+= 1
    }
  }
  var result = greatest[0]
  for lane in 1..<4 where greatest[lane] > result { result = greatest[lane] }
  return result
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

/// How many rows ahead memory is asked for: the processor itself stops at the end of each page.
private let rowsAhead = 2

/// Scores of four rows from the one at `row`; the last one again where there are fewer.
@inline(__always)
private func scoresOfFour(_ scan: ApusRowScan, _ row: Int, last: Int, start: Int32Vector) -> SIMD4<Float> {
  let p0 = place(scan, row)
  let p1 = place(scan, min(row &+ 1, last))
  let p2 = place(scan, min(row &+ 2, last))
  let p3 = place(scan, min(row &+ 3, last))
  let s0 = products(scan, row, p0, start: start)
  let s1 = products(scan, row &+ 1, p1, start: start)
  let s2 = products(scan, row &+ 2, p2, start: start)
  let s3 = products(scan, row &+ 3, p3, start: start)
  let sums = apus_sum_lanes_of_four(s0, s1, s2, s3)
  let numbers = SIMD4(Float(sums[0]), Float(sums[1]), Float(sums[2]), Float(sums[3]))
  if scan.places == nil, last == row &+ 3 {
    // Scales lie far from their rows, and come a line at a time.
    apus_prefetch(scan.scales + (row &+ 64))
    return numbers * UnsafeRawPointer(scan.scales + row).loadUnaligned(as: SIMD4<Float>.self)
  }
  return numbers * SIMD4(scan.scales[p0], scan.scales[p1], scan.scales[p2], scan.scales[p3])
}

/// The sums of the products of the row at a place, in as many lanes. A row that comes soon is asked for meanwhile.
@inline(__always)
private func products(_ scan: ApusRowScan, _ row: Int, _ place: Int, start: Int32Vector) -> Int32Vector {
  let numbers = scan.rows + place &* scan.stride
  let ahead = scan.rows + placeAhead(scan, row) &* scan.stride
  var sums = start
  var offset = 0
  while offset < scan.stride {
    apus_prefetch(ahead + offset)
    sums = apus_dot_s8s8(sums, numbers.vector(offset), scan.query.vector(offset))
    offset &+= vectorBytes
  }
  return sums
}

@inline(__always)
private func place(_ scan: ApusRowScan, _ row: Int) -> Int {
  scan.places.map { Int($0[row]) } ?? row
}

/// Of consecutive rows the one ahead may be behind the last: nothing is read there.
@inline(__always)
private func placeAhead(_ scan: ApusRowScan, _ row: Int) -> Int {
  scan.places.map { Int($0[min(row &+ rowsAhead, scan.count &- 1)]) } ?? row &+ rowsAhead
}
