import Dispatch
import TensorCore

/// The watch of one root through all that happens to it: it is there, cannot be watched, is lost and comes back. It
/// belongs to one queue.
final class RootWatch {
  private enum State {
    case lost
    case watched(TreeWatch)
    /// There, and only walked again from time to time.
    case unwatched
  }

  private let root: String
  private let options: WatchOptions
  private let mounts: () -> MountTable
  private let queue: DispatchQueue
  /// Called when something happened.
  private let notify: () -> Void

  private var state = State.lost
  /// The folder or file that was found at the root, and the disks below it.
  private var version: FileVersion?
  private var isFile = false
  private var mounted: Set<MountTable.Mount> = []
  /// Folders that are walked again from time to time.
  private var unwatched: Set<[UInt8]> = []
  private var announced: [WatchEvent] = []
  private var nextLook = ContinuousClock.now
  private var nextRescan = ContinuousClock.now

  init(
    _ root: String, _ options: WatchOptions, mounts: @escaping () -> MountTable, on queue: DispatchQueue,
    _ notify: @escaping () -> Void
  ) {
    (self.root, self.options, self.mounts, self.queue, self.notify) = (root, options, mounts, queue, notify)
    nextRescan += options.rescanInterval
    nextLook += options.rootInterval
    start(.started)
    if announced.isEmpty { announced = [.lost(root: root)] }
  }

  /// The next that is to be told.
  func takeEvent(_ now: ContinuousClock.Instant) -> WatchEvent? {
    guard announced.isEmpty else { return announced.removeFirst() }
    guard case .watched(let tree) = state, let due = tree.changes.due(options), due <= now else { return nil }
    return .changes(tree.takeChanges(root))
  }

  /// When ``tick(_:)`` is to be called again, at the latest.
  func nextTime(after now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    var times = [nextLook]
    if !unwatched.isEmpty { times.append(nextRescan) }
    if case .watched(let tree) = state {
      if let due = tree.changes.due(options), due > now { times.append(due) }
      if let due = tree.nextUnclosed { times.append(due) }
    }
    return times.min() ?? nextLook
  }

  /// Does what is to be done from time to time.
  func tick(_ now: ContinuousClock.Instant) {
    if case .watched(let tree) = state {
      tree.noteUnclosed(now)
      if let due = tree.changes.due(options), due <= now { tree.settle() }
    }
    if nextLook <= now {
      nextLook = now + options.rootInterval
      look()
    }
    if nextRescan <= now {
      nextRescan = now + options.rescanInterval
      for folder in unwatched { announceRescan(folder, .interval) }
    }
  }

  /// Whether the root is still what it was: no event tells that a disk was mounted over it, or below.
  private func look() {
    let found = FileSystem.version(of: root)
    switch (state, found) {
    case (.lost, nil): break
    case (.lost, _): start(.returned)
    case (_, nil): if !isFile { lose() }
    case (_, let found?):
      // Programs write a file anew under its name.
      guard !isFile else { return }
      if found.device != version?.device || found.inode != version?.inode {
        start(.returned)
      } else if mountsBelow() != mounted {
        start(.mounted)
      }
    }
  }

  private func mountsBelow() -> Set<MountTable.Mount> {
    FileSystem.resolved(root).map { mounts().below($0) } ?? []
  }

  private func start(_ reason: RescanReason) {
    guard let version = FileSystem.version(of: root) else { return lose() }
    (self.version, isFile) = (version, FileSystem.isFile(root))
    mounted = mountsBelow()
    if reason != .manyChanges { unwatched = [] }
    do {
      let tree = try TreeWatch(root, options, mounts: mounts, on: queue) { [weak self] in self?.handle($0) }
      state = tree.isWatching ? .watched(tree) : .unwatched
      noteUnwatched(tree)
      // One that cannot be opened now is looked at again.
      if !tree.isWatching { unwatched.insert([]) }
    } catch {
      giveUp(error)
    }
    announceRescan([], reason)
  }

  private func handle(_ events: [InotifyEvent]) {
    // Events of a watch that was given up may be on their way still.
    guard case .watched(let tree) = state else { return }
    switch tree.handle(events) {
    case .watching: noteUnwatched(tree)
    case .lost: lose()
    case .overflow: start(.manyChanges)
    case .full(let error):
      giveUp(error)
      announceRescan([], .manyChanges)
    }
    if case .watched(let tree) = state, tree.changes.isTooMany {
      _ = tree.takeChanges(root)
      announceRescan([], .manyChanges)
    }
    notify()
  }

  private func lose() {
    if case .lost = state { return }
    state = .lost
    (version, unwatched) = (nil, [])
    announced = [.lost(root: root)]
  }

  private func giveUp(_ error: ApusError) {
    state = .unwatched
    unwatched = [[]]
    announced.append(.unwatched(root: root, folder: "", error.inFile(root)))
  }

  private func noteUnwatched(_ tree: TreeWatch) {
    for (folder, fileSystem) in tree.takeUnwatched() where unwatched.insert(folder).inserted {
      let path = WalkPlace(path: folder, isLink: false).path(below: FileName.bytes(root))
      announced.append(
        .unwatched(
          root: root, folder: FileName.text(folder),
          ApusError(
            .file,
            "is on a file system of kind \(fileSystem), which does not tell what other machines change",
            file: FileName.text(path))))
    }
  }

  private func announceRescan(_ folder: [UInt8], _ reason: RescanReason) {
    let isAnnounced = announced.contains {
      if case .rescan(_, let other, _) = $0 {
        other.utf8.elementsEqual(FileName.text(folder).utf8)
      } else {
        false
      }
    }
    if !isAnnounced { announced.append(.rescan(root: root, folder: FileName.text(folder), reason)) }
  }
}
