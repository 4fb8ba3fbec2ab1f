import Apus
import TensorCore

extension PhotoIndex {
  /// Keeps the index up to what folders hold, until the task is cancelled.
  /// - Parameters:
  ///   - folders: folders, or single files; none for all that were indexed before.
  ///   - model: what pictures are embedded with.
  ///   - options: what is left out, and what it may cost.
  ///   - report: told what happens, from whatever thread.
  /// - Throws: ``ApusError``: kind `file` when a folder does not exist or the index cannot be written; `argument` for a
  ///   pattern that means nothing. While another process changes the index, it waits.
  public func watch(
    _ folders: [String] = [], with model: PhotoModel, options: IndexOptions = IndexOptions(),
    report: @escaping @Sendable (IndexEvent) -> Void = { _ in }
  ) async throws(ApusError) {
    let watched = try watched(roots(folders), excluded: options.excluded)
    for await event in FolderWatch(watched) {
      switch event {
      case .unwatched(let root, let folder, let error):
        report(.failure(path: StoredRoot.path(root, folder), error))
      case .lost(let root): report(.kept(folder: root, reason: "it is away"))
      case .changes, .rescan:
        guard let lock = try await StoreLock.whenFree(folder) else { return }
        do throws(ApusError) {
          try await follow(
            event, among: watched.map(\.path), with: model, options, report, holding: lock)
        } catch  where error.kind == .cancelled {
          return
        }
      }
    }
  }

  /// The roots, each with what an indexing leaves out below it.
  func watched(
    _ paths: [String], excluded: [String]
  ) throws(ApusError) -> [(path: String, options: WatchOptions)] {
    let known = try store.read { try StoredRoot.all(in: $0) }
    var watched: [(path: String, options: WatchOptions)] = []
    for path in paths {
      let root = known.first { ExactText(path).below($0.path) != nil }
      let exclusions = try Exclusions(adding: (root?.excluded ?? []) + excluded)
      let below = root.flatMap { ExactText(path).below($0.path) } ?? ""
      watched.append((path: path, options: WatchOptions(WalkOptions(exclusions, below: below))))
    }
    return watched
  }

  /// Compares what an event tells of with the index. A folder that went away meanwhile, or while the index was another
  /// process's, ends no watch: it is watched for until it comes back, and others go on.
  /// - Parameter watched: all that is watched.
  func follow(
    _ event: WatchEvent, among watched: [String], with model: PhotoModel, _ options: IndexOptions,
    _ report: @escaping @Sendable (IndexEvent) -> Void, holding lock: StoreLock
  ) async throws(ApusError) {
    var folders: [String] = []
    for folder in event.folders {
      if FileSystem.resolved(folder) != nil {
        folders.append(folder)
      } else {
        report(.kept(folder: folder, reason: "it is away"))
      }
    }
    // No folders would be all of the index.
    guard !folders.isEmpty else { return }
    folders += try foldersOfLinks(event, in: watched)
    do throws(ApusError) {
      _ = try await update(folders, with: model, options, report, holding: lock)
    } catch  where error.kind == .file && folders.contains(where: { FileSystem.resolved($0) == nil }) {
      try await follow(event, among: watched, with: model, options, report, holding: lock)
    }
  }

  /// The watched folders that are there in which the index has other paths of what an event tells of.
  private func foldersOfLinks(_ event: WatchEvent, in watched: [String]) throws(ApusError) -> [String] {
    guard case .changes(let changes) = event else { return [] }
    // One of an earlier version would be read whole for every file.
    try store.bringUp()
    let folders = try store.read { try LinkedFiles(changes, in: $0).folders(in: $0) }
    return folders.filter { folder in
      FileSystem.resolved(folder) != nil && watched.contains { ExactText(folder).below($0) != nil }
    }
  }
}

extension WatchEvent {
  /// The folders that have to be compared with the index; of something that is gone, the nearest that is there.
  var folders: [String] {
    switch self {
    case .changes(let changes):
      let parents = Set(
        (changes.files.map { FileName.folder(of: $0) } + changes.folders).map { ExactText($0) })
      return Set(parents.map { ExactText(Self.present(changes.root, $0.text)) }).map(\.text)
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    case .rescan(let root, let folder, _): return [Self.present(root, folder)]
    case .unwatched, .lost: return []
    }
  }

  /// A folder below a root, or the nearest to it that is there.
  static func present(_ root: String, _ folder: String) -> String {
    var folder = folder
    while !folder.isEmpty, !FileSystem.isFolder(StoredRoot.path(root, folder)) {
      folder = FileName.folder(of: folder)
    }
    return StoredRoot.path(root, folder)
  }
}
