import GRDB
import Kernels
import TensorCore

/// What tells the content of a file from any other: 128 bits of its bytes, and how many they are.
struct ContentKey: Sendable, Hashable {
  var digest: ContentDigest
  var byteCount: Int

  init(_ bytes: [UInt8]) {
    digest = bytes.withUnsafeBytes { ContentDigest($0) }
    byteCount = bytes.count
  }
}

/// What is kept of a picture's content beside its vectors.
struct StoredContent: Sendable, Hashable {
  var key: ContentKey
  var facts: PictureFacts
  /// Why it is no picture that can be indexed; it is not tried again until it changes.
  var error: String?
}

extension StoredContent {
  /// The id of the content with a key; nil when it is not known.
  static func id(of key: ContentKey, in database: Database) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT id FROM content WHERE digest = ? AND bytes = ?"),
      arguments: [key.digest.data, key.byteCount])
  }

  /// The id of the content with a key for which nothing is left to do: it has a vector by a model, or cannot have one.
  static func finished(_ key: ContentKey, by model: Int64, in database: Database) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id FROM content WHERE digest = ? AND bytes = ? AND (error IS NOT NULL OR EXISTS
            (SELECT 1 FROM vector WHERE model_id = ? AND content_id = content.id))
          """), arguments: [key.digest.data, key.byteCount, model])
  }

  /// The contents for which something is left to do: they have no vector by a model, and no error.
  static func unfinished(by model: Int64, in database: Database) throws -> Set<Int64> {
    try Int64.fetchSet(
      database,
      sql: """
        SELECT id FROM content WHERE error IS NULL AND NOT EXISTS
          (SELECT 1 FROM vector WHERE model_id = ? AND content_id = content.id)
        """, arguments: [model])
  }

  /// Writes the content, unless it is known.
  /// - Returns: its id.
  func store(in database: Database) throws -> Int64 {
    if let id = try Self.id(of: key, in: database) { return id }
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO content
          (digest, bytes, format, width, height, taken_at, zone, camera, latitude, longitude, hash, error)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      key.digest.data, key.byteCount, facts.format, facts.width, facts.height, facts.takenAt, facts.zone,
      facts.camera,
      facts.latitude, facts.longitude, facts.hash.map { Int64(bitPattern: $0) }, error,
    ])
    return database.lastInsertedRowID
  }
}
