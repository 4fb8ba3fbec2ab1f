import Kernels
import Synchronization
import TensorCore

/// The vectors of an index for one model as rows of bytes: a mapped file that is derived from the database, and made
/// anew whenever it is not what the database says.
///
/// Opening it reads its header and checks the rows of its last group, which are those that an interrupted append may
/// have left unwritten; that takes a fraction of a millisecond for any number of rows. Every row has a check of its
/// own: those that a search finds are held to it, and ``firstFault(threads:)`` holds all of them to it.
///
/// It shows the rows that were there when it was opened; those that others add are seen by opening it again. Rows that
/// others remove are left out at once.
package final class VectorFile: Sendable {
  package let path: String
  let layout: VectorFileLayout
  let header: VectorFileHeader
  private let mapping: MappedFile
  private let bytes: TensorStorage
  private let greatestScaleBits = Atomic<UInt32>(.max)

  private init(_ mapping: MappedFile, _ layout: VectorFileLayout, _ header: VectorFileHeader) {
    path = mapping.path
    bytes = mapping.storage
    (self.mapping, self.layout, self.header) = (mapping, layout, header)
  }

  /// The file of a model's vectors.
  /// - Parameters:
  ///   - width: numbers of a vector.
  ///   - model: the digest of the model, at most 64 bytes.
  ///   - revision: the state of the database that the file has to be of; nil for any.
  /// - Throws: why it has to be made anew.
  package static func open(
    _ path: String, width: Int, model: [UInt8], revision: Int64? = nil
  ) throws(VectorFileFault) -> VectorFile {
    do {
      return try mapped(path, width: width, model: model, revision: revision)
    } catch {
      // Somebody may be writing the header, or have added rows behind what was mapped. Whoever has the lock sees it whole.
      guard error.mayBeOfWriter, let lock = try? FileLock(path, .shared) else { throw error }
      return try withExtendedLifetime(lock) { () throws(VectorFileFault) in
        try mapped(path, width: width, model: model, revision: revision)
      }
    }
  }

  private static func mapped(
    _ path: String, width: Int, model: [UInt8], revision: Int64?
  ) throws(VectorFileFault) -> VectorFile {
    guard FileSystem.exists(path) else { throw .missing }
    let mapping: MappedFile
    do { mapping = try MappedFile(path) } catch { throw .unreadable(error.problem) }
    let header = try VectorFileHeader(headerBytes(mapping))
    let layout = try header.layout(
      width: width, model: model, revision: revision, byteCount: mapping.byteCount)
    let file = VectorFile(mapping, layout, header)
    let lastGroup =
      max(0, header.rowCount - 1) / VectorFileLayout.rowsPerGroup * VectorFileLayout.rowsPerGroup
    if let row = file.firstFault(among: lastGroup..<header.rowCount) { throw .damaged("row \(row)") }
    return file
  }

  private static func headerBytes(_ mapping: MappedFile) -> [UInt8] {
    Array(
      UnsafeRawBufferPointer(
        start: mapping.storage.base, count: min(mapping.byteCount, VectorFileHeader.byteCount)))
  }

  /// Numbers of a vector.
  package var width: Int { layout.width }
  /// Rows, removed ones among them.
  package var rowCount: Int { header.rowCount }
  /// Rows that were not removed when the file was opened.
  package var count: Int { header.rowCount - header.removedCount }
  /// The state of the database that it is of.
  package var revision: Int64 { header.revision }
  /// Whether so many rows are removed that making the file anew saves a fifth of a search.
  package var isWorthCompacting: Bool {
    header.removedCount > 1024 && header.removedCount > header.rowCount / 5
  }

  /// The contents whose vectors it has, in the order of their rows.
  package var contentIDs: [Int64] {
    var contents: [Int64] = []
    contents.reserveCapacity(count)
    forEachContent { _, id in contents.append(id) }
    return contents
  }

  /// The rows of some contents, in ascending order; those that it has no vectors of are left out.
  /// - Parameter contents: in any order.
  package func rows(of contents: [Int64]) -> [Int32] {
    let wanted = contents.sorted()
    guard !wanted.isEmpty else { return [] }
    var rows: [Int32] = []
    // The place of the least wanted id that is no less than the row's: rows mostly come in the order of ids.
    var place = 0
    var previous: Int64 = -1
    forEachContent { row, id in
      if id < previous { place = wanted.firstPlace(atLeast: id) }
      while place < wanted.count, wanted[place] < id { place += 1 }
      previous = id
      if place < wanted.count, wanted[place] == id { rows.append(row) }
    }
    return rows
  }

  /// The rows that are not removed, in order, and their contents.
  private func forEachContent(_ body: (Int32, Int64) -> Void) {
    for first in stride(from: 0, to: rowCount, by: VectorFileLayout.rowsPerGroup) {
      let ids = base + layout.place(of: first).id
      for row in first..<min(first + VectorFileLayout.rowsPerGroup, rowCount) {
        let id = ids.load(fromByteOffset: 8 * (row - first), as: Int64.self)
        if id >= 0 { body(Int32(truncatingIfNeeded: row), id) }
      }
    }
  }

  /// The first row whose bytes are not as they were written; nil where all are.
  package func firstFault(threads: Int = HostLimits.threads) -> VectorFileFault? {
    let groups = (rowCount + VectorFileLayout.rowsPerGroup - 1) / VectorFileLayout.rowsPerGroup
    let faults = [Int](unsafeUninitializedCapacity: groups) { faults, count in
      // Every thread writes elements of its own.
      nonisolated(unsafe) let faults = faults
      ThreadPool.shared.parallel(count: groups, grain: 1, threads: threads) { range, _ in
        for group in range {
          let start = group * VectorFileLayout.rowsPerGroup
          let end = min(start + VectorFileLayout.rowsPerGroup, rowCount)
          faults[group] = firstFault(among: start..<end) ?? -1
        }
      }
      count = groups
    }
    guard let row = faults.first(where: { $0 >= 0 }) else { return mapping.isDamaged ? becameShorter : nil }
    return .damaged("row \(row)")
  }

  private func firstFault(among rows: Range<Int>) -> Int? { rows.first { !isSound($0) } }

  /// Whether a row is as it was written.
  func isSound(_ row: Int) -> Bool {
    let place = layout.place(of: row)
    let numbers = UnsafeRawBufferPointer(start: base + place.numbers, count: layout.stride)
    let scale = base.load(fromByteOffset: place.scale, as: Float.self)
    let check = QuantizedRow.check(numbers, scale: scale, contentID: max(id(row), ~id(row)))
    return base.load(fromByteOffset: place.check, as: UInt32.self) == check
  }

  /// The greatest scale of a row, looked for when it is first asked for.
  var greatestScale: Float {
    let known = greatestScaleBits.load(ordering: .relaxed)
    guard known == .max else { return Float(bitPattern: known) }
    // Scales are not negative, and the bits of such numbers have their order.
    var greatest: UInt32 = 0
    for first in stride(from: 0, to: rowCount, by: VectorFileLayout.rowsPerGroup) {
      let scales = (base + layout.place(of: first).scale).assumingMemoryBound(to: UInt32.self)
      for index in 0..<min(VectorFileLayout.rowsPerGroup, rowCount - first) {
        greatest = max(greatest, scales[index])
      }
    }
    greatestScaleBits.store(greatest, ordering: .relaxed)
    return Float(bitPattern: greatest)
  }

  /// - Throws: when bytes were read that the file no longer had.
  func checkUndamaged() throws(VectorFileFault) { if mapping.isDamaged { throw becameShorter } }

  private var becameShorter: VectorFileFault {
    .damaged("its end, which went away while the file was in use,")
  }

  /// The content of a row; the complement of its id, which is negative, once it is removed.
  func id(_ row: Int) -> Int64 { base.load(fromByteOffset: layout.place(of: row).id, as: Int64.self) }

  var base: UnsafeRawPointer { UnsafeRawPointer(bytes.base) }
}

extension VectorFileHeader {
  /// The layout of a file that has this header and so many bytes, where it is the one that is wanted.
  func layout(
    width: Int, model: [UInt8], revision: Int64?, byteCount: Int
  ) throws(VectorFileFault) -> VectorFileLayout {
    guard self.model == model else { throw .otherModel }
    guard self.width == width, let layout = VectorFileLayout(width: width) else {
      throw .width(found: self.width, expected: width)
    }
    if let revision, self.revision != revision {
      throw .revision(found: self.revision, expected: revision)
    }
    let needed = layout.fileByteCount(rows: rowCount)
    guard byteCount >= needed else { throw .short(found: byteCount, expected: needed) }
    return layout
  }
}

extension [Int64] {
  /// The place of the first element that is no less, in ascending order.
  fileprivate func firstPlace(atLeast number: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
