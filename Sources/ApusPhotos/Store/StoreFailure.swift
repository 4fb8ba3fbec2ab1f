import GRDB
import TensorCore

/// What SQLite says, in the words of the library.
enum StoreFailure {
  /// The result of `body`.
  /// - Parameter folder: of the index.
  /// - Throws: ``ApusError`` of kind `file`, or what `body` throws of that type.
  static func translating<Value>(_ folder: String, _ body: () throws -> Value) throws(ApusError) -> Value {
    do { return try body() } catch {
      throw (error as? ApusError) ?? self.error(error, folder)
    }
  }

  private static func error(_ error: any Error, _ folder: String) -> ApusError {
    guard let error = error as? DatabaseError else {
      return error is CancellationError
        ? ApusError(.cancelled, "the work was cancelled")
        : ApusError(.file, "the index cannot be used: \(error)", file: folder)
    }
    let message = error.message ?? "SQLite's error \(error.resultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_FULL:
      return ApusError(
        .file, "the disk is full", file: folder, advice: "What was indexed until then is kept; index again.")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      return ApusError(
        .file, "the index is damaged: \(message)", file: folder,
        advice: "Restore index.sqlite from a copy, or remove the folder and index again.")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return ApusError(.file, "another process has been writing the index for long", file: folder)
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
      return ApusError(.file, "the index cannot be opened or written: \(message)", file: folder)
    default: return ApusError(.file, "the index cannot be used: \(message)", file: folder)
    }
  }
}
