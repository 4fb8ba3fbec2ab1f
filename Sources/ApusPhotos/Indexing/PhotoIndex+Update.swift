import Apus
import TensorCore

extension PhotoIndex {
  /// Brings the index up to what folders hold now: reads new and changed pictures, the newest first, and takes note of
  /// those that were renamed, moved, copied or are gone.
  ///
  /// It can be stopped at any moment, by cancelling the task or by ending the process, and goes on where it was.
  /// - Parameters:
  ///   - folders: folders, or single files; none for all that were indexed before.
  ///   - model: what pictures are embedded with. An index may have vectors of several.
  ///   - options: what is left out, and what it may cost.
  ///   - report: told what happens, from whatever thread.
  /// - Returns: what was done.
  /// - Throws: ``ApusError``: kind `file` when a folder does not exist, or the index cannot be written, or is being
  ///   changed by another process; `cancelled`. A picture that fails stops nothing.
  @discardableResult
  public func update(
    _ folders: [String] = [], with model: PhotoModel, options: IndexOptions = IndexOptions(),
    report: @escaping @Sendable (IndexEvent) -> Void = { _ in }
  ) async throws(ApusError) -> IndexProgress {
    try await update(folders, with: model, options, report, holding: StoreLock(folder))
  }

  func update(
    _ folders: [String], with model: PhotoModel, _ options: IndexOptions,
    _ report: @escaping @Sendable (IndexEvent) -> Void, holding lock: StoreLock
  ) async throws(ApusError) -> IndexProgress {
    try store.checkIdentity()
    defer {
      store.checkpoint()
      withExtendedLifetime(lock) {}
    }
    var indexer = try Indexer(store, model, options, report: report)
    for path in try roots(folders).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      try indexer.scan(path)
    }
    return try await indexer.read()
  }

  /// The absolute folders without links; the index's folders if none are given.
  func roots(_ folders: [String]) throws(ApusError) -> [String] {
    guard !folders.isEmpty else {
      let roots = try store.read { try StoredRoot.all(in: $0).map(\.path) }
      guard !roots.isEmpty else {
        throw ApusError(.argument, "no folder was indexed yet", expected: "one to index")
      }
      return roots
    }
    var paths: [String] = []
    for folder in folders {
      guard let path = FileSystem.resolved(folder) else {
        throw ApusError(.file, "it does not exist", file: folder)
      }
      paths.append(path)
    }
    return paths
  }
}
