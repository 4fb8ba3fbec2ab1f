import Glibc
import TensorCore

/// Where a walk begins, held open, so that all its paths begin at the same folder.
struct WalkRoot: ~Copyable {
  let state: RootState
  let disk: RootDisk?
  /// The folder itself; nil when the root is a file, or absent.
  let descriptor: CInt?
  private let folder: OpenFolder?
  /// nil when the root is a folder, or absent.
  let file: FileVersion?

  /// - Parameters:
  ///   - known: the disk that it was on before, if it is known.
  ///   - volumes: what tells the name of the volume.
  init(_ path: String, knownOn known: RootDisk?, _ volumes: VolumeNames = VolumeNames()) {
    guard let folder = OpenFolder(FileName.bytes(path), followsLink: true) else {
      self.init(fileOrNothing: path, reason: errno, knownOn: known, volumes)
      return
    }
    var isEmpty = true
    let reason = folder.forEachName { _, _ in
      isEmpty = false
      return false
    }
    // What is left of a disk of the network that is away opens, and cannot be read.
    guard reason == 0, let disk = RootDisk(descriptor: folder.descriptor, volumes) else {
      self.init(absent: Self.failure(path, reason == 0 ? errno : reason))
      return
    }
    let state: RootState = isEmpty ? .empty : Self.isOther(disk, known) ? .otherDisk : .present
    self.init(state: state, disk: disk, folder: folder, file: nil)
  }

  private init(
    fileOrNothing path: String, reason: CInt, knownOn known: RootDisk?, _ volumes: VolumeNames
  ) {
    guard reason == ENOTDIR else {
      self.init(absent: Self.failure(path, reason))
      return
    }
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    let descriptor = path.withFileName { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      self.init(absent: Self.failure(path, errno))
      return
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, let disk = RootDisk(descriptor: descriptor, volumes) else {
      self.init(absent: Self.failure(path, errno))
      return
    }
    guard EntryKind(status) == .file else {
      self.init(absent: ApusError(.file, "is neither a folder nor a regular file", file: path))
      return
    }
    self.init(
      state: Self.isOther(disk, known) ? .otherDisk : .present, disk: disk, folder: nil,
      file: FileVersion(status))
  }

  private init(absent error: ApusError) {
    self.init(state: .absent(error), disk: nil, folder: nil, file: nil)
  }

  private init(state: RootState, disk: RootDisk?, folder: consuming OpenFolder?, file: FileVersion?) {
    (self.state, self.disk, self.file) = (state, disk, file)
    descriptor = folder?.descriptor
    self.folder = folder
  }

  private static func isOther(_ disk: RootDisk, _ known: RootDisk?) -> Bool {
    known.map { !disk.isSame(as: $0) } ?? false
  }

  private static func failure(_ path: String, _ reason: CInt) -> ApusError {
    ApusError(.file, "cannot be opened: \(String(cString: strerror(reason)))", file: path)
  }
}
