import FoundationEssentials
import GRDB
import TensorCore

/// The folder that an index is kept in. `index.sqlite` is the truth; what else lies there is made from it.
final class PhotoStore: Sendable {
  let folder: String
  private let reader: any DatabaseReader
  private let writer: DatabasePool?
  /// The database that is open.
  private let opened: FileVersion?

  /// Opens the index of a folder, or makes one.
  /// - Throws: ``ApusError`` of kind `file` when that cannot be, the index is damaged, or by a newer Apus.
  init(creatingAt folder: String) throws(ApusError) {
    try FileSystem.makeFolder(folder)
    let pool = try Self.pool(folder)
    (self.folder, reader, writer) = (folder, pool, pool)
    opened = FileSystem.version(of: Self.path(folder))
  }

  /// Opens the index of a folder, which may be one that cannot be written.
  /// - Parameter isWritable: whether a file may be written, or files be made in a folder.
  /// - Throws: ``ApusError`` of kind `file` when there is none, it is damaged, or by a newer Apus.
  init(
    openingAt folder: String, isWritable: (String) -> Bool = FileSystem.isWritable
  ) throws(ApusError) {
    guard FileSystem.isFile(Self.path(folder)) else {
      throw ApusError(
        .file, "there is no index of photographs", file: folder,
        advice:
          "'apus photos index PICTURES --index \(FileName.readable(folder))' makes one of the folder PICTURES."
      )
    }
    if isWritable(folder), isWritable(Self.path(folder)) {
      let pool = try Self.pool(folder)
      (self.folder, reader, writer) = (folder, pool, pool)
    } else {
      (self.folder, reader, writer) = (folder, try Self.readOnly(folder), nil)
    }
    opened = FileSystem.version(of: Self.path(folder))
  }

  static func path(_ folder: String) -> String { "\(folder)/index.sqlite" }

  /// What is written into a database that was removed is lost, and what is made from it takes the place of what another
  /// index has. For who has the lock.
  /// - Throws: ``ApusError`` of kind `file` when the database that is open is not the one of the folder any more.
  func checkIdentity() throws(ApusError) {
    let now = FileSystem.version(of: Self.path(folder))
    guard let now, let opened, (now.device, now.inode) == (opened.device, opened.inode) else {
      throw ApusError(
        .file, "the index was replaced by another", file: folder,
        advice: "Start again, which opens the one that is there now.")
    }
  }

  /// What `body` reads, all of it as of one moment.
  func read<Value>(_ body: (Database) throws -> Value) throws(ApusError) -> Value {
    try StoreFailure.translating(folder) { try reader.read(body) }
  }

  /// What `body` writes, all of it or nothing, safe on the disk when this returns.
  /// - Throws: ``ApusError`` of kind `file` for an index that can only be read, a full disk, or a damaged file.
  @discardableResult
  func write<Value>(_ body: (Database) throws -> Value) throws(ApusError) -> Value {
    guard let writer else { throw ApusError(.file, "the index can only be read", file: folder) }
    return try StoreFailure.translating(folder) { try writer.write(body) }
  }

  /// What `body` writes while it sees another database beside this one.
  func attaching(_ path: String, as name: String, _ body: (Database) throws -> Void) throws(ApusError) {
    guard let writer else { throw ApusError(.file, "the index can only be read", file: folder) }
    try StoreFailure.translating(folder) {
      try writer.writeWithoutTransaction { database in
        try database.execute(sql: "ATTACH DATABASE ? AS \(name)", arguments: [path])
        defer { try? database.execute(sql: "DETACH DATABASE \(name)") }
        try database.inTransaction {
          try body(database)
          return .commit
        }
      }
    }
  }

  private static func pool(_ folder: String) throws(ApusError) -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    configuration.prepareDatabase { database in
      // For a database that is made now. On a page of 4 KB is one vector of 512 numbers, on one of 16 are seven.
      try database.execute(sql: "PRAGMA page_size = 16384")
    }
    return try StoreFailure.translating(folder) {
      let pool = try DatabasePool(path: path(folder), configuration: configuration)
      // What was acknowledged must outlive a power failure. GRDB sets a lesser promise when it opens a pool.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      let migrator = StoreSchema.migrator
      let isMade = try pool.read { database in
        try StoreSchema.check(database, folder)
        return try migrator.appliedIdentifiers(database).contains(StoreSchema.firstVersion)
      }
      // Nothing is written by who only searches, not even into an index of an earlier version.
      if !isMade { try migrator.migrate(pool) }
      return pool
    }
  }

  /// Makes an index of an earlier version one of this, before vectors are written that those programs do not read.
  func bringUp() throws(ApusError) {
    guard let writer else { throw ApusError(.file, "the index can only be read", file: folder) }
    try StoreFailure.translating(folder) {
      let migrator = StoreSchema.migrator
      if try !writer.read(migrator.hasCompletedMigrations) { try migrator.migrate(writer) }
    }
  }

  /// Brings what was written from SQLite's log into the database itself, as far as nobody is reading it, so that a copy of
  /// the database alone is whole.
  func checkpoint() {
    _ = try? writer?.writeWithoutTransaction { try $0.checkpoint(.passive) }
  }

  /// An index on a medium that cannot be written, where SQLite cannot make files beside it. Where its log was left, that is
  /// read too.
  private static func readOnly(_ folder: String) throws(ApusError) -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    let hasLog = (FileSystem.version(of: path(folder) + "-wal")?.byteCount ?? 0) > 0
    return try StoreFailure.translating(folder) {
      let queue = try DatabaseQueue(
        path: hasLog ? path(folder) : address(path(folder)) + "?immutable=1", configuration: configuration)
      try queue.read { try StoreSchema.check($0, folder) }
      return queue
    }
  }

  /// A path as SQLite takes addresses: every byte but letters, digits and `/._-` escaped.
  static func address(_ path: String) -> String {
    "file:"
      + FileName.bytes(path).map { byte in
        let character = Character(Unicode.Scalar(byte))
        let isPlain =
          character.isASCII && (character.isLetter || character.isNumber || "/._-".contains(character))
        return isPlain
          ? String(character) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }.joined()
  }
}
