import GRDB
import TensorCore

/// The tables of an index. A vector belongs to the content of a picture, never to a path: a file that is moved, copied
/// or renamed is another row of `file` over the same content.
///
/// Times are seconds since 1970 but for a file's own, in nanoseconds; paths are texts as ``FileName`` makes them.
enum StoreSchema {
  /// `PRAGMA application_id` of an index: "Apus".
  static let applicationID = 0x41_70_75_73

  static let firstVersion = "1: roots, contents, files, models, vectors"

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration(firstVersion) { database in
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.execute(sql: tables)
    }
    // The tables are the same. A program that knows vectors of two bytes a number only must not open the index: it would
    // find nothing of the others.
    migrator.registerMigration("2: vectors in float32", foreignKeyChecks: .immediate) { _ in }
    migrator.registerMigration("3: disks by their volumes", foreignKeyChecks: .immediate) { database in
      try database.execute(sql: disks)
    }
    migrator.registerMigration("4: files that are being read", foreignKeyChecks: .immediate) { database in
      try database.execute(sql: readings)
    }
    return migrator
  }

  /// - Throws: ``ApusError`` of kind `file` for a database that is no index, or is by a newer Apus.
  static func check(_ database: Database, _ folder: String) throws {
    let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    // The table of versions comes first, in a transaction of its own.
    let isEmpty =
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'") == 0
    guard application == applicationID || isEmpty else {
      throw ApusError(.file, "index.sqlite is a database of another program", file: folder)
    }
    guard try !migrator.hasBeenSuperseded(database) else {
      throw ApusError(
        .file, "the index is by a newer Apus than \(ApusVersion.current)", file: folder,
        advice: "Update this one, or index into another folder.")
    }
  }

  /// Whether an index knows of volumes and parts: one of an earlier version, which is only read, does not.
  /// - Parameter schema: the name of the attached index that is meant.
  static func hasDisks(_ schema: String, in database: Database) throws -> Bool {
    let count = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM pragma_table_info('root', ?) WHERE name = 'volume'",
      arguments: [schema])
    return count == 1
  }

  /// Since the fourth version: see ``StoredReading``. Files that could not be read are found by their numbers without a look
  /// at the links to them, of which there may be thousands.
  private static let readings = """
    CREATE TABLE reading (
      inode INTEGER NOT NULL,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      ends INTEGER NOT NULL DEFAULT 0,
      is_open INTEGER NOT NULL,
      PRIMARY KEY (inode, size, modified)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX file_failed ON file (inode, device) WHERE error IS NOT NULL;
    """

  /// Since the third version.
  private static let disks = """
    ALTER TABLE root ADD COLUMN volume TEXT;

    CREATE TABLE part (
      root_id INTEGER NOT NULL REFERENCES root ON DELETE CASCADE,
      path TEXT NOT NULL,
      device INTEGER NOT NULL,
      file_system INTEGER NOT NULL,
      volume TEXT,
      PRIMARY KEY (root_id, path)
    ) STRICT;

    CREATE INDEX file_number ON file (inode, device);
    """

  private static let tables = """
    CREATE TABLE root (
      id INTEGER PRIMARY KEY,
      path TEXT NOT NULL UNIQUE,
      device INTEGER,
      file_system INTEGER,
      excluded TEXT NOT NULL DEFAULT '',
      scanned_at INTEGER
    ) STRICT;

    CREATE TABLE content (
      id INTEGER PRIMARY KEY,
      digest BLOB NOT NULL,
      bytes INTEGER NOT NULL,
      format TEXT,
      width INTEGER,
      height INTEGER,
      taken_at INTEGER,
      zone INTEGER,
      camera TEXT,
      latitude REAL,
      longitude REAL,
      hash INTEGER,
      error TEXT,
      conditions TEXT,
      UNIQUE (digest, bytes)
    ) STRICT;
    CREATE INDEX content_taken ON content (taken_at);

    CREATE TABLE file (
      id INTEGER PRIMARY KEY,
      root_id INTEGER NOT NULL REFERENCES root ON DELETE CASCADE,
      path TEXT NOT NULL,
      content_id INTEGER REFERENCES content,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      device INTEGER NOT NULL,
      error TEXT,
      missing_since INTEGER,
      UNIQUE (root_id, path)
    ) STRICT;
    CREATE INDEX file_content ON file (content_id);

    CREATE TABLE model (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      digest BLOB NOT NULL UNIQUE,
      precision TEXT NOT NULL,
      decoding TEXT NOT NULL,
      profile TEXT NOT NULL,
      width INTEGER NOT NULL,
      revision INTEGER NOT NULL DEFAULT 0,
      path TEXT NOT NULL,
      stamp BLOB NOT NULL,
      used_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE vector (
      id INTEGER PRIMARY KEY,
      model_id INTEGER NOT NULL REFERENCES model ON DELETE CASCADE,
      content_id INTEGER NOT NULL REFERENCES content ON DELETE CASCADE,
      v BLOB NOT NULL,
      UNIQUE (model_id, content_id)
    ) STRICT;
    """
}
