import GRDB
import TensorCore

/// A folder that was indexed.
struct StoredRoot: Sendable, Hashable {
  var id: Int64
  /// From `/`, without links.
  var path: String
  /// The disk that it was on; nil before its first walk was done.
  var disk: RootDisk?
  /// Patterns of what is left out.
  var excluded: [String]

  /// The path from `/` of a file.
  func path(of below: String) -> String { Self.path(path, below) }

  /// The path from `/` of one from a root.
  static func path(_ root: String, _ below: String) -> String {
    below.isEmpty ? root : root.utf8.last == UInt8(ascii: "/") ? root + below : "\(root)/\(below)"
  }

  /// Writes that all of the root was walked.
  /// - Parameter kept: the paths from the root of parts that were left as they are known.
  func scanned(on disk: RootDisk, at time: Int64, but kept: [String] = [], in database: Database) throws {
    let disk = disk.knowing(self.disk)
    // A clock that was put back does not make what comes earlier than what was.
    try database.execute(
      sql: """
        UPDATE root SET device = ?, file_system = ?, volume = ?, scanned_at = max(?, coalesce(scanned_at, 0))
        WHERE id = ?
        """, arguments: [disk.device, disk.fileSystem, disk.volume, time, id])
    try StoredPart.removeThose(of: id, on: disk, but: kept, in: database)
  }

  /// - Parameter schema: the name of the attached index that is meant.
  static func all(of schema: String = "main", in database: Database) throws -> [StoredRoot] {
    let volume = try StoreSchema.hasDisks(schema, in: database) ? "volume" : "NULL"
    return try Row.fetchAll(
      database,
      sql: "SELECT id, path, excluded, device, file_system, \(volume) FROM \(schema).root ORDER BY path"
    ).map { row in
      let patterns: String = try row.at(2)
      // By bytes, as Swift takes "\r\n" for one character.
      let excluded = patterns.utf8.split(separator: UInt8(ascii: "\n"))
      return try StoredRoot(
        id: row.at(0), path: row.at(1), disk: RootDisk(row, at: 3),
        excluded: excluded.map { String(decoding: $0, as: UTF8.self) })
    }
  }

  /// The root that a folder is, or becomes: one that it lies in, or itself, into which roots below it go.
  /// - Parameter inherits: whether the patterns of these roots stay in force inside them, before the new root's own.
  /// - Returns: the root, and the folder's path from it, empty for the root itself.
  static func containing(
    _ path: String, excluded: [String], inherits: Bool, in database: Database
  ) throws -> (root: StoredRoot, below: String) {
    let known = try all(in: database)
    let root: StoredRoot
    if let outer = known.first(where: { ExactText(path).below($0.path) != nil }) {
      root = outer
    } else {
      let patterns = (inherits ? inherited(by: path, from: known) : []) + excluded
      try database.execute(
        sql: "INSERT INTO root (path, excluded) VALUES (?, ?)",
        arguments: [path, patterns.joined(separator: "\n")])
      root = StoredRoot(id: database.lastInsertedRowID, path: path, disk: nil, excluded: patterns)
    }
    for inner in known where inner.id != root.id { try root.absorb(inner, in: database) }
    return (root, ExactText(path).below(root.path) ?? "")
  }

  /// The patterns of those roots that lie in a folder, from there.
  private static func inherited(by folder: String, from roots: [StoredRoot]) -> [String] {
    var patterns: [String] = []
    for root in roots {
      if let below = ExactText(root.path).below(folder) {
        patterns += Exclusions.patterns(root.excluded, of: below)
      }
    }
    return patterns
  }

  /// Takes the files of a root that lies below this one, and the disk that it was on; what both have stays as
  /// it is here.
  private func absorb(_ inner: StoredRoot, in database: Database) throws {
    guard let below = ExactText(inner.path).below(path) else { return }
    try database.execute(
      sql: """
        UPDATE OR IGNORE file SET root_id = ?, path = CASE path WHEN '' THEN ? ELSE ? || path END
        WHERE root_id = ?
        """, arguments: [id, below, below + "/", inner.id])
    for part in try StoredPart.all(of: inner.id, database) {
      try part.moved(below: below).store(of: id, in: database)
    }
    if let disk = inner.disk { try StoredPart(path: below, disk: disk).store(of: id, in: database) }
    try database.execute(sql: "DELETE FROM root WHERE id = ?", arguments: [inner.id])
  }
}
