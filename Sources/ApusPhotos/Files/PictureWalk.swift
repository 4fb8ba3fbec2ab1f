import CLibrary
import TensorCore

/// All picture files below a root, folder by folder: a folder before those in it, these in the order of their names'
/// bytes.
///
/// Links to folders that are followed come last, so that a folder is found by its own path where it has one below the
/// root. What disappears while the walk goes on is passed over. A root that is a file is taken whatever its name.
///
/// A walk holds the names of one folder and of those that it has still to enter. It belongs to one thread at a time.
package final class PictureWalk {
  private let options: WalkOptions
  private let root: WalkRoot
  /// Folders to enter, the next one last.
  private var pending: [WalkPlace]
  /// Links to folders, in the order in which they were met.
  private var links: [WalkPlace] = []
  private var entered: Set<FileNumber> = []
  /// The devices of all folders so far: a file that was known on another one is on a disk that is not mounted.
  package private(set) var devices: Set<Int> = []

  /// - Parameters:
  ///   - path: a folder or a file; a link is followed.
  ///   - known: the disk that it was on before, if it is known.
  ///   - volumes: what tells the name of the volume.
  package convenience init(
    _ path: String, knownOn known: RootDisk? = nil, _ options: WalkOptions,
    volumes: VolumeNames = VolumeNames()
  ) {
    self.init(WalkRoot(path, knownOn: known, volumes), options)
  }

  init(_ root: WalkRoot, _ options: WalkOptions) {
    (self.root, self.options) = (root, options)
    pending = root.disk == nil ? [] : [.root]
  }

  package var path: String { root.path }

  /// The state of the root when the walk began.
  package var state: RootState { root.state }

  /// The disk of the root, to be known by next time; nil when the root is absent.
  package var disk: RootDisk? { root.disk }

  /// The next folder.
  /// - Returns: nil when there is none left.
  /// - Throws: ``ApusError`` of kind `cancelled` when the task is.
  package func next() throws(ApusError) -> WalkedFolder? {
    while let place = takePlace() {
      if let file = root.file { return soleFile(file) }
      if let folder = try read(place) { return folder }
    }
    return nil
  }

  private func takePlace() -> WalkPlace? {
    if let place = pending.popLast() { return place }
    pending = links.reversed()
    links = []
    return pending.popLast()
  }

  private func soleFile(_ version: FileVersion) -> WalkedFolder {
    devices = [version.device]
    return WalkedFolder(
      path: "", device: version.device, files: [WalkedFile(path: "", version: version)], failures: [])
  }

  /// - Returns: nil when the folder is not to be entered, or no longer there.
  private func read(_ place: WalkPlace) throws(ApusError) -> WalkedFolder? {
    guard let start = root.descriptor, !options.leavesAlone(place) else { return nil }
    guard let folder = OpenFolder(place.path, in: start, followsLink: place.isLink) else {
      return place.failure(errno, in: path).map { unreadable(place, $0) }
    }
    guard let version = folder.version else {
      return place.failure(errno, in: path).map { unreadable(place, $0) }
    }
    if options.staysOnDevice, version.device != root.disk?.device { return nil }
    if options.followsLinks, !entered.insert(FileNumber(version)).inserted { return nil }
    devices.insert(version.device)
    let reading = try FolderReading(folder, place, of: path, options)
    pending += reading.folders.reversed()
    links += reading.links
    return WalkedFolder(
      path: FileName.text(place.path), device: version.device, files: reading.files,
      passedOver: reading.passedOver, failures: reading.failures)
  }

  private func unreadable(_ place: WalkPlace, _ failure: WalkFailure) -> WalkedFolder {
    WalkedFolder(path: failure.path, device: nil, files: [], failures: [failure])
  }
}
