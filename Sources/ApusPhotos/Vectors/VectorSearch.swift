import Kernels
import TensorCore

// The rows nearest to a query, by one pass over the bytes of all rows, or of those that a filter leaves.
extension VectorFile {
  /// The rows among which the nearest are looked for.
  package enum Rows: Sendable {
    case all
    /// Some, in ascending order and once each, as ``rows(of:)`` gives them.
    case some([Int32])
  }

  /// The rows nearest to a query by their bytes. The same for any number of threads and on every instruction set.
  /// - Parameters:
  ///   - query: a vector of any length but 0.
  ///   - count: how many rows are wanted.
  ///   - threads: at most so many; a second one helps from 4 MB of rows on.
  /// - Throws: ``ApusError`` of kind `argument` for a query of another width or without direction; of kind `file` when
  ///   rows are not as they were written, and the file has to be made anew.
  package func nearest(
    to query: [Float], among rows: Rows = .all, count: Int, threads: Int = 1
  ) throws(ApusError) -> VectorCandidates {
    try nearest(to: [query], among: rows, count: count, threads: threads)[0]
  }

  /// The nearest contents for several queries, in one pass over memory.
  package func nearest(
    to queries: [[Float]], among rows: Rows = .all, count: Int, threads: Int = 1
  ) throws(ApusError) -> [VectorCandidates] {
    guard queries.allSatisfy({ $0.count == width }) else {
      throw ApusError(
        .argument, "a query of \(queries.first { $0.count != width }?.count ?? 0) numbers",
        expected: "\(width), as the vectors have")
    }
    let scan = try FileScan(self, queries, rows, capacity: max(1, min(count, rowCount)))
    let best = scan.best(threads: threads)
    do throws(VectorFileFault) {
      try checkUndamaged()
      for row in Set(best.flatMap(\.elements).map(\.row)) where !isSound(Int(row)) {
        throw VectorFileFault.damaged("row \(row)")
      }
    } catch {
      throw ApusError(
        .file, error.description, file: path, advice: "It is rebuilt from the index's database.")
    }
    return best
  }
}

/// One pass over rows for some queries.
private struct FileScan {
  /// The kernel is called for so many rows: their scores stay in the first-level cache, the rows in the second.
  private static let blockRows = 256
  /// A thread takes at least so many bytes: what is read in the time that a thread needs to wake up.
  private static let bytesPerChunk = 2 << 20

  private let file: VectorFile
  private let scans: [RowScan]
  private let scales: [Float]
  private let rows: VectorFile.Rows
  private let capacity: Int

  init(_ file: VectorFile, _ queries: [[Float]], _ rows: VectorFile.Rows, capacity: Int) throws(ApusError) {
    var (scans, scales): ([RowScan], [Float]) = ([], [])
    for query in queries {
      let (bytes, scale) = try QuantizedRow.query(query)
      scans.append(try RowScan(bytes))
      scales.append(scale)
    }
    if case .some(let places) = rows {
      guard places.allSatisfy({ 0..<Int32(truncatingIfNeeded: file.rowCount) ~= $0 }) else {
        throw ApusError(.argument, "a row that the file does not have", expected: "0 to \(file.rowCount - 1)")
      }
    }
    (self.file, self.scans, self.scales, self.rows, self.capacity) = (file, scans, scales, rows, capacity)
  }

  private var rowCount: Int {
    switch rows {
    case .all: file.rowCount
    case .some(let places): places.count
    }
  }

  /// For each query the best of all rows, in order.
  func best(threads: Int) -> [VectorCandidates] {
    let workers = (0..<max(1, threads)).map { _ in
      ScanWorker(queries: scans.count, capacity, Self.blockRows)
    }
    let blocks = (rowCount + Self.blockRows - 1) / Self.blockRows
    let grain = max(1, Self.bytesPerChunk / (Self.blockRows * file.layout.stride))
    ThreadPool.shared.parallel(count: blocks, grain: grain, threads: threads) { range, worker in
      for block in range {
        let start = block * Self.blockRows
        look(at: start..<min(start + Self.blockRows, rowCount), workers[worker])
      }
    }
    return scans.indices.map { query in
      var all = CandidateHeap(capacity: capacity)
      for worker in workers { worker.heaps[query].elements.forEach { all.add($0) } }
      let elements = all.elements.sorted { $0.isBefore($1) }.map {
        VectorCandidate(contentID: $0.contentID, row: $0.row, score: $0.score * scales[query])
      }
      return VectorCandidates(
        elements: elements,
        uncertainty: VectorCandidates.uncertainty(ofScales: file.greatestScale, scales[query]),
        areAll: elements.count < capacity || capacity == rowCount)
    }
  }

  /// A block of rows. Blocks of all rows lie within a group, as a group is whole blocks.
  private func look(at range: Range<Int>, _ worker: ScanWorker) {
    switch rows {
    case .all:
      let group = range.lowerBound / VectorFileLayout.rowsPerGroup
      look(
        at: nil, first: range.lowerBound % VectorFileLayout.rowsPerGroup, count: range.count, group: group,
        worker)
    case .some(let places):
      var start = range.lowerBound
      while start < range.upperBound {
        let group = Int(places[start]) / VectorFileLayout.rowsPerGroup
        let firstRow = Int32(truncatingIfNeeded: group * VectorFileLayout.rowsPerGroup)
        var end = start
        while end < range.upperBound, Int(places[end]) / VectorFileLayout.rowsPerGroup == group {
          worker.places[end - start] = places[end] - firstRow
          end += 1
        }
        look(at: worker.places, first: 0, count: end - start, group: group, worker)
        start = end
      }
    }
  }

  /// Rows of one group: those at `places` in it, or those from `first`.
  private func look(
    at places: UnsafeMutablePointer<Int32>?, first: Int, count: Int, group: Int, _ worker: ScanWorker
  ) {
    let layout = file.layout
    let start = file.base + layout.group(group)
    let rowScales = (start + layout.scales).assumingMemoryBound(to: Float.self)
    for (query, scan) in scans.enumerated() {
      let greatest = scan.scores(
        of: start + first * layout.stride, at: places.map { UnsafePointer($0) }, count: count,
        scales: rowScales + first,
        into: worker.scores)
      guard greatest >= worker.heaps[query].threshold else { continue }
      var threshold = worker.heaps[query].threshold
      for index in 0..<count where worker.scores[index] >= threshold {
        let row = group * VectorFileLayout.rowsPerGroup + (places.map { Int($0[index]) } ?? first + index)
        let id = file.id(row)
        guard id >= 0 else { continue }
        worker.heaps[query].add(
          VectorCandidate(
            contentID: id, row: Int32(truncatingIfNeeded: row), score: worker.scores[index]))
        threshold = worker.heaps[query].threshold
      }
    }
  }
}

/// The state of one thread of a scan.
///
/// Sendable although it is written: no two threads have the same one at a time.
private final class ScanWorker: @unchecked Sendable {
  var heaps: [CandidateHeap]
  let scores: UnsafeMutablePointer<Float>
  let places: UnsafeMutablePointer<Int32>

  init(queries: Int, _ capacity: Int, _ rows: Int) {
    heaps = Array(repeating: CandidateHeap(capacity: capacity), count: queries)
    scores = .allocate(capacity: rows)
    places = .allocate(capacity: rows)
  }

  deinit {
    scores.deallocate()
    places.deallocate()
  }
}
