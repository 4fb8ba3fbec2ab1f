import GRDB
import TensorCore

/// The database of an index that this process cannot write, as on a medium or a disk without room where SQLite cannot make
/// files beside it. Others may write it all the same: a connection is of the files as they were when it was opened, and
/// gives way to another once they have changed.
final class ReadOnlyDatabase: Sendable {
  /// The database and its log as they are on the disk.
  private struct Files: Equatable {
    let database: FileVersion?
    let log: FileVersion?

    init(_ folder: String) {
      let path = PhotoStore.path(folder)
      (database, log) = (FileSystem.version(of: path), FileSystem.version(of: path + "-wal"))
    }
  }

  private struct Connection {
    let queue: DatabaseQueue
    /// As they were before it was opened, so that what changes meanwhile is seen by the next reading.
    let files: Files
    /// Whether SQLite takes no locks, and so reads of two states where another writes the database meanwhile.
    let isUnlocked: Bool
  }

  private let folder: String
  private let connection: Lock<Connection>

  /// - Throws: what SQLite or ``StoreSchema/check(_:_:)`` does.
  init(_ folder: String) throws {
    self.folder = folder
    connection = Lock(try Self.opened(folder))
  }

  /// How often files that change meanwhile are looked at.
  private static let attempts = 3

  /// Runs `body`, whose reads all see one moment.
  /// - Parameter repeats: whether `body` may run again if the files changed meanwhile.
  /// - Throws: what `body` does; where the files changed with every attempt, ``ApusError`` of kind `file` that says so, or what
  ///   `body` threw in the last that is none of the index: of another file, of the caller's arguments, or of memory.
  func read<Value>(repeats: Bool, _ body: (Database) throws -> Value) throws -> Value {
    var failure: ApusError?
    for _ in 0..<(repeats ? Self.attempts : 1) {
      let connection = try current()
      let result = Result { try connection.queue.read(body) }
      failure = nil
      if case .failure(let error as ApusError) = result {
        guard error.kind != .cancelled else { throw error }
        if !isOfIndex(error) { failure = error }
      }
      // What is written into the log alone changes nothing of what is read without it.
      let isOfOneState =
        !connection.isUnlocked || connection.files.database == Files(folder).database
      if isOfOneState { return try result.get() }
    }
    // What is said of the index or its rows may be of two states; a full disk or a closed pipe is none of it.
    throw failure
      ?? ApusError(
        .file, "the index changed while it was read", file: folder,
        advice: "Try again when the program writing it has finished.")
  }

  /// Whether an error is of what was read, in the database or in another file of the index.
  private func isOfIndex(_ error: ApusError) -> Bool {
    switch error.kind {
    case .resources, .argument: false
    default: error.file.map { ExactText($0).below(folder) != nil } ?? true
    }
  }

  private func current() throws -> Connection {
    try connection.withLock { connection in
      if connection.files != Files(folder) { connection = try Self.opened(folder) }
      return connection
    }
  }

  /// Opens it anew, where something else tells that it has changed.
  func reopen() throws {
    try connection.withLock { connection in connection = try Self.opened(folder) }
  }

  /// A connection to the files as they are. Where another process closes the index meanwhile, its log is gone that was there
  /// a moment before: files that changed are looked at again.
  private static func opened(_ folder: String) throws -> Connection {
    for _ in 1..<attempts {
      let files = Files(folder)
      do { return try opened(folder, files) } catch {
        guard files != Files(folder) else { throw error }
      }
    }
    return try opened(folder, Files(folder))
  }

  private static func opened(_ folder: String, _ files: Files) throws -> Connection {
    let path = PhotoStore.path(folder)
    let hasLog = (files.log?.byteCount ?? 0) > 0
    guard hasLog else {
      let queue = try connect(PhotoStore.address(path) + "?immutable=1", folder)
      return Connection(queue: queue, files: files, isUnlocked: true)
    }
    do {
      return Connection(queue: try connect(path, folder), files: files, isUnlocked: false)
    } catch {
      guard StoreFailure.leavesReading(error) else { throw error }
      // Without room for its index of the log, SQLite makes one in memory, as long as a file of that name is there.
      guard FileSystem.exists(path + "-shm") else { throw Self.unreadableLog(folder) }
      guard let queue = try? connect(PhotoStore.address(path) + "?readonly_shm=1", folder) else {
        throw error
      }
      return Connection(queue: queue, files: files, isUnlocked: false)
    }
  }

  private static func unreadableLog(_ folder: String) -> ApusError {
    ApusError(
      .file, "index.sqlite-wal has changes that cannot be read where no file can be made beside it",
      file: folder,
      advice:
        "Open the index once where its folder can be written, as \(Doing.openPhotos) does, or a copy of it.")
  }

  private static func connect(_ path: String, _ folder: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(30)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.read { try StoreSchema.check($0, folder) }
    return queue
  }
}
