import GRDB
import TensorCore

/// A folder of a root that was one itself before, and may be on a disk of its own.
struct StoredPart: Sendable, Hashable {
  /// From the root.
  let path: String
  /// The disk that it was on.
  let disk: RootDisk

  /// The parts of a root, each before the parts inside it.
  /// - Parameter schema: the name of the attached index, of any version.
  static func all(
    of root: Int64, in schema: String = "main", _ database: Database
  ) throws -> [StoredPart] {
    guard try StoreSchema.hasDisks(schema, in: database) else { return [] }
    return try Row.fetchAll(
      database,
      sql: "SELECT path, device, file_system, volume FROM \(schema).part WHERE root_id = ? ORDER BY path",
      arguments: [root]
    ).compactMap { row in
      let path: String = try row.at(0)
      return try RootDisk(row, at: 1).map { StoredPart(path: path, disk: $0) }
    }
  }

  /// This part as a part of a root around its own.
  /// - Parameter folder: the path of its root from the outer one; empty if both are one.
  func moved(below folder: String) -> StoredPart {
    StoredPart(path: folder.isEmpty ? path : "\(folder)/\(path)", disk: disk)
  }

  /// Writes the part; one of the path that is known already is replaced, or stays.
  func store(of root: Int64, replacing: Bool = true, in database: Database) throws {
    try database.execute(
      sql: """
        INSERT OR \(replacing ? "REPLACE" : "IGNORE") INTO part (root_id, path, device, file_system, volume)
        VALUES (?, ?, ?, ?, ?)
        """, arguments: [root, path, disk.device, disk.fileSystem, disk.volume])
  }

  /// Forgets the parts of a root that are on its own disk, which tells as much of them.
  /// - Parameter kept: the paths of those that are on others, which may have had the number that the disk has now.
  static func removeThose(
    of root: Int64, on disk: RootDisk, but kept: [String] = [], in database: Database
  ) throws {
    let kept = Set(kept.map { ExactText($0) })
    for part in try all(of: root, database)
    where part.disk.isSame(as: disk) && !kept.contains(ExactText(part.path)) {
      try part.remove(of: root, in: database)
    }
  }

  func remove(of root: Int64, in database: Database) throws {
    try database.execute(
      sql: "DELETE FROM part WHERE root_id = ? AND path = ?", arguments: [root, path])
  }
}

extension RootDisk {
  /// From three columns of a row: device, file system and volume; nil where it is not known.
  init?(_ row: Row, at column: Int) throws {
    let (device, system): (Int?, Int?) = (try row.at(column), try row.at(column + 1))
    let volume: String? = try row.at(column + 2)
    guard let device, let system else { return nil }
    self.init(device: device, fileSystem: system, volume: volume)
  }
}
