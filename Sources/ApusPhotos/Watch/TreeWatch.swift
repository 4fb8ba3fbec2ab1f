import CLibrary
import Dispatch
import Images
import TensorCore

/// The watch of a folder and all below it, or of a single file in its folder, from when it is made until it is
/// released. It belongs to one queue.
final class TreeWatch {
  /// The outcome of the system's events.
  enum Outcome: Equatable {
    case watching
    /// The folder is no longer where it was.
    case lost
    /// Events were lost.
    case overflow
    /// A folder could not be watched, as there are no more watches.
    case full(ApusError)
  }

  /// A name that disappeared and may reappear elsewhere (the first half of a rename).
  private struct Departure {
    let path: [UInt8]
    /// The watch of what was a folder.
    let watch: Int32?
  }

  private let root: [UInt8]
  /// The name of the only file that counts; its path is empty.
  private let soleName: [UInt8]?
  private let options: WatchOptions
  private let inotify: Inotify
  private var tree = WatchedTree()
  private var departures: [UInt32: Departure] = [:]
  private var begun = BegunPictures()
  private let mounts: () -> MountTable
  /// The remote file system of each device that was met.
  private var remoteFileSystems: [Int: String?] = [:]
  private var device: Int?

  private(set) var changes = PendingChanges()
  /// Folders that are not watched, as their file system does not tell of all changes, and what that is.
  private var unwatched: [(folder: [UInt8], fileSystem: String)] = []

  /// - Parameters:
  ///   - root: a folder, or the file.
  ///   - handler: gets the system's events, for ``handle(_:)``.
  /// - Throws: ``ApusError`` of kind `resources` when the system has no more watches.
  init(
    _ root: String, _ options: WatchOptions, mounts: @escaping () -> MountTable, on queue: DispatchQueue,
    _ handler: @escaping ([InotifyEvent]) -> Void
  ) throws(ApusError) {
    let isFile = FileSystem.isFile(root)
    let folder = isFile ? FileName.folder(of: root) : root
    self.root = FileName.bytes(folder.isEmpty ? "." : folder)
    soleName = isFile ? WalkPlace(path: FileName.bytes(root), isLink: false).name : nil
    self.options = options
    self.mounts = mounts
    inotify = try Inotify(on: queue, handler)
    try enter(WalkPlace(path: [], isLink: true), in: nil)
  }

  /// Whether anything is watched.
  var isWatching: Bool { tree.root != nil }

  /// Folders that turned out to be on file systems that do not tell, each once.
  func takeUnwatched() -> [(folder: [UInt8], fileSystem: String)] {
    defer { unwatched = [] }
    return unwatched
  }

  /// The changes, and an end to what went away and was not seen again.
  func takeChanges(_ root: String) -> FolderChanges {
    settle()
    return changes.take(root)
  }

  /// Gives up the watches of folders that were moved to where nothing is watched.
  func settle() {
    for departure in departures.values { settle(departure) }
    departures = [:]
  }

  /// When ``noteUnclosed(_:)`` is to be called; nil where nothing is begun.
  var nextUnclosed: ContinuousClock.Instant? { begun.nextLook }

  /// Notes pictures that were begun, are not closed and stay as they are: their content is older than their name, as of
  /// files that are linked when they are whole, so that no closing is told under it.
  func noteUnclosed(_ now: ContinuousClock.Instant) {
    let whole = begun.takeWhole(now, elseLookingAt: now + options.unclosed) { path in
      status(of: path).map { FileVersion($0) }
    }
    for path in whole { changes.note(file: path) }
  }

  /// The status of a picture, by its path from the root; nil for what is gone.
  private func status(of path: [UInt8]) -> stat? {
    var status = stat()
    let place = WalkPlace(path: soleName ?? path, isLink: false)
    return place.path(below: root).inPlace { fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) } == 0
      ? status : nil
  }

  private func forget(_ watch: Int32) {
    for watch in tree.remove(watch) { inotify.remove(watch) }
  }
}

// MARK: Folders

