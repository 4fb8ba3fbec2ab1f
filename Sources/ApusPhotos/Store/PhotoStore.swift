import FoundationEssentials
import GRDB
import TensorCore

/// The folder that an index is kept in. `index.sqlite` is the truth; what else lies there is made from it.
final class PhotoStore: Sendable {
  private enum OpenedDatabase {
    case writable(DatabasePool)
    case readOnly(ReadOnlyDatabase)
  }

  let folder: String
  private let database: OpenedDatabase
  /// The database that is written.
  private let opened: FileVersion?
  /// Why an index can only be read that seemed to be one to write; nil for others.
  private let refusal: ApusError?

  /// Opens the index of a folder, or makes one.
  /// - Throws: ``ApusError`` of kind `file` when that cannot be, the index is damaged, or by a newer Apus.
  init(creatingAt folder: String) throws(ApusError) {
    // The places and contents of photographs are private.
    try FileSystem.makeFolder(folder, mode: 0o700)
    self.folder = folder
    database = try StoreFailure.translating(folder) { .writable(try Self.pool(folder)) }
    opened = FileSystem.version(of: Self.path(folder))
    refusal = nil
  }

  /// Opens the index of a folder, which may be one that cannot be written.
  /// - Parameters:
  ///   - isWritable: whether a file may be written, or files be made in a folder.
  ///   - pool: opens it for writing, which takes room on the disk.
  /// - Throws: ``ApusError`` of kind `file` when there is none, it is damaged, or by a newer Apus.
  init(
    openingAt folder: String, isWritable: (String) -> Bool = FileSystem.isWritable,
    pool: (String) throws -> DatabasePool = PhotoStore.pool
  ) throws(ApusError) {
    guard FileSystem.isFile(Self.path(folder)) else {
      throw ApusError(
        .file, "there is no index of photographs", file: folder,
        advice:
          "\(Doing.indexPhotos) makes one of a folder of pictures, with \(Setting.index.given(FileName.readable(folder)))."
      )
    }
    self.folder = folder
    var refusal: ApusError?
    database = try StoreFailure.translating(folder) {
      guard isWritable(folder), isWritable(Self.path(folder)) else {
        return .readOnly(try ReadOnlyDatabase(folder))
      }
      do { return .writable(try pool(folder)) } catch {
        guard StoreFailure.leavesReading(error), let database = try? ReadOnlyDatabase(folder) else {
          throw error
        }
        refusal = StoreFailure.translated(error, folder)
        return .readOnly(database)
      }
    }
    opened = FileSystem.version(of: Self.path(folder))
    self.refusal = refusal
  }

  /// The error for a caller that would write.
  private var unwritable: ApusError {
    guard let refusal else { return ApusError(.file, "the index can only be read", file: folder) }
    return ApusError(
      .file, "the index can only be read, as opening it to write failed: \(refusal.problem)", file: folder,
      advice: "Fix this and start again.")
  }

  /// Nil for an index that can only be read.
  private var writer: DatabasePool? {
    if case .writable(let pool) = database { pool } else { nil }
  }

  static func path(_ folder: String) -> String { "\(folder)/index.sqlite" }

  /// Checks that the open database is still the one in the folder. Writes into a removed database are lost, and files made
  /// from it would replace another index's. The caller holds the lock.
  /// - Throws: ``ApusError`` of kind `file` if the folder has another database.
  func checkIdentity() throws(ApusError) {
    // What is only read is opened anew when another takes its place.
    guard case .writable = database else { return }
    let now = FileSystem.version(of: Self.path(folder))
    guard let now, let opened, (now.device, now.inode) == (opened.device, opened.inode) else {
      throw ApusError(
        .file, "the index was replaced by another", file: folder,
        advice: "Start again to open the current one.")
    }
  }

  /// Runs `body`, whose reads all see one moment.
  /// - Parameter repeats: whether `body` may run again if another process changes an index that is read without locks. It
  ///   may if it has no effects outside itself.
  func read<Value>(
    repeats: Bool = true, _ body: (Database) throws -> Value
  ) throws(ApusError) -> Value {
    try StoreFailure.translating(folder) {
      switch database {
      case .writable(let pool): return try pool.read(body)
      case .readOnly(let database): return try database.read(repeats: repeats, body)
      }
    }
  }

  /// Sees to it that the next reading is of the database as it is now, where something else tells that it has changed.
  func refresh() {
    if case .readOnly(let database) = database { try? database.reopen() }
  }

  /// Runs `body` in a transaction that is flushed to the disk when this returns.
  /// - Throws: ``ApusError`` of kind `file` for an index that can only be read, a full disk, or a damaged file.
  @discardableResult
  func write<Value>(_ body: (Database) throws -> Value) throws(ApusError) -> Value {
    guard let writer else { throw unwritable }
    return try StoreFailure.translating(folder) { try writer.write(body) }
  }

  /// Runs `body` in a transaction with another database attached.
  func attaching(_ path: String, as name: String, _ body: (Database) throws -> Void) throws(ApusError) {
    guard let writer else { throw unwritable }
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

  private static func pool(_ folder: String) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    configuration.prepareDatabase { database in
      // For a database that is made now. On a page of 4 KB is one vector of 512 numbers, on one of 16 are seven.
      try database.execute(sql: "PRAGMA page_size = 16384")
    }
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

  /// Makes an index of an earlier version one of this, before vectors are written that those programs do not read.
  func bringUp() throws(ApusError) {
    guard let writer else { throw unwritable }
    try StoreFailure.translating(folder) {
      let migrator = StoreSchema.migrator
      if try !writer.read(migrator.hasCompletedMigrations) { try migrator.migrate(writer) }
    }
  }

  /// Moves SQLite's log into the database as far as no reader uses it, so that a copy of the database file is complete.
  func checkpoint() {
    _ = try? writer?.writeWithoutTransaction { try $0.checkpoint(.passive) }
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
