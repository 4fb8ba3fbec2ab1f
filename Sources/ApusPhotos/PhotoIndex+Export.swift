import GRDB
import Kernels
import TensorCore

extension PhotoIndex {
  /// Writes the photographs and their vectors to a file for another program: a row for each photograph of which a file is
  /// there, with the path of its first.
  /// - Parameters:
  ///   - path: the file.
  ///   - format: its form.
  ///   - model: the model of the vectors, if the index has several; nil for the one used last.
  /// - Returns: how many photographs, and the paths of the files.
  /// - Throws: ``ApusError``: kind `file` when the index cannot be read or the file not be written, `argument` for a model
  ///   that nothing was indexed with, or a file that the index or one of its photographs is.
  @discardableResult
  public func export(
    to path: String, as format: PhotoExport.Format, model: String? = nil
  ) throws(ApusError) -> (count: Int, files: [String]) {
    let stored = try StoredModel.named(model, in: store)
    for file in format.paths(path) { try checkOutput(file) }
    let export = try PhotoExport(to: path, as: format, width: stored.width)
    try store.read(repeats: false) { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT content.id, digest, width, height, taken_at, zone, camera, latitude, longitude, v
          FROM vector JOIN content ON content.id = content_id WHERE model_id = ? ORDER BY content.id
          """, arguments: [stored.id])
      while let row = try rows.next() {
        guard let path = try Photo.paths(of: row.at(0), in: database).first,
          let vector = StoredVector(try row.at(9), width: stored.width)
        else { continue }
        try export.write(try ExportRecord(row, path: path, vector: vector.values))
      }
    }
    return (export.count, try export.finish())
  }
}

extension ExportRecord {
  fileprivate init(_ row: Row, path: String, vector: [Float]) throws {
    let clock: Int64? = try row.at(4)
    let zone: Int64? = try row.at(5)
    try self.init(
      path: path, digest: ContentDigest(row.at(1))?.hexadecimal ?? "", width: row.at(2) ?? 0,
      height: row.at(3) ?? 0,
      takenAt: clock.map { $0 &- (zone ?? 0) }, isTakenByClock: zone == nil, camera: row.at(6),
      latitude: row.at(7), longitude: row.at(8),
      vector: vector)
  }
}
