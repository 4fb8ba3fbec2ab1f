import GRDB

/// Removes entries of files that have been gone for long.
struct Forgotten {
  private(set) var files = 0
  /// Contents that no file holds any more.
  private(set) var contents: Set<Int64> = []
  /// Models that had vectors of them.
  private(set) var models: [StoredModel] = []

  init() {}

  /// Forgets the files of a root that have been missing since before a time.
  /// - Parameter kept: folders of the root whose disks are away, of which nothing is forgotten.
  init(missingBefore time: Int64, of root: Int64, but kept: [String] = [], in database: Database) throws {
    let folders = kept.map { PathsBelow($0) }
    try database.execute(
      sql: "DELETE FROM file WHERE root_id = ? AND missing_since < ?"
        + folders.map { " AND NOT (\($0.condition))" }.joined(),
      arguments: folders.reduce([root, time]) { $1.arguments(behind: $0) })
    files = database.changesCount
    guard files > 0 else { return }
    contents = try Int64.fetchSet(
      database,
      sql: "SELECT id FROM content WHERE NOT EXISTS (SELECT 1 FROM file WHERE content_id = content.id)")
    guard !contents.isEmpty else { return }
    models = try StoredModel.all(in: database)
    try database.execute(
      sql: "DELETE FROM content WHERE NOT EXISTS (SELECT 1 FROM file WHERE content_id = content.id)")
    try StoredModel.advance(models.map(\.id), in: database)
  }
}
