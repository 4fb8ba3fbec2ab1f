import GRDB

/// What an index had of files that are gone for long.
struct Forgotten {
  private(set) var files = 0
  /// Contents that no file holds any more.
  private(set) var contents: Set<Int64> = []
  /// Models that had vectors of them.
  private(set) var models: [StoredModel] = []

  init() {}

  /// Forgets the files of a root that have been missing since before a time.
  init(missingBefore time: Int64, of root: Int64, in database: Database) throws {
    try database.execute(
      sql: "DELETE FROM file WHERE root_id = ? AND missing_since < ?", arguments: [root, time])
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