extension TreeWatch {
  /// Watches a folder and those below it, first the folder and then what is in it, so that nothing comes unseen.
  /// Folders that are watched already are put where they are now.
  private func enter(_ place: WalkPlace, in parent: Int32?) throws(ApusError) {
    var pending = [(place: place, parent: parent)]
    var links: [(place: WalkPlace, parent: Int32?)] = []
    while let (place, parent) = pending.popLast() {
      if let entered = try enterOnly(place, in: parent) {
        pending += entered.reading.folders.reversed().map { ($0, entered.watch) }
        links += entered.reading.links.map { ($0, entered.watch) }
      }
      if pending.isEmpty { swap(&pending, &links) }
    }
  }

  /// - Returns: what is in the folder; nil when nothing there is to be watched.
  private func enterOnly(
    _ place: WalkPlace, in parent: Int32?
  ) throws(ApusError) -> (watch: Int32, reading: FolderReading)? {
    let path = place.path(below: root)
    // What is gone meanwhile, or cannot be read, is the walk's to tell.
    guard let folder = OpenFolder(path, followsLink: place.isLink), let version = folder.version,
      isHere(version.device, place)
    else { return nil }
    if let most = options.mostFolders, tree.count >= most { throw full("of which \(most) were allowed here") }
    guard let watch = inotify.add(path, followsLink: place.isLink) else {
      guard errno == ENOSPC || errno == ENOMEM else { return nil }
      throw full("of which a user's programs have \(Self.limit) together")
    }
    if place.isLink, tree.contains(watch) { return nil }
    if let parent {
      for watch in tree.put(watch, place.name, in: parent) { inotify.remove(watch) }
    } else {
      tree.putRoot(watch)
    }
    guard soleName == nil else { return nil }
    let reading = try FolderReading(
      folder, place, of: FileName.text(root), options.walk, wantsPictures: false)
    return (watch, reading)
  }

  /// Whether a folder on a device is to be watched.
  private func isHere(_ device: Int, _ place: WalkPlace) -> Bool {
    if self.device == nil { self.device = device }
    if options.walk.staysOnDevice, device != self.device { return false }
    let known = remoteFileSystems[device]
    let remote = known ?? mounts().remoteFileSystem(device: device)
    if known == nil { remoteFileSystems[device] = .some(remote) }
    guard let remote else { return true }
    unwatched.append((place.path, remote))
    return false
  }

  private func full(_ detail: String) -> ApusError {
    ApusError(
      .resources, "there are no more watches of folders, \(detail)", file: FileName.text(root),
      advice: "`sysctl fs.inotify.max_user_watches=1048576` as root raises the limit for a user's programs.")
  }

  private static var limit: String {
    KernelFile.text("/proc/sys/fs/inotify/max_user_watches")?.trimmed ?? "too few"
  }
}

// MARK: Events

extension TreeWatch {
  /// Notes what events say.
  func handle(_ events: [InotifyEvent]) -> Outcome {
    for event in events {
      do {
        let outcome = try handle(event)
        if outcome != .watching { return outcome }
      } catch {
        return .full(error)
      }
    }
    return .watching
  }

  private func handle(_ event: InotifyEvent) throws(ApusError) -> Outcome {
    if event.has(IN_Q_OVERFLOW) { return .overflow }
    guard let folder = tree.path(of: event.watch) else { return .watching }
    guard !event.name.isEmpty else { return handle(event, ofFolder: folder) }
    if let soleName {
      if event.name == soleName, !event.has(IN_ISDIR), !isBegun(event, []) {
        changes.note(file: [])
      }
      return .watching
    }
    let place = WalkPlace(path: WalkPlace(path: folder, isLink: false).path(of: event.name), isLink: false)
    if event.has(IN_CREATE | IN_MOVED_TO) {
      try arrive(event, place, in: folder)
    } else if event.has(IN_DELETE | IN_MOVED_FROM) {
      depart(event, place, in: folder)
    } else if event.has(IN_CLOSE_WRITE), isPicture(event.name, in: folder) {
      begun.remove(place.path)
      changes.note(file: place.path)
    }
    return .watching
  }

