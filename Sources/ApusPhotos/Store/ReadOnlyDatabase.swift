import GRDB
import Synchronization
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
  }

  private let folder: String
  private let connection: Mutex<Connection>

  /// - Throws: what SQLite or ``StoreSchema/check(_:_:)`` does.
  init(_ folder: String) throws {
    self.folder = folder
    connection = Mutex(try Self.opened(folder))
  }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try current().read(body) }

  private func current() throws -> DatabaseQueue {
    try connection.withLock { connection in
      if connection.files != Files(folder) { connection = try Self.opened(folder) }
      return connection.queue
    }
  }

  /// Opens it anew, where something else tells that it has changed.
  func reopen() throws {
    try connection.withLock { connection in connection = try Self.opened(folder) }
  }

  private static func opened(_ folder: String) throws -> Connection {
    let (files, path) = (Files(folder), PhotoStore.path(folder))
    let hasLog = (files.log?.byteCount ?? 0) > 0
    guard hasLog else {
      return Connection(queue: try connect(PhotoStore.address(path) + "?immutable=1", folder), files: files)
    }
    do {
      return Connection(queue: try connect(path, folder), files: files)
    } catch {
      guard StoreFailure.leavesReading(error) else { throw error }
      // Without room for its index of the log, SQLite makes one in memory, as long as a file of that name is there.
      guard FileSystem.exists(path + "-shm") else { throw Self.unreadableLog(folder) }
      guard let queue = try? connect(PhotoStore.address(path) + "?readonly_shm=1", folder) else {
        throw error
      }
      return Connection(queue: queue, files: files)
    }
  }

  private static func unreadableLog(_ folder: String) -> ApusError {
    ApusError(
      .file, "index.sqlite-wal has changes that cannot be read where no file can be made beside it",
      file: folder,
      advice:
        "Open the index once where its folder can be written, as 'apus photos status' does, or a copy of it.")
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
