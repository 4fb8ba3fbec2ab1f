import TensorCore

/// What an ``Attention`` of the mask form ``Attention/MaskForm/buckets`` adds to its scaled products: for each head a
/// number of the query and one of the key, both for the bucket that their distance falls into.
///
/// The two matrices hold a number for each row and bucket, so that memory grows with the rows and not with their square where
/// many distances share a bucket; a mask is written for one piece of work at a time.
///
/// Source: He et al. 2021, "DeBERTa: Decoding-enhanced BERT with Disentangled Attention", section 3.1.
struct DistanceTerms: Sendable {
  /// Rows of a segment, at most.
  let length: Int
  private let buckets: Int
  private let queryRows: Int
  private let keyRows: Int
  /// The bucket of a key that stands 1 − L to L − 1 positions behind its query.
  private let table: [Int32]

  /// Queries of one piece of work, at most: with 512 keys its mask stays in the second-level cache.
  static let queriesPerPart = 128
  /// Keys whose numbers are read together: each lies in a row of its own, which has the buckets of further queries in
  /// the same lines of the cache.
  private static let keysTogether = 8

  private static let (queryIndex, keyIndex, tableIndex) = (5, 6, 7)

  /// - Throws: ``ApusError`` when operands 5 to 7 are not as ``Attention`` demands them.
  init(_ operands: Operands, heads: Int, queries: Int, keys: Int) throws(ApusError) {
    (queryRows, keyRows) = (queries, keys)
    var known: Int?
    for (index, role, rows) in [
      (Self.queryIndex, "the queries' terms", queries), (Self.keyIndex, "the keys' terms", keys),
    ] where operands.has(index) {
      let shape = try operands.input(index, role, of: [.float32], rank: 3).shape
      guard shape[0] == heads, shape[1] == rows, shape[2] > 0, known ?? shape[2] == shape[2] else {
        throw ApusError(
          .malformedModel, "\(Operands.place(index, role)) of shape \(shape)",
          expected: "[\(heads), \(rows), \(known.map { "\($0)" } ?? "buckets")]")
      }
      known = shape[2]
    }
    guard let found = known else {
      throw ApusError(.malformedModel, "no terms of queries or keys", expected: "one of them, or both")
    }
    buckets = found
    let numbers = try operands.requireIntegers(Self.tableIndex, "the buckets")
    guard numbers.count % 2 == 1 else {
      throw ApusError(
        .malformedModel, "buckets of \(numbers.count) distances", expected: "an odd number of them")
    }
    if let bad = numbers.first(where: { !(0..<found).contains($0) }) {
      throw ApusError(.malformedModel, "the bucket \(bad)", expected: "0 ..< \(found)")
    }
    length = (numbers.count + 1) / 2
    table = numbers.map { Int32(clamping: $0) }
  }

  /// Bytes of the mask of one piece of work.
  var maskByteCount: Int {
    [4, min(queryRows, Self.queriesPerPart), min(keyRows, length)].saturatingProduct
  }

  /// Writes what is added for some queries, a row for each, and the keys of their segment.
  /// - Parameter position: of the first query in the segment.
  func write(
    _ arguments: borrowing KernelArguments, head: Int, queries: Range<Int>, position: Int, keys: Range<Int>,
    to mask: UnsafeMutablePointer<Float>
  ) {
    let ofQueries = terms(arguments, Self.queryIndex, row: head * queryRows + queries.lowerBound)
    let ofKeys = terms(arguments, Self.keyIndex, row: head * keyRows + keys.lowerBound)
    let last = length - 1 - position
    table.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return }
      for first in stride(from: 0, to: keys.count, by: Self.keysTogether) {
        let count = min(Self.keysTogether, keys.count - first)
        for query in 0..<queries.count {
          let places = table + (last - query + first)
          let row = mask + (query * keys.count + first)
          switch (ofQueries.map { $0 + query * buckets }, ofKeys.map { $0 + first * buckets }) {
          case (let a?, let b?):
            for key in 0..<count {
              let place = Int(places[key])
              row[key] = a[place] + b[key &* buckets &+ place]
            }
          case (let a?, nil):
            for key in 0..<count { row[key] = a[Int(places[key])] }
          case (nil, let b?):
            for key in 0..<count { row[key] = b[key &* buckets &+ Int(places[key])] }
          case (nil, nil): break
          }
        }
      }
    }
  }

  private func terms(
    _ arguments: borrowing KernelArguments, _ index: Int, row: Int
  ) -> UnsafePointer<Float>? {
    arguments.inputAddress(index).map { ($0 + 4 * row * buckets).assumingMemoryBound(to: Float.self) }
  }
}
