import GRDB
import TensorCore

extension PhotoIndex {
  /// Takes in all that another index has: folders, photographs, and vectors of every model. What both have stays as it
  /// is here.
  /// - Parameter other: the folder of the other index, which is not changed.
  /// - Throws: ``ApusError`` of kind `file` when either cannot be read, or this one not be written; nothing is taken in
  ///   then.
  public func merge(_ other: String) throws(ApusError) {
    let lock = try StoreLock(folder)
    try withExtendedLifetime(lock) { () throws(ApusError) in
      // It is opened as any index is, so that one that is damaged or by a newer Apus is refused.
      _ = try PhotoStore(openingAt: other)
      try store.bringUp()
      try store.attaching(PhotoStore.path(other), as: "other") { database in
        for statement in Self.statements { try database.execute(sql: statement) }
      }
      for model in try store.read({ try StoredModel.all(in: $0) }) {
        try StoredVectors(store, model).bringUp()
      }
    }
  }

  private static let contents =
    "digest, bytes, format, width, height, taken_at, zone, camera, latitude, longitude, hash, error"
  private static let models = "name, digest, precision, decoding, profile, width, path, stamp, used_at"

  /// `WHERE true` tells the parser that `ON` belongs to what is written.
  private static let statements = [
    "INSERT INTO content (\(contents)) SELECT \(contents) FROM other.content WHERE true ON CONFLICT DO NOTHING",
    """
    INSERT INTO root (path, device, file_system, excluded, scanned_at)
    SELECT path, device, file_system, excluded, scanned_at FROM other.root WHERE true ON CONFLICT DO NOTHING
    """,
    """
    INSERT INTO file (root_id, path, content_id, size, modified, inode, device, error, missing_since)
    SELECT root.id, theirs.path, content.id, theirs.size, theirs.modified, theirs.inode, theirs.device, theirs.error,
      theirs.missing_since
    FROM other.file AS theirs
    JOIN other.root AS their_root ON their_root.id = theirs.root_id
    JOIN main.root AS root ON root.path = their_root.path
    LEFT JOIN other.content AS their_content ON their_content.id = theirs.content_id
    LEFT JOIN main.content AS content
      ON content.digest = their_content.digest AND content.bytes = their_content.bytes
    WHERE true ON CONFLICT DO NOTHING
    """,
    "INSERT INTO model (\(models)) SELECT \(models) FROM other.model WHERE true ON CONFLICT DO NOTHING",
    """
    INSERT INTO vector (model_id, content_id, v)
    SELECT model.id, content.id, theirs.v
    FROM other.vector AS theirs
    JOIN other.model AS their_model ON their_model.id = theirs.model_id
    JOIN main.model AS model ON model.digest = their_model.digest
    JOIN other.content AS their_content ON their_content.id = theirs.content_id
    JOIN main.content AS content
      ON content.digest = their_content.digest AND content.bytes = their_content.bytes
    WHERE true ON CONFLICT DO NOTHING
    """,
    "UPDATE model SET revision = revision + 1",
  ]
}
