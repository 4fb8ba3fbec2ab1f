import GRDB
import TensorCore

/// Errors of SQLite as errors of the library.
enum StoreFailure {
  /// The result of `body`.
  /// - Parameter folder: of the index.
  /// - Throws: ``ApusError`` of kind `file`, or what `body` throws of that type.
  static func translating<Value>(_ folder: String, _ body: () throws -> Value) throws(ApusError) -> Value {
    do { return try body() } catch {
      throw translated(error, folder)
    }
  }

  /// An error in the words of the library.
  static func translated(_ error: any Error, _ folder: String) -> ApusError {
    (error as? ApusError) ?? self.error(error, folder)
  }

  /// Whether an index that cannot be opened for writing for that reason may be read all the same: SQLite takes room on
  /// the disk to write.
  static func leavesReading(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    switch error.resultCode {
    case .SQLITE_IOERR, .SQLITE_FULL, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM: return true
    default: return false
    }
  }

  /// Bytes that SQLite takes to open a database for writing, rounded up.
  private static let openingByteCount = 1 << 20

  private static func fullDisk(_ folder: String) -> ApusError {
    ApusError(
      .file, "the disk is full", file: folder,
      advice: "The index is kept and can be searched; indexing continues when there is space.")
  }

  /// GRDB's message about a value, without the statement, which has many lines.
  private static func words(of error: any Error) -> String {
    let words = "\(error)".prefix { $0 != "\n" }
    return words.firstRange(of: ", column index").map { String(words[..<$0.lowerBound]) } ?? String(words)
  }

  /// The error for what no index has that Apus made.
  static func damage(_ message: String, _ folder: String? = nil) -> ApusError {
    ApusError(
      .file, "the index is damaged, or was changed by another program: \(message)", file: folder,
      advice: "Restore index.sqlite from a copy, or remove the folder and index again.")
  }

  private static func error(_ error: any Error, _ folder: String) -> ApusError {
    guard let error = error as? DatabaseError else {
      return error is CancellationError
        ? ApusError(.cancelled, "the work was cancelled")
        : damage(words(of: error), folder)
    }
    let message = error.message ?? "SQLite's error \(error.resultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_FULL:
      return fullDisk(folder)
    // SQLite says so of a file that it maps, where that finds no room.
    case .SQLITE_IOERR where (FreeSpace.bytes(in: folder) ?? .max) < openingByteCount:
      return fullDisk(folder)
    case .SQLITE_IOERR:
      return ApusError(.file, "the index cannot be read or written: \(message)", file: folder)
    // What Apus asks for is there in every index that it made: a table, a column, a value of a kind or within a range.
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG,
      .SQLITE_RANGE:
      return damage(message, folder)
    case .SQLITE_NOMEM:
      return ApusError(.resources, "no memory to read the index", file: folder)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return ApusError(.file, "another process has been writing the index for long", file: folder)
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
      return ApusError(.file, "the index cannot be opened or written: \(message)", file: folder)
    default: return ApusError(.file, "the index cannot be used: \(message)", file: folder)
    }
  }
}
