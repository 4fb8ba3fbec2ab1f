import GRDB
import TensorCore

extension PhotoIndex {
  /// Takes in all that another index has: folders, photographs, and vectors of every model. What both have stays as it
  /// is here.
  /// - Parameter other: the folder of the other index, which is not changed.
  /// - Throws: ``ApusError`` of kind `file` when either cannot be read, or this one not be written, and `argument` when
  ///   both are one; nothing is taken in then.
  public func merge(_ other: String) throws(ApusError) {
    if let own = FileSystem.resolved(folder), let theirs = FileSystem.resolved(other),
      ExactText(own) == ExactText(theirs)
    {
      throw ApusError(
        .argument, "the index cannot be merged into itself", expected: "another index", file: other)
    }
    let lock = try StoreLock(folder)
    try withExtendedLifetime(lock) { () throws(ApusError) in
      try store.checkIdentity()
      // It is opened as any index is, so that one that is damaged or by a newer Apus is refused.
      _ = try PhotoStore(openingAt: other).read { try StoredModel.all(in: $0) }
      try store.bringUp()
      try store.attaching(PhotoStore.path(other), as: "other") { database in
        try database.execute(sql: Self.content)
        for root in try StoredRoot.all(of: "other", in: database) { try Self.take(root, in: database) }
        for statement in Self.vectors { try database.execute(sql: statement) }
      }
      for model in try store.read({ try StoredModel.all(in: $0) }) {
        try StoredVectors(store, model).bringUp()
      }
    }
  }

  private static let contents =
    "digest, bytes, format, width, height, taken_at, zone, camera, latitude, longitude, hash, error"
  private static let models = "name, digest, precision, decoding, profile, width, path, stamp, used_at"

  /// Takes in the files of a folder of the other index, which may lie in one of this index, or have some in it.
  private static func take(_ theirs: StoredRoot, in database: Database) throws {
    let known = try StoredRoot.all(in: database)
    // What the other index has was found by its own patterns, and has to be looked for by them.
    let (root, below) = try StoredRoot.containing(
      theirs.path, excluded: theirs.excluded, inherits: false, in: database)
    if !known.contains(where: { $0.id == root.id }) {
      try database.execute(
        sql: """
          UPDATE root SET device = ?, file_system = ?, volume = ?,
            scanned_at = (SELECT scanned_at FROM other.root WHERE id = ?) WHERE id = ?
          """,
        arguments: [theirs.disk?.device, theirs.disk?.fileSystem, theirs.disk?.volume, theirs.id, root.id])
      // Roots of this index that it has become one around.
      if let disk = theirs.disk { try StoredPart.removeThose(of: root.id, on: disk, in: database) }
    } else if !below.isEmpty, let disk = theirs.disk, !(root.disk.map { disk.isSame(as: $0) } ?? false) {
      try StoredPart(path: below, disk: disk).store(of: root.id, replacing: false, in: database)
    }
    for part in try StoredPart.all(of: theirs.id, in: "other", database) {
      try part.moved(below: below).store(of: root.id, replacing: false, in: database)
    }
    try database.execute(
      sql: files, arguments: [root.id, below, below.isEmpty ? "" : below + "/", theirs.id])
  }

  /// `WHERE true` tells the parser that `ON` belongs to what is written.
  private static let content =
    "INSERT INTO content (\(contents)) SELECT \(contents) FROM other.content WHERE true ON CONFLICT DO NOTHING"

  private static let files = """
    INSERT INTO file (root_id, path, content_id, size, modified, inode, device, error, missing_since)
    SELECT ?, CASE theirs.path WHEN '' THEN ? ELSE ? || theirs.path END, content.id, theirs.size,
      theirs.modified, theirs.inode, theirs.device, theirs.error, theirs.missing_since
    FROM other.file AS theirs
    LEFT JOIN other.content AS their_content ON their_content.id = theirs.content_id
    LEFT JOIN main.content AS content
      ON content.digest = their_content.digest AND content.bytes = their_content.bytes
    WHERE theirs.root_id = ? ON CONFLICT DO NOTHING
    """

  private static let vectors = [
    """
    INSERT INTO model (\(models), revision) SELECT \(models), \(StoredModel.anyRevision) FROM other.model
    WHERE true ON CONFLICT DO NOTHING
    """,
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
