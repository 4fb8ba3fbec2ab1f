import CLibrary
import TensorCore

/// Where a walk begins, held open, so that all its paths begin at the same folder.
final class WalkRoot {
  let path: String
  let state: RootState
  let disk: RootDisk?
  /// The folder itself; nil when the root is a file, or absent.
  let descriptor: CInt?
  private let folder: OpenFolder?
  /// nil when the root is a folder, or absent.
  let file: FileVersion?

  /// - Parameters:
  ///   - path: a folder or a file; a link is followed.
  ///   - known: the disk that it was on before, if it is known.
  ///   - volumes: what tells the name of the volume.
  convenience init(_ path: String, knownOn known: RootDisk?, _ volumes: VolumeNames = VolumeNames()) {
    self.init(path, named: path, in: AT_FDCWD, knownOn: known, volumes)
  }

  /// A folder or file in an open one, whatever stands at the path of that by now.
  /// - Parameters:
  ///   - below: the path from there.
  ///   - known: the disk that it was on before, if it is known.
  convenience init(_ below: String, in outer: WalkRoot, knownOn known: RootDisk? = nil) {
    // Its descriptor is used until the end.
    defer { withExtendedLifetime(outer) {} }
    let path = StoredRoot.path(outer.path, below)
    if let folder = outer.descriptor {
      self.init(path, named: below, in: folder, knownOn: known, VolumeNames())
    } else {
      self.init(path, knownOn: known)
    }
  }

  /// - Parameter name: the path from `start`, an open folder.
  private convenience init(
    _ path: String, named name: String, in start: CInt, knownOn known: RootDisk?, _ volumes: VolumeNames
  ) {
    guard let folder = OpenFolder(FileName.bytes(name), in: start, followsLink: true) else {
      self.init(path, fileOrNothing: name, in: start, reason: errno, knownOn: known, volumes)
      return
    }
    var isEmpty = true
    let reason = folder.forEachName { _, _ in
      isEmpty = false
      return false
    }
    // What is left of a disk of the network that is away opens, and cannot be read.
    guard reason == 0, let disk = RootDisk(descriptor: folder.descriptor, volumes) else {
      self.init(path, absent: reason == 0 ? errno : reason)
      return
    }
    let state: RootState = isEmpty ? .empty : Self.isOther(disk, known) ? .otherDisk : .present
    self.init(path, state: state, disk: disk, folder: folder, file: nil)
  }

  private convenience init(
    _ path: String, fileOrNothing name: String, in start: CInt, reason: CInt, knownOn known: RootDisk?,
    _ volumes: VolumeNames
  ) {
    guard reason == ENOTDIR else {
      self.init(path, absent: reason)
      return
    }
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    let descriptor = FileName.bytes(name).inPlace(from: start) {
      openat($0, $1, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    guard descriptor >= 0 else {
      self.init(path, absent: errno)
      return
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, let disk = RootDisk(descriptor: descriptor, volumes) else {
      self.init(path, absent: errno)
      return
    }
    guard EntryKind(status) == .file else {
      self.init(path, absent: ApusError(.file, "is neither a folder nor a regular file", file: path))
      return
    }
    self.init(
      path, state: Self.isOther(disk, known) ? .otherDisk : .present, disk: disk, folder: nil,
      file: FileVersion(status))
  }

  private convenience init(_ path: String, absent reason: CInt) {
    self.init(
      path,
      absent: ApusError(.file, "cannot be opened: \(String(cString: strerror(reason)))", file: path))
  }

  private convenience init(_ path: String, absent error: ApusError) {
    self.init(path, state: .absent(error), disk: nil, folder: nil, file: nil)
  }

  private init(
    _ path: String, state: RootState, disk: RootDisk?, folder: consuming OpenFolder?, file: FileVersion?
  ) {
    (self.path, self.state, self.disk, self.file) = (path, state, disk, file)
    descriptor = folder?.descriptor
    self.folder = folder
  }

  /// The version of a file in it now, whose links are followed; of the root itself where that is a file.
  /// - Parameter below: its path from the root; empty for the root.
  func version(of below: String) -> FileVersion? {
    if below.isEmpty, let file { return file }
    guard let descriptor else { return nil }
    var status = stat()
    return FileName.bytes(below).inPlace(from: descriptor) { fstatat($0, $1, &status, 0) } == 0
      ? FileVersion(status) : nil
  }

  private static func isOther(_ disk: RootDisk, _ known: RootDisk?) -> Bool {
    known.map { !disk.isSame(as: $0) } ?? false
  }
}
