import GRDB

/// The files that are being read, as the index has them: what a process that was ended was at. Each of them may have ended
/// it, by the memory that it takes or by a fault of a library.
enum StoredReading {
  /// A file that so many processes were at when they were ended is left out: the first at it and files that waited, the second
  /// at it and a few others, the rest at it alone.
  static let mostEnds = 4

  /// Treats the files noted as being read as those of a process that died. The caller holds the lock and reads no file yet.
  /// - Parameter again: whether files that are left out are read once more, alone.
  static func settle(again: Bool, in database: Database) throws {
    try database.execute(sql: "UPDATE reading SET ends = ends + 1, is_open = 0 WHERE is_open <> 0")
    if again {
      try database.execute(sql: "UPDATE reading SET ends = 2 WHERE ends >= ?", arguments: [mostEnds])
    }
  }

  /// How many processes were ended while they were at a file.
  static func ends(in database: Database) throws -> [FileStamp: Int] {
    let rows = try Row.fetchCursor(database, sql: "SELECT size, modified, inode, ends FROM reading")
    var ends: [FileStamp: Int] = [:]
    while let row = try rows.next() {
      ends[try FileStamp(size: row.at(0), modified: row.at(1), inode: row.at(2))] = try row.at(3)
    }
    return ends
  }

  /// Notes files before they are read.
  static func begin(_ files: some Sequence<FileStamp>, in database: Database) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO reading (size, modified, inode, is_open) VALUES (?, ?, ?, 1)
        ON CONFLICT (inode, size, modified) DO UPDATE SET is_open = 1
        """)
    for file in files { try statement.execute(arguments: [file.size, file.modified, file.inode]) }
  }

  /// Takes note that a file was read, and the process went on.
  static func end(_ file: FileStamp, in database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM reading WHERE size = ? AND modified = ? AND inode = ?")
      .execute(arguments: [file.size, file.modified, file.inode])
  }

  /// Takes note that no file is being read any more, whatever came of it.
  static func leave(in database: Database) throws {
    try database.execute(sql: "DELETE FROM reading WHERE is_open <> 0 AND ends = 0")
    try database.execute(sql: "UPDATE reading SET is_open = 0 WHERE is_open <> 0")
  }
}
