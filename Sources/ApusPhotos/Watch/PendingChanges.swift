import TensorCore

/// Changes that wait to be told, by the bytes of their paths from the root.
struct PendingChanges {
  private var renames: [FolderChanges.Rename] = []
  private var files: Set<[UInt8]> = []
  private var folders: Set<[UInt8]> = []
  private var first: ContinuousClock.Instant?
  private var last: ContinuousClock.Instant?

  /// More than this, and walking all is less work than a list.
  static let most = 50_000

  var isTooMany: Bool { files.count + folders.count + renames.count > Self.most }

  /// When they are to be told; nil when there are none.
  func due(_ options: WatchOptions) -> ContinuousClock.Instant? {
    guard let first, let last else { return nil }
    return min(last + options.quiet, first + options.longest)
  }

  mutating func note(file: [UInt8]) {
    files.insert(file)
    touch()
  }

  mutating func note(folder: [UInt8]) {
    folders.insert(folder)
    touch()
  }

  mutating func note(renamed from: [UInt8], to: [UInt8], isFolder: Bool) {
    renames.append(FolderChanges.Rename(from: FileName.text(from), to: FileName.text(to), isFolder: isFolder))
    touch()
  }

  private mutating func touch() {
    let now = ContinuousClock.now
    first = first ?? now
    last = now
  }

  /// Takes the pending changes of a root.
  mutating func take(_ root: String) -> FolderChanges {
    let changes = FolderChanges(
      root: root, renames: renames, files: outermost(files).map(FileName.text),
      folders: outermost(folders).map(FileName.text))
    self = PendingChanges()
    return changes
  }

  /// The paths that are in none of the folders, sorted.
  private func outermost(_ paths: Set<[UInt8]>) -> [[UInt8]] {
    guard !folders.contains([]) || paths == [[]] else { return paths.filter(\.isEmpty) }
    return paths.filter { path in
      !path.indices.contains { path[$0] == UInt8(ascii: "/") && folders.contains(Array(path[..<$0])) }
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
