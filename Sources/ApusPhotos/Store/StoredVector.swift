import FoundationEssentials
import GRDB

/// A vector of a content by a model: unit length, half precision.
struct StoredVector: Sendable, Hashable {
  var values: [Float16]

  /// Brings a vector to length 1.
  init(_ vector: [Float]) {
    let length = vector.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
    values = vector.map { Float16(length > 0 ? Double($0) / length : 0) }
  }

  /// - Returns: nil for bytes that are no vector of that width.
  init?(_ data: Data, width: Int) {
    guard data.count == width * MemoryLayout<Float16>.size else { return nil }
    values = data.withUnsafeBytes { bytes in
      (0..<width).map {
        Float16(
          bitPattern: UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self)))
      }
    }
  }

  /// Two bytes for each value, the low one first.
  var data: Data {
    values.map(\.bitPattern.littleEndian).withUnsafeBytes { Data($0) }
  }

  /// The vector of a content; nil where the index has none by the model.
  static func find(_ key: ContentKey, by model: StoredModel, in database: Database) throws -> StoredVector? {
    try Data.fetchOne(
      database,
      sql: """
        SELECT v FROM vector JOIN content ON content.id = vector.content_id
        WHERE model_id = ? AND digest = ? AND bytes = ?
        """, arguments: [model.id, key.digest.data, key.byteCount]
    ).flatMap { StoredVector($0, width: model.width) }
  }

  /// The vector of the content with an id.
  static func find(_ content: Int64, by model: StoredModel, in database: Database) throws -> StoredVector? {
    try Data.fetchOne(
      database.cachedStatement(sql: "SELECT v FROM vector WHERE model_id = ? AND content_id = ?"),
      arguments: [model.id, content]
    ).flatMap { StoredVector($0, width: model.width) }
  }

  /// Writes the vector, unless there is one.
  /// - Returns: whether it was written.
  func store(of content: Int64, by model: Int64, in database: Database) throws -> Bool {
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO vector (model_id, content_id, v) VALUES (?, ?, ?)"
    ).execute(arguments: [model, content, data])
    return database.changesCount > 0
  }
}
