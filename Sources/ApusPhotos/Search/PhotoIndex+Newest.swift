import Apus
import GRDB
import TensorCore

extension PhotoIndex {
  /// The newest photographs: by the clocks of their cameras, else by the oldest of their files. No model is needed for it.
  /// - Parameters:
  ///   - count: at most so many.
  ///   - filter: which photographs are looked at.
  /// - Throws: ``ApusError``: kind `argument` for a filter that cannot be, `file` when the index cannot be read, `cancelled`.
  public func newest(
    _ count: Int = 20, filter: PhotoFilter = PhotoFilter()
  ) async throws(ApusError) -> [IndexedPhoto] {
    try await WorkerThreads.run { (isCancelled) throws(ApusError) in
      let statement = try FilterStatement(filter, roots: try self.store.read { try StoredRoot.all(in: $0) })
      return try self.store.read { database in
        var photos: [IndexedPhoto] = []
        guard count > 0 else { return photos }
        try statement.forEachNewest(in: database) { content in
          guard !isCancelled() else { throw ApusError(.cancelled, "the search was cancelled") }
          if let photo = try IndexedPhoto.find(content, in: database) { photos.append(photo) }
          return photos.count < count
        }
        return photos
      }
    }
  }
}

extension FilterStatement {
  /// Calls `body` with the contents that pass, the newest first, until it returns false.
  fileprivate func forEachNewest(in database: Database, _ body: (Int64) throws -> Bool) throws {
    let rows = try passing(
      "", "AND content.error IS NULL GROUP BY content.id ORDER BY min(\(Self.taken)) DESC, content.id DESC",
      in: database)
    while let content = try rows.next() {
      guard try body(content) else { return }
    }
  }
}
