import TensorCore

/// A vector file that is made anew, row by row, and takes its name in the end.
///
/// It keeps one group of rows in memory, whatever their number.
package final class VectorFileBuilder {
  private let layout: VectorFileLayout
  private var header: VectorFileHeader
  private let file: NewFile
  private var group: VectorGroup

  /// - Parameters:
  ///   - width: numbers of a vector, at most 65 536.
  ///   - model: the digest of the model, at most 64 bytes.
  /// - Throws: ``ApusError`` of kind `argument` for another width or digest, and of kind `file` when the folder
  ///   cannot be written.
  package init(replacing path: String, width: Int, model: [UInt8]) throws(ApusError) {
    guard let layout = VectorFileLayout(width: width) else {
      throw ApusError(.argument, "vectors of \(width) numbers", expected: "1 to 65536")
    }
    guard model.count <= VectorFileHeader.longestModel else {
      throw ApusError(
        .argument, "a model's digest of \(model.count) bytes",
        expected: "at most \(VectorFileHeader.longestModel)")
    }
    self.layout = layout
    header = VectorFileHeader(width: width, model: model, revision: 0)
    group = VectorGroup(layout)
    file = try NewFile(replacing: path)
    try file.write([UInt8](repeating: 0, count: VectorFileLayout.headerByteCount))
  }

  /// - Throws: ``ApusError`` of kind `argument` for a vector of another width or with numbers that are not finite, of
  ///   kind `file` for a full disk, say, and of kind `resources` for more than 2³¹ rows. The row is not added then.
  package func add(_ row: VectorRow) throws(ApusError) {
    guard header.rowCount < VectorFileLayout.mostRows else {
      throw ApusError(.resources, "more than \(VectorFileLayout.mostRows) vectors")
    }
    if group.isFull { try flush() }
    try group.add(row)
    header.rowCount += 1
  }

  private func flush() throws(ApusError) {
    guard group.count > 0 else { return }
    try file.write(group.bytes)
    group.removeAll()
  }

  /// Gives the file its name.
  /// - Parameter revision: the state of the database that the rows are of.
  package func commit(revision: Int64) throws(ApusError) {
    try flush()
    header.revision = revision
    try file.overwrite(header.bytes, at: 0)
    try file.commit()
  }
}

extension VectorFile {
  /// Makes a file anew from all vectors of a model.
  /// - Parameter revision: the state of the database that the rows are of.
  package static func rebuild(
    _ path: String, width: Int, model: [UInt8], revision: Int64, rows: some Sequence<VectorRow>
  ) throws(ApusError) {
    let builder = try VectorFileBuilder(replacing: path, width: width, model: model)
    for row in rows { try builder.add(row) }
    try builder.commit(revision: revision)
  }
}
