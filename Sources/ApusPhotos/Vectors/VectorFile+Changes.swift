import TensorCore

// Changes of a file that others may have mapped. What they read stays where it is: rows are written behind the last
// one, and count once the header says so, which is written last and in one piece. A process that ends in between, at
// any instant, leaves the rows and the revision that there were.
extension VectorFile {
  /// The changes of a file.
  package enum Change: Sendable, Hashable {
    case done
    /// The file cannot be changed, and has to be made anew.
    case refused(VectorFileFault)
  }

  /// Adds rows behind the others, after the database has them.
  /// - Parameters:
  ///   - rows: of contents that the file does not have.
  ///   - revisions: the state of the database that the file is of, and the one that it is of then.
  /// - Throws: ``ApusError`` of kind `argument` for a vector that is not one of this file, and of kind `file` when
  ///   the system refuses: the file is as it was then.
  package static func append(
    _ rows: [VectorRow], to path: String, width: Int, model: [UInt8], from revision: Int64, to next: Int64
  ) throws(ApusError) -> Change {
    try change(path, width: width, model: model, from: revision) { (lock, layout, header) throws(ApusError) in
      guard rows.count <= VectorFileLayout.mostRows - header.rowCount else {
        throw ApusError(.resources, "more than \(VectorFileLayout.mostRows) vectors", file: path)
      }
      try lock.extend(to: layout.fileByteCount(rows: header.rowCount + rows.count))
      var group = VectorGroup(layout)
      for row in rows {
        try group.add(row)
        if (header.rowCount + group.count) % VectorFileLayout.rowsPerGroup == 0 {
          try group.write(to: lock, layout, at: header.rowCount)
          header.rowCount += group.count
          group.removeAll()
        }
      }
      try group.write(to: lock, layout, at: header.rowCount)
      header.rowCount += group.count
      header.revision = next
    }
  }

  /// Removes the rows of contents that are gone from the database. They stay in the file, marked.
  /// - Throws: ``ApusError`` of kind `file`.
  package static func remove(
    _ contents: Set<Int64>, from path: String, width: Int, model: [UInt8], from revision: Int64,
    to next: Int64
  ) throws(ApusError) -> Change {
    try change(path, width: width, model: model, from: revision) { (lock, layout, header) throws(ApusError) in
      for first in stride(from: 0, to: header.rowCount, by: VectorFileLayout.rowsPerGroup) {
        let rows = min(VectorFileLayout.rowsPerGroup, header.rowCount - first)
        let start = layout.place(of: first).id
        let ids = try lock.read(8 * rows, at: start)
        for row in 0..<ids.count / 8 {
          let id = ids.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8 * row, as: Int64.self) }
          guard contents.contains(id), id >= 0 else { continue }
          try withUnsafeBytes(of: ~id) { (bytes) throws(ApusError) in
            try lock.write(bytes, at: start + 8 * row)
          }
          header.removedCount += 1
        }
      }
      header.revision = next
    }
  }

  private static func change(
    _ path: String, width: Int, model: [UInt8], from revision: Int64,
    _ body: (FileLock, VectorFileLayout, inout VectorFileHeader) throws(ApusError) -> Void
  ) throws(ApusError) -> Change {
    guard FileSystem.exists(path) else { return .refused(.missing) }
    let lock = try FileLock(path, .exclusive)
    let layout: VectorFileLayout
    var header: VectorFileHeader
    let bytes = try lock.read(VectorFileHeader.byteCount, at: 0)
    do throws(VectorFileFault) {
      header = try VectorFileHeader(bytes)
      layout = try header.layout(width: width, model: model, revision: revision, byteCount: lock.byteCount)
    } catch {
      return .refused(error)
    }
    try body(lock, layout, &header)
    // Rows first: a header that the disk has before them would count what is not there.
    try lock.synchronize()
    try header.bytes.span.withUnsafeBytes { (bytes) throws(ApusError) in try lock.write(bytes, at: 0) }
    return .done
  }
}

extension VectorGroup {
  /// Appends rows to a file; all of them belong to one of its groups.
  fileprivate func write(to file: FileLock, _ layout: VectorFileLayout, at row: Int) throws(ApusError) {
    guard count > 0 else { return }
    let place = layout.place(of: row)
    try numbers.span.withUnsafeBytes { (bytes) throws(ApusError) in try file.write(bytes, at: place.numbers) }
    try scales.span.withUnsafeBytes { (bytes) throws(ApusError) in try file.write(bytes, at: place.scale) }
    try checks.span.withUnsafeBytes { (bytes) throws(ApusError) in try file.write(bytes, at: place.check) }
    try ids.span.withUnsafeBytes { (bytes) throws(ApusError) in try file.write(bytes, at: place.id) }
  }
}
