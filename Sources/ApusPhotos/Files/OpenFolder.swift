import CLibrary
import TensorCore

/// The kind of an entry, as far as the folder itself tells.
enum EntryKind {
  case folder, file, link, unknown
  /// A pipe, a socket or a device.
  case other
}

/// An open folder. What is in it is found by name, whatever becomes of the folder's own path meanwhile.
struct OpenFolder: ~Copyable {
  private let stream: OpaquePointer
  let descriptor: CInt

  /// - Parameters:
  ///   - path: from `folder`; the folder itself when empty.
  ///   - folder: where relative paths begin.
  ///   - followsLink: whether the last name may be a link.
  /// - Returns: nil when it cannot be opened; `errno` says why.
  init?(_ path: [UInt8], in folder: CInt = AT_FDCWD, followsLink: Bool) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW)
    let descriptor =
      path.isEmpty ? openat(folder, ".", flags) : path.inPlace(from: folder) { openat($0, $1, flags) }
    guard descriptor >= 0 else { return nil }
    guard let stream = fdopendir(descriptor) else {
      let reason = errno
      close(descriptor)
      errno = reason
      return nil
    }
    self.stream = stream
    self.descriptor = descriptor
  }

  deinit { closedir(stream) }

  var version: FileVersion? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? FileVersion(status) : nil
  }

  /// Calls `body` with each name but `.` and `..` and what it stands for, until it returns false.
  /// - Returns: why the names ended too early, as `errno` says it; 0 when all were there, or `body` had enough.
  func forEachName(_ body: (UnsafeRawBufferPointer, EntryKind) -> Bool) -> CInt {
    while true {
      errno = 0
      guard let entry = readdir(stream) else { return errno }
      let kind = EntryKind(entry.pointee.d_type)
      let goesOn = withUnsafeBytes(of: &entry.pointee.d_name) { field in
        let name = UnsafeRawBufferPointer(rebasing: field[..<(field.firstIndex(of: 0) ?? field.count)])
        let isFolderItself = name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
        return isFolderItself || body(name, kind)
      }
      guard goesOn else { return 0 }
    }
  }

  /// The status of an entry; nil with `errno` if it cannot be read.
  func status(of name: [UInt8], followsLink: Bool) -> stat? {
    var status = stat()
    let flags = followsLink ? 0 : AT_SYMLINK_NOFOLLOW
    return name.withFileName { fstatat(descriptor, $0, &status, flags) } == 0 ? status : nil
  }
}

extension EntryKind {
  /// From the field `d_type` of a folder's entry. Some file systems leave it open.
  init(_ type: UInt8) {
    switch Int(type) {
    case Int(DT_DIR): self = .folder
    case Int(DT_REG): self = .file
    case Int(DT_LNK): self = .link
    case Int(DT_UNKNOWN): self = .unknown
    default: self = .other
    }
  }

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFDIR: self = .folder
    case S_IFREG: self = .file
    case S_IFLNK: self = .link
    default: self = .other
    }
  }
}
