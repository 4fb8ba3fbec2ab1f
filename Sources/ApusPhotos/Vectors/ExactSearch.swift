import TensorCore

/// The contents of a vector file in the exact order of their stored vectors, produced on demand.
///
/// The rows of bytes are looked through once, and again with eight times as many candidates whenever those are not enough
/// to tell what comes next.
package struct ExactSearch {
  private let file: VectorFile
  private let query: [Float]
  private let rows: VectorFile.Rows
  private let threads: Int
  private var capacity: Int
  private var ranking: VectorRanking
  /// How many were given.
  private var count = 0

  /// - Parameters:
  ///   - query: of any length but 0.
  ///   - results: how many are likely to be asked for.
  ///   - threads: at most so many; a second one helps from 4 MB of rows on.
  /// - Throws: as ``VectorFile/nearest(to:among:count:threads:)``.
  package init(
    _ file: VectorFile, to query: [Float], among rows: VectorFile.Rows = .all, results: Int, threads: Int = 1
  ) throws(ApusError) {
    (self.file, self.query, self.rows, self.threads) = (file, query, rows, threads)
    let (four, overflow) = results.multipliedReportingOverflow(by: 4)
    capacity = overflow ? .max : max(64, four)
    ranking = VectorRanking(
      try file.nearest(to: query, among: rows, count: capacity, threads: threads), to: query)
  }

  /// The next; nil after the last.
  /// - Parameter vector: the stored vector of a content; nil where it is gone meanwhile.
  /// - Throws: as ``VectorFile/nearest(to:among:count:threads:)``, ``VectorRanking/next(vector:)``, and what `vector`
  ///   throws.
  package mutating func next(
    vector: (Int64) throws -> [Float]?
  ) throws -> VectorMatch? {
    while true {
      if let match = try ranking.next(vector: vector) {
        count += 1
        return match
      }
      guard !ranking.isComplete else { return nil }
      try widen()
      for _ in 0..<count { _ = try ranking.next(vector: vector) }
    }
  }

  private mutating func widen() throws(ApusError) {
    let (more, overflow) = capacity.multipliedReportingOverflow(by: 8)
    capacity = overflow ? .max : more
    ranking = VectorRanking(
      try file.nearest(to: query, among: rows, count: capacity, threads: threads), to: query)
  }
}
