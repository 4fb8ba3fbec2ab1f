import GRDB
import TensorCore

/// A file below a root as the index has it.
struct StoredFile: Sendable, Hashable {
  var id: Int64
  var content: Int64?
  var stamp: FileStamp
  /// The number of the disk that it was on.
  var device: Int
  var isMissing: Bool
  /// Whether it could not be read when that was last tried. It has the content that it had before.
  var isFailed: Bool

  /// The files of a root by their paths from it.
  /// - Parameter below: a folder, or a file, of the root; empty for all.
  static func all(of root: Int64, below: String, in database: Database) throws -> [ExactText: StoredFile] {
    let paths = PathsBelow(below)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT path, id, content_id, size, modified, inode, device, missing_since IS NOT NULL,
          error IS NOT NULL
        FROM file WHERE root_id = ? AND \(paths.condition)
        """, arguments: paths.arguments(behind: [root]))
    var files: [ExactText: StoredFile] = [:]
    while let row = try rows.next() {
      files[ExactText(try row.at(0))] = try StoredFile(
        id: row.at(1), content: row.at(2),
        stamp: FileStamp(size: row.at(3), modified: row.at(4), inode: row.at(5)), device: row.at(6),
        isMissing: row.at(7), isFailed: row.at(8))
    }
    return files
  }

  /// Whether the files of a disk lie where they were, as far as the index has any: one of them as it was, or
  /// most of them with their sizes and times. Disks of the network and of cameras may number their files anew
  /// with every mount, and a copy of a disk does.
  /// - Parameters:
  ///   - place: where they are looked for: the folder of the root that is on the disk.
  ///   - below: the path of that from the root; empty for the root itself.
  ///   - disk: as it is known.
  static func lie(
    in place: WalkRoot, of root: StoredRoot, below: String = "", knownOn disk: RootDisk, in database: Database
  ) throws -> Bool {
    let paths = PathsBelow(below)
    // Those of a disk that is mounted below say nothing of this one.
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT path, size, modified, inode FROM file
        WHERE root_id = ? AND \(paths.condition) AND device = ? AND missing_since IS NULL
        """, arguments: paths.arguments(behind: [root.id], before: [disk.device]))
    var (count, alike) = (0, 0)
    while let row = try rows.next() {
      let path: String = try row.at(0)
      let known = try FileStamp(size: row.at(1), modified: row.at(2), inode: row.at(3))
      count += 1
      guard let name = below.isEmpty ? path : ExactText(path).below(below),
        let found = place.version(of: name).map({ FileStamp($0) })
      else { continue }
      if found == known { return true }
      if found.size == known.size, found.modified == known.modified { alike += 1 }
    }
    return count == 0 || alike > count / 2
  }

  /// Writes what a path below a root holds now.
  static func store(
    _ item: IndexPlan.Item, of root: Int64, content: Int64, in database: Database
  ) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO file (root_id, path, content_id, size, modified, inode, device)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (root_id, path) DO UPDATE SET
          content_id = excluded.content_id, size = excluded.size, modified = excluded.modified,
          inode = excluded.inode, device = excluded.device, error = NULL, missing_since = NULL
        """
    ).execute(arguments: [
      root, item.path, content, item.stamp.size, item.stamp.modified, item.stamp.inode, item.device,
    ])
  }

  /// Writes why what a path below a root holds could not be read. What is known of the path stays, with the stamp that
  /// it is of, so that the file is tried again.
  static func fail(
    _ item: IndexPlan.Item, of root: Int64, error: String, in database: Database
  ) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO file (root_id, path, size, modified, inode, device, error) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (root_id, path) DO UPDATE SET error = excluded.error, missing_since = NULL
        """
    ).execute(arguments: [
      root, item.path, item.stamp.size, item.stamp.modified, item.stamp.inode, item.device, error,
    ])
  }

  /// Finds the few that failed, and looks at none of the thousands of links that a file may have.
  static let forgetFailures = """
    UPDATE file SET error = NULL
    WHERE inode = ? AND device = ? AND error IS NOT NULL AND missing_since IS NOT NULL
    """

  /// Takes note that a file was read: what failed under names that it has no more says nothing of it now.
  static func wasRead(_ item: IndexPlan.Item, in database: Database) throws {
    try database.cachedStatement(sql: forgetFailures).execute(arguments: [item.stamp.inode, item.device])
  }

  /// Says of files that they are not there any more, or are again. What was there when its root was last
  /// walked is not missing for longer, whatever the clock says: some begin at 1970 until the network tells the
  /// time.
  /// - Parameter time: since when they are not there; nil for what is.
  static func mark(_ ids: some Sequence<Int64>, missingSince time: Int64?, in database: Database) throws {
    // SQLite's max of NULL and anything is NULL.
    let statement = try database.cachedStatement(
      sql: """
        UPDATE file
        SET missing_since = max(?, coalesce((SELECT scanned_at FROM root WHERE root.id = root_id), 0))
        WHERE id = ? AND (missing_since IS NULL) = ?
        """)
    for id in ids { try statement.execute(arguments: [time, id, time != nil]) }
  }

  /// The beginning of 2025, in seconds since 1970: no index is older, and a clock that says so was not set.
  static let earliestTime: Int64 = 1_735_689_600

  /// Dates what is missing from a root as of now where a clock did that which was not set.
  static func dateMissing(of root: Int64, at time: Int64, in database: Database) throws {
    guard time >= earliestTime else { return }
    try database.execute(
      sql: "UPDATE file SET missing_since = ? WHERE root_id = ? AND missing_since < ?",
      arguments: [time, root, earliestTime])
  }

  /// Forgets a file that has another name now.
  static func remove(_ id: Int64, in database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM file WHERE id = ?").execute(arguments: [id])
  }

  /// Takes note of the disk that a file is on.
  static func move(_ id: Int64, to device: Int, in database: Database) throws {
    try database.cachedStatement(sql: "UPDATE file SET device = ? WHERE id = ?")
      .execute(arguments: [device, id])
  }

  /// Takes note of a disk that has another number now.
  /// - Parameters:
  ///   - below: the folder of the root that is on it; empty for the root itself.
  ///   - others: the paths from the root of folders on other disks, which may have had the same number once.
  static func move(
    of root: Int64, below: String = "", but others: [String] = [], fromDevice old: Int, to new: Int,
    in database: Database
  ) throws {
    let (paths, folders) = (PathsBelow(below), others.map { PathsBelow($0) })
    try database.execute(
      sql: "UPDATE file SET device = ? WHERE root_id = ? AND \(paths.condition) AND device = ?"
        + folders.map { " AND NOT (\($0.condition))" }.joined(),
      arguments: folders.reduce(paths.arguments(behind: [new, root], before: [old])) {
        $1.arguments(behind: $0)
      })
  }
}
