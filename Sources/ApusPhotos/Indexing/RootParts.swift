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

  /// Those that lie where they are known, and the disk on which they do now.
  private(set) var present: [(part: StoredPart, disk: RootDisk)] = []
  /// Those whose disk is away, or where another one is.
  private(set) var kept: [Kept] = []
  /// The paths from the root of all that are known on other disks than the root, looked for or not.
  let paths: [String]

  /// - Parameters:
  ///   - disk: that of the root now: what is on it is known by that.
  ///   - below: the path from the root of what is indexed: parts in it count, and those that it lies in.
  ///   - takesOtherDisks: whether a disk that has none of the files takes the place of the one that had them.
  init(
    of root: StoredRoot, on disk: RootDisk?, around below: String, takesOtherDisks: Bool, _ store: PhotoStore
  ) throws(ApusError) {
    let parts = try store.read { try StoredPart.all(of: root.id, $0) }.filter { part in
      !(disk.map { part.disk.isSame(as: $0) } ?? false)
    }
    paths = parts.map(\.path)
    for part in parts {
      let isConcerned =
        below.isEmpty || ExactPath(part.path).below(below) != nil || ExactPath(below).below(part.path) != nil
      guard isConcerned else { continue }
      let place = WalkRoot(root.path(of: part.path), knownOn: part.disk)
      if let found = place.disk, try Self.isThere(part, place, of: root, takesOtherDisks, store) {
        present.append((part: part, disk: found))
      } else {
        kept.append(Kept(path: part.path, state: place.state))
      }
    }
  }

  /// Whether the disk that was found is that of a part, or counts as that, and has anything.
  private static func isThere(
    _ part: StoredPart, _ place: WalkRoot, of root: StoredRoot, _ takesOtherDisks: Bool, _ store: PhotoStore
  ) throws(ApusError) -> Bool {
    switch place.state {
    case .present: return true
    case .empty, .absent: return false
    case .otherDisk:
      if takesOtherDisks { return true }
      return try store.read {
        try StoredFile.lie(in: place, of: root, below: part.path, knownOn: part.disk, in: $0)
      }
    }
  }

  /// Takes note of where the disks of parts are now.
  func store(of root: StoredRoot, in database: Database) throws {
    for (part, disk) in present where disk != part.disk {
      if disk.device != part.disk.device {
        let inner = paths.filter { ExactPath($0).below(part.path).map { !$0.isEmpty } ?? false }
        try StoredFile.move(
          of: root.id, below: part.path, but: inner, fromDevice: part.disk.device, to: disk.device,
          in: database)
      }
      try StoredPart(path: part.path, disk: disk.knowing(part.disk)).store(of: root.id, in: database)
    }
  }

  /// The part that a path lies in and that is left as it is known.
  func keptPart(around below: String) -> Kept? {
    kept.first { ExactPath(below).below($0.path) != nil }
  }
}
