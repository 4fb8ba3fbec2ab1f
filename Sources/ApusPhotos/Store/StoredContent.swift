import GRDB
import Kernels
import TensorCore

/// The identity of a file's content: a digest of 128 bits, and the number of bytes.
struct ContentKey: Sendable, Hashable {
  var digest: ContentDigest
  var byteCount: Int

  init(digest: ContentDigest, byteCount: Int) { (self.digest, self.byteCount) = (digest, byteCount) }

  init(_ bytes: [UInt8]) {
    digest = bytes.withUnsafeBytes { ContentDigest($0) }
    byteCount = bytes.count
  }
}

/// The stored facts about a picture's content, besides its vectors.
struct StoredContent: Sendable, Hashable {
  var key: ContentKey
  var facts: PictureFacts
  /// Why it cannot be decoded; it is tried again when it changes, or the conditions do.
  var error: String?
  var conditions: DecodingConditions
}

extension StoredContent {
  /// The id of the content with a key for which nothing is left to do: it has a vector by a model, or cannot have one.
  static func finished(
    _ key: ContentKey, by model: Int64, under conditions: DecodingConditions, in database: Database
  ) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id FROM content WHERE digest = ? AND bytes = ? AND (error IS NOT NULL AND conditions IS ? OR EXISTS
            (SELECT 1 FROM vector WHERE model_id = ? AND content_id = content.id))
          """), arguments: [key.digest.data, key.byteCount, conditions.text, model])
  }

  /// Why a content cannot be decoded; nil for a picture.
  static func error(of content: Int64, in database: Database) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(sql: "SELECT error FROM content WHERE id = ? AND error IS NOT NULL"),
      arguments: [content])
  }

  /// The contents for which something is left to do: they have no vector by a model, and did not fail under these
  /// conditions.
  /// - Parameters:
  ///   - root: whose files have the contents; others may be among them.
  ///   - below: a folder, or a file, of the root; empty for all.
  static func unfinished(
    of root: Int64, below: String, by model: Int64, under conditions: DecodingConditions,
    in database: Database
  ) throws -> Set<Int64> {
    let left = """
      (error IS NULL OR conditions IS NOT ?) AND NOT EXISTS
        (SELECT 1 FROM vector WHERE model_id = ? AND content_id = content.id)
      """
    guard !below.isEmpty else {
      return try Int64.fetchSet(
        database, sql: "SELECT id FROM content WHERE \(left)", arguments: [conditions.text, model])
    }
    let paths = PathsBelow(below)
    return try Int64.fetchSet(
      database,
      sql: """
        SELECT id FROM content
        WHERE id IN (SELECT content_id FROM file WHERE root_id = ? AND \(paths.condition)) AND \(left)
        """, arguments: paths.arguments(behind: [root], before: [conditions.text, model]))
  }

  /// Writes the content, or what is known of it now. One that has a vector was decoded, whatever comes of it now.
  /// - Returns: its id.
  func store(in database: Database) throws -> Int64 {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO content
          (digest, bytes, format, width, height, taken_at, zone, camera, latitude, longitude, hash, error, conditions)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (digest, bytes) DO UPDATE SET
          format = excluded.format, width = excluded.width, height = excluded.height, taken_at = excluded.taken_at,
          zone = excluded.zone, camera = excluded.camera, latitude = excluded.latitude,
          longitude = excluded.longitude, hash = excluded.hash, error = excluded.error,
          conditions = excluded.conditions
        WHERE NOT EXISTS (SELECT 1 FROM vector WHERE content_id = content.id)
        """)
    try statement.execute(arguments: [
      key.digest.data, key.byteCount, facts.format, facts.width, facts.height, facts.takenAt, facts.zone,
      facts.camera, facts.latitude, facts.longitude, facts.hash.map { Int64(bitPattern: $0) }, error,
      conditions.text,
    ])
    let id = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT id FROM content WHERE digest = ? AND bytes = ?"),
      arguments: [key.digest.data, key.byteCount])
    return id ?? database.lastInsertedRowID
  }
}
