import CLibrary

/// A file that appears under its name whole, or not at all: bytes go to a temporary file beside it, which takes
/// the name in the end.
///
/// Readers of the old file under that name keep it, and two writers do not mix their bytes. Where the file system can, the
/// temporary file has no name until it is whole. It is locked while it is written, which tells one with a name from one
/// that a killed process left: see ``removeAbandoned(in:startingWith:)``.
package final class NewFile {
  private let path: String
  /// Nil where the file is written in its place.
  private var temporaryPath: String?
  /// Whether the temporary file has yet to be given that name.
  private var isNameless = false
  private var descriptor: CInt
  /// Whether what cannot be replaced is written in its place.
  private var mayWriteInPlace = false
  /// Waits for the lock of an open file.
  private let locking: (CInt) -> Void
  /// Gives an open file without a name one, and says whether that went well.
  private let linking: (CInt, String) -> Bool
  /// How the names of temporary files end.
  package static let temporarySuffix = ".part"

  /// A new file in the place of the one that links at a path lead to, with its owner and permissions. Where it could not
  /// be the same file to others, that one is emptied and written in its place: one of several names, one in a folder that
  /// cannot be written, one of somebody else.
  /// - Throws: ``ApusError`` of kind `file` when neither can be written.
  package convenience init(following path: String) throws(ApusError) {
    let target = FileSystem.target(of: path)
    guard let old = FileSystem.regularStatus(of: target) else {
      try self.init(replacing: target)
      return
    }
    guard Self.isReplaceable(old, at: target) else {
      try self.init(inPlace: target)
      return
    }
    // Nobody may read it before it is for the same people as the old one.
    try self.init(replacing: target, permissions: 0o600, locking: NewFile.lock)
    mayWriteInPlace = true
    if !takeOver(old) {
      discard()
      (temporaryPath, descriptor) = (nil, Self.openInPlace(target))
      guard descriptor >= 0 else { throw failure("cannot be written") }
    }
  }

  /// - Throws: ``ApusError`` of kind `file` when the folder cannot be written.
  package convenience init(replacing path: String) throws(ApusError) {
    try self.init(replacing: path, locking: NewFile.lock)
  }

  /// Whether a file can give way to another of its name: it has no second name, and its folder can be written.
  static func isReplaceable(_ file: stat, at path: String) -> Bool {
    let folder = FileName.folder(of: path)
    return file.st_nlink == 1 && FileSystem.isWritable(folder.isEmpty ? "." : folder)
  }

  /// Empties a file, which is then written in its place.
  private init(inPlace path: String) throws(ApusError) {
    (self.path, temporaryPath, descriptor) = (path, nil, Self.openInPlace(path))
    (locking, linking) = (Self.lock, Self.link)
    guard descriptor >= 0 else { throw failure("cannot be written") }
  }

  private static func openInPlace(_ path: String) -> CInt {
    path.inPlace { openat($0, $1, O_WRONLY | O_TRUNC | O_CLOEXEC) }
  }

  /// Gives the new file the owner, the group and the permissions of another.
  /// - Returns: whether this process may.
  private func takeOver(_ old: stat) -> Bool {
    var own = stat()
    guard fstat(descriptor, &own) == 0 else { return false }
    let isOwn = own.st_uid == old.st_uid && own.st_gid == old.st_gid
    guard isOwn || fchown(descriptor, old.st_uid, old.st_gid) == 0 else { return false }
    _ = fchmod(descriptor, old.st_mode & 0o777)
    return true
  }

  /// - Parameters:
  ///   - permissions: of the new file, less what the process holds back.
  ///   - isNamed: whether the temporary file has its name at once, as where the file system knows no other way.
  ///   - locking: waits for the lock of an open file.
  ///   - linking: gives an open file without a name one, and says whether that went well.
  package init(
    replacing path: String, permissions: mode_t = 0o666, isNamed: Bool = false,
    locking: @escaping (CInt) -> Void, linking: @escaping (CInt, String) -> Bool = NewFile.link
  ) throws(ApusError) {
    (self.path, self.locking, self.linking) = (path, locking, linking)
    let name = FileName.temporary(path, ending: Self.temporarySuffix)
    if !isNamed, let nameless = Self.openNameless(for: name, permissions) {
      (temporaryPath, descriptor, isNameless) = (name, nameless, true)
      // Another must find it locked as soon as it has the name.
      locking(descriptor)
      return
    }
    descriptor = -1
    guard openNamed(permissions) else { throw failure("cannot be created") }
  }

  /// Opens a temporary file that has its name at once.
  /// - Returns: whether one could be made; `errno` says why not.
  private func openNamed(_ permissions: mode_t) -> Bool {
    repeat {
      // A new name each time: whoever took the last one for abandoned may still be about to remove it.
      let name = FileName.temporary(path, ending: Self.temporarySuffix)
      temporaryPath = name
      descriptor = name.inPlace { openat($0, $1, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions) }
      guard descriptor >= 0 else { return false }
      // Who takes it for an abandoned one holds the lock until it is removed.
      locking(descriptor)
    } while Self.wasRemoved(descriptor)
    return true
  }

  /// Locks a file for as long as it is open; a file system without locks does without.
  private static func lock(_ descriptor: CInt) {
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  /// Whether a new file was taken for an abandoned one before it was locked; it is closed then.
  private static func wasRemoved(_ descriptor: CInt) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_nlink == 0 else { return false }
    close(descriptor)
    return true
  }

  /// Removes the temporary files of a folder that nobody writes any more.
  /// - Parameter prefix: how their names begin; empty only for a folder that is nobody else's, as other
  ///   programs name theirs alike and lock none.
  package static func removeAbandoned(in folder: String, startingWith prefix: String = "") {
    let (prefix, suffix) = (FileName.bytes(prefix), Array(temporarySuffix.utf8))
    for name in FileSystem.names(in: folder) ?? [] {
      let bytes = FileName.bytes(name)
      guard bytes.starts(with: prefix), bytes.suffix(suffix.count).elementsEqual(suffix) else { continue }
      let path = "\(folder)/\(name)"
      guard let file = try? FileBytes.openRegular(path) else { continue }
      if flock(file.number, LOCK_EX | LOCK_NB) == 0 { FileSystem.removeFile(path) }
      close(file.number)
    }
  }

  deinit { discard() }

  private func discard() {
    guard descriptor >= 0 else { return }
    if let temporaryPath { FileSystem.removeFile(temporaryPath) }
    close(descriptor)
    (descriptor, isNameless) = (-1, false)
  }

  /// Writes bytes behind those written before.
  /// - Throws: ``ApusError`` of kind `file`, for a full disk, say.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(ApusError) {
    guard Descriptor.write(bytes, to: descriptor) else { throw failure("cannot be written") }
  }

  package func write(_ bytes: [UInt8]) throws(ApusError) {
    try bytes.span.withUnsafeBytes { (bytes) throws(ApusError) in try write(bytes) }
  }

  /// Writes bytes over some of those written before.
  /// - Throws: ``ApusError`` of kind `file`.
  package func overwrite(_ bytes: [UInt8], at offset: Int) throws(ApusError) {
    try bytes.span.withUnsafeBytes { (bytes) throws(ApusError) in
      guard let start = bytes.baseAddress else { return }
      var written = 0
      while written < bytes.count {
        let count = pwrite(descriptor, start + written, bytes.count - written, offset + written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw failure("cannot be written") }
        written += count
      }
    }
  }

  /// Gives the file its name. Nothing may be written afterwards.
  package func commit() throws(ApusError) {
    guard descriptor >= 0, fsync(descriptor) == 0, takeTemporaryName() else {
      throw failure("cannot be written")
    }
    // Closed only then: without its lock it passes for an abandoned one.
    if let temporaryPath, !FileSystem.rename(temporaryPath, to: path) {
      let isMounted = errno == EBUSY
      let error = failure("cannot be replaced")
      defer { discard() }
      guard mayWriteInPlace, isMounted else { throw error }
      return try copyIntoPlace()
    }
    close(descriptor)
    descriptor = -1
  }

  /// Gives a temporary file without a name the one under which it waits, for an instant, for its own.
  private func takeTemporaryName() -> Bool {
    guard isNameless, let temporaryPath else { return true }
    isNameless = false
    if linking(descriptor, temporaryPath) { return true }
    // A file system may make such files and yet link none: then a copy takes the name.
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    let whole = descriptor
    defer { close(whole) }
    guard openNamed(0o600) else { return false }
    return takeOver(status) && Self.copy(whole, to: descriptor) && fsync(descriptor) == 0
  }

  /// Writes what the temporary file holds over what is there.
  private func copyIntoPlace() throws(ApusError) {
    let target = Self.openInPlace(path)
    guard target >= 0 else { throw failure("cannot be written") }
    defer { close(target) }
    guard Self.copy(descriptor, to: target), fsync(target) == 0 else { throw failure("cannot be written") }
  }

  /// Writes what one file holds behind what was written to another.
  /// - Returns: whether all was written; `errno` says why not.
  private static func copy(_ source: CInt, to target: CInt) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var offset = 0
    while true {
      let count = buffer.withUnsafeMutableBytes { pread(source, $0.baseAddress, $0.count, offset) }
      if count < 0, errno == EINTR { continue }
      if count == 0 { return true }
      let isWritten =
        count > 0
        && buffer.withUnsafeBytes {
          Descriptor.write(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: target)
        }
      guard isWritten else { return false }
      offset += count
    }
  }

  private func failure(_ problem: String) -> ApusError {
    ApusError(.file, "\(problem): \(String(cString: strerror(errno)))", file: path)
  }
}
