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
    let roots = try roots(folders)
    let walk = WalkOptions(try Exclusions(adding: options.excluded))
    for await event in FolderWatch(roots, WatchOptions(walk)) {
      switch event {
      case .unwatched(let root, let folder, let error):
        report(.failure(path: StoredRoot.path(root, folder), error))
      case .lost(let root): report(.kept(folder: root, reason: "it is away"))
      case .changes, .rescan:
        guard let lock = try await StoreLock.whenFree(folder) else { return }
        do throws(ApusError) {
          _ = try await update(event.folders, with: model, options, report, holding: lock)
        } catch  where error.kind == .cancelled {
          return
        }
      }
    }
  }
}

extension WatchEvent {
  /// The folders that have to be compared with the index; of something that is gone, the nearest that is there.
  var folders: [String] {
    switch self {
    case .changes(let changes):
      let parents = Set(changes.files.map(FileName.folder)).union(changes.folders)
      return Set(parents.map { Self.present(changes.root, $0) }).sorted()
    case .rescan(let root, let folder, _): return [Self.present(root, folder)]
    case .unwatched, .lost: return []
    }
  }

  private static func present(_ root: String, _ folder: String) -> String {
    var folder = folder
    while !folder.isEmpty, !FileSystem.isFolder(StoredRoot.path(root, folder)) {
      folder = FileName.folder(of: folder)
    }
    return StoredRoot.path(root, folder)
  }
}