  /// An event of a watched folder itself.
  private func handle(_ event: InotifyEvent, ofFolder folder: [UInt8]) -> Outcome {
    let isRoot = event.watch == tree.root
    if event.has(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED), isRoot { return .lost }
    if event.has(IN_UNMOUNT) { changes.note(folder: folder) }
    if event.has(IN_IGNORED) { forget(event.watch) }
    return .watching
  }

  private func arrive(_ event: InotifyEvent, _ place: WalkPlace, in folder: [UInt8]) throws(ApusError) {
    let departure = event.has(IN_MOVED_TO) ? departures.removeValue(forKey: event.cookie) : nil
    defer { if let departure { settle(departure) } }
    if event.has(IN_ISDIR) || isLinkToFolder(place) {
      guard !isExcluded(event.name, in: folder, isFolder: true) else { return }
      if let departure, departure.watch != nil {
        changes.note(renamed: departure.path, to: place.path, isFolder: true)
      }
      changes.note(folder: place.path)
      let isLink = !event.has(IN_ISDIR)
      try enter(WalkPlace(path: place.path, isLink: isLink), in: event.watch)
    } else if isPicture(event.name, in: folder), !isBegun(event, place.path) {
      if let departure, departure.watch == nil {
        changes.note(renamed: departure.path, to: place.path, isFolder: false)
      }
      changes.note(file: place.path)
    }
  }

  private func depart(_ event: InotifyEvent, _ place: WalkPlace, in folder: [UInt8]) {
    let watch = tree.child(event.name, of: event.watch)
    // The watch of a folder that was removed may have ended before.
    if watch != nil || (event.has(IN_ISDIR) && !isExcluded(event.name, in: folder, isFolder: true)) {
      changes.note(folder: place.path)
    } else if isPicture(event.name, in: folder), !event.has(IN_ISDIR) {
      begun.remove(place.path)
      changes.note(file: place.path)
    } else {
      return
    }
    if let watch, !event.has(IN_MOVED_FROM) || !isFound(watch, at: place) { tree.takeOut(watch) }
    let departure = Departure(path: place.path, watch: watch)
    if event.has(IN_MOVED_FROM) { departures[event.cookie] = departure } else { settle(departure) }
  }

  private func settle(_ departure: Departure) {
    if let watch = departure.watch, tree.isTakenOut(watch) { forget(watch) }
  }

  /// Whether a watched folder is at a place now. Of two folders that are exchanged, the first is put where the second
  /// was before it is told that the second went away from there.
  private func isFound(_ watch: Int32, at place: WalkPlace) -> Bool {
    guard let found = inotify.add(place.path(below: root), followsLink: false) else { return false }
    if !tree.contains(found) { inotify.remove(found) }
    return found == watch
  }

  /// Whether a file was only begun, which is kept in mind: it is told when it is closed, or stays as it is. One that
  /// has another name already, or is a link, will not be closed.
  private func isBegun(_ event: InotifyEvent, _ path: [UInt8]) -> Bool {
    begun.remove(path)
    guard event.has(IN_CREATE) else { return false }
    guard let status = self.status(of: path) else { return true }
    guard EntryKind(status) == .file, status.st_nlink == 1 else { return false }
    begun.note(path, FileVersion(status), lookingAt: ContinuousClock.now + options.unclosed)
    return true
  }

  private func isLinkToFolder(_ place: WalkPlace) -> Bool {
    guard options.walk.followsLinks else { return false }
    var status = stat()
    return place.path(below: root).inPlace { fstatat($0, $1, &status, 0) } == 0
      && EntryKind(status) == .folder
  }

  private func isExcluded(_ name: [UInt8], in folder: [UInt8], isFolder: Bool) -> Bool {
    name.withUnsafeBytes {
      options.walk.excludes($0, in: WalkPlace(path: folder, isLink: false), isFolder: isFolder)
    }
  }

  private func isPicture(_ name: [UInt8], in folder: [UInt8]) -> Bool {
    name.withUnsafeBytes { MediaKind($0) } == .photograph && !isExcluded(name, in: folder, isFolder: false)
  }
}
