import GRDB
import TensorCore

/// The parts of a root that are on disks of their own, as an indexing finds them.
struct RootParts {
  /// A part that is left as it is known, and what stands in its place.
  struct Kept {
    /// From the root.
    let path: String
    let state: RootState
  }

  /// Parts that are where the index has them, and their present disk.
  private(set) var present: [(part: StoredPart, disk: RootDisk)] = []
  /// Parts whose disk is away, or replaced by another.
  private(set) var kept: [Kept] = []
  /// The paths from the root of all that are known on other disks than the root, looked for or not.
  let paths: [String]
  /// That of the root now.
  private let disk: RootDisk?

  /// - Parameters:
  ///   - place: the root as it is held open.
  ///   - disk: that of the root now. Before it was ever walked, what is known on that disk is on it; afterwards
  ///     all that is a part is on another one, which may have had the number that the root's has by now.
  ///   - below: the path from the root of what is indexed: parts in it count, and those that it lies in.
  ///   - takesOtherDisks: whether a disk that has none of the files takes the place of the one that had them.
  init(
    of root: StoredRoot, in place: WalkRoot, on disk: RootDisk?, around below: String, takesOtherDisks: Bool,
    _ store: PhotoStore
  ) throws(ApusError) {
    self.disk = disk
    let own = root.disk == nil ? disk : nil
    let parts = try store.read { try StoredPart.all(of: root.id, $0) }.filter { part in
      !(own.map { part.disk.isSame(as: $0) } ?? false)
    }
    paths = parts.map(\.path)
    for part in parts {
      let isConcerned =
        below.isEmpty || ExactText(part.path).below(below) != nil || ExactText(below).below(part.path) != nil
      guard isConcerned else { continue }
      let folder = WalkRoot(part.path, in: place, knownOn: part.disk)
      let state = Self.state(of: part, folder, rootOn: disk)
      let isThere =
        switch state {
        case .present: true
        case .empty, .absent: false
        case .otherDisk where takesOtherDisks: true
        case .otherDisk:
          try store.read {
            try StoredFile.lie(in: folder, of: root, below: part.path, knownOn: part.disk, in: $0)
          }
        }
      if isThere, let found = folder.disk {
        present.append((part: part, disk: found))
      } else {
        kept.append(Kept(path: part.path, state: state))
      }
    }
  }

  /// The state of a part's place. A folder on the root's disk is not the part's disk, whatever their numbers, unless the
  /// volumes' names say so.
  private static func state(of part: StoredPart, _ folder: WalkRoot, rootOn disk: RootDisk?) -> RootState {
    guard folder.state == .present, let found = folder.disk, let disk, found.isSame(as: disk) else {
      return folder.state
    }
    return part.disk.volume != nil && part.disk.volume == found.volume ? .present : .otherDisk
  }

  /// Takes note of where the disks of parts are now. One that lies on the disk of a root that was walked before is
  /// none any more.
  func store(of root: StoredRoot, in database: Database) throws {
    for (part, disk) in present {
      if disk.device != part.disk.device {
        let inner = paths.filter { ExactText($0).below(part.path).map { !$0.isEmpty } ?? false }
        try StoredFile.move(
          of: root.id, below: part.path, but: inner, fromDevice: part.disk.device, to: disk.device,
          in: database)
      }
      if root.disk != nil, let own = self.disk, disk.isSame(as: own) {
        try part.remove(of: root.id, in: database)
      } else if disk != part.disk {
        try StoredPart(path: part.path, disk: disk.knowing(part.disk)).store(of: root.id, in: database)
      }
    }
  }

  /// The part that a path lies in and that is left as it is known.
  func keptPart(around below: String) -> Kept? {
    kept.first { ExactText(below).below($0.path) != nil }
  }
}
