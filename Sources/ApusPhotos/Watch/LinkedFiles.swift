import GRDB
import TensorCore

/// Other paths in the index of files that changed: hard links, and symbolic links to them. The system reports a change
/// only under the path by which it was made.
struct LinkedFiles {
  private let roots: [StoredRoot]
  /// The files as they are, and as the index has them: links to a file lead to what took its place.
  private var numbers: Set<FileNumber> = []

  /// The paths of a file by its numbers, which an index of the database finds: what this costs goes with the
  /// changes, and not with what is known.
  static let paths = "SELECT root_id, path FROM file WHERE inode = ? AND device = ?"

  init(_ changes: FolderChanges, in database: Database) throws {
    roots = try StoredRoot.all(in: database)
    for file in changes.files { try note(file: StoredRoot.path(changes.root, file), in: database) }
    for folder in changes.folders { try note(folder: StoredRoot.path(changes.root, folder), in: database) }
  }

  /// The folders with such paths, including the files' own; for a missing folder, the nearest existing one.
  func folders(in database: Database) throws -> [String] {
    guard !numbers.isEmpty else { return [] }
    var places: [ExactText: (root: String, folder: String)] = [:]
    let statement = try database.cachedStatement(sql: Self.paths)
    for number in numbers {
      for row in try Row.fetchAll(statement, arguments: [number.inode, number.device]) {
        let (id, path): (Int64, String) = (try row.at(0), try row.at(1))
        guard let root = roots.first(where: { $0.id == id }) else { continue }
        let folder = FileName.folder(of: path)
        places[ExactText(root.path(of: folder))] = (root: root.path, folder: folder)
      }
    }
    return places.values.map { WatchEvent.present($0.root, $0.folder) }
  }

  private mutating func note(file path: String, in database: Database) throws {
    if let version = FileSystem.version(of: path) { numbers.insert(FileNumber(version)) }
    guard let (root, below) = place(of: path) else { return }
    let statement = try database.cachedStatement(
      sql: "SELECT device, inode FROM file WHERE root_id = ? AND path = ?")
    try note(try Row.fetchAll(statement, arguments: [root, below]))
  }

  private mutating func note(folder path: String, in database: Database) throws {
    guard let (root, below) = place(of: path) else { return }
    let paths = PathsBelow(below)
    let statement = try database.cachedStatement(
      sql: "SELECT device, inode FROM file WHERE root_id = ? AND \(paths.condition)")
    try note(try Row.fetchAll(statement, arguments: paths.arguments(behind: [root])))
  }

  private mutating func note(_ rows: [Row]) throws {
    for row in rows {
      let number = try FileNumber(device: row.at(0), inode: row.at(1))
      numbers.insert(number)
    }
  }

  /// The root that a path lies in, and the path from there.
  private func place(of path: String) -> (root: Int64, below: String)? {
    for root in roots {
      if let below = ExactText(path).below(root.path) { return (root: root.id, below: below) }
    }
    return nil
  }
}
