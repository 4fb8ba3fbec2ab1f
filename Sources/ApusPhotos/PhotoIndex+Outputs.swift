import GRDB
import TensorCore

extension PhotoIndex {
  /// Refuses to write a file over what the index lives of: its own files, and photographs that it knows, by whatever path
  /// or link they are named, those too that could not be read or decoded.
  /// - Throws: ``ApusError`` of kind `argument` for such a path, of kind `file` when the index cannot be read.
  package func checkOutput(_ path: String) throws(ApusError) {
    guard !isOwnFile(path) else {
      throw ApusError(
        .argument, "is a file of the index itself", expected: "another file to write", file: path)
    }
    guard let version = FileSystem.version(of: path), let place = FileSystem.resolved(path) else { return }
    guard try !store.read({ try Self.hasPhotograph(at: place, version, in: $0) }) else {
      throw ApusError(
        .argument, "is a photograph of the index", expected: "another file to write", file: path)
    }
  }

  private func isOwnFile(_ path: String) -> Bool {
    let own = (FileSystem.names(in: folder) ?? []).filter(Self.isOwnName)
    if let version = FileSystem.version(of: path) {
      return own.contains { FileSystem.version(of: "\(folder)/\($0)")?.isSameFile(as: version) == true }
    }
    let parent = FileName.folder(of: path)
    guard let place = FileSystem.version(of: parent.isEmpty ? "." : parent),
      FileSystem.version(of: folder)?.isSameFile(as: place) == true
    else { return false }
    return Self.isOwnName(FileName.last(of: path))
  }

  /// Other files in the folder belong to other programs.
  private static func isOwnName(_ name: String) -> Bool {
    let endings = ["", "-wal", "-shm", "-journal"]
    let isVectors = name.utf8.starts(with: "vectors-".utf8) && FileName.ending(of: name) == "i8"
    return isVectors || name == "lock" || endings.contains { name == "index.sqlite" + $0 }
  }

  /// Whether the index has a row of a file. A path, or another name of the file, may lead there.
  private static func hasPhotograph(
    at path: String, _ version: FileVersion, in database: Database
  ) throws -> Bool {
    for root in try StoredRoot.all(in: database) {
      guard let below = ExactText(path).below(root.path) else { continue }
      let known = try Bool.fetchOne(
        database,
        sql: "SELECT EXISTS (SELECT 1 FROM file WHERE root_id = ? AND path = ?)", arguments: [root.id, below])
      if known == true { return true }
    }
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT root.path, file.path FROM file JOIN root ON root.id = root_id WHERE inode = ?
        """, arguments: [version.inode])
    return try rows.contains { row in
      let place = StoredRoot.path(try row.at(0), try row.at(1))
      return FileSystem.version(of: place)?.isSameFile(as: version) == true
    }
  }
}

extension FileVersion {
  fileprivate func isSameFile(as other: FileVersion) -> Bool {
    (device, inode) == (other.device, other.inode)
  }
}
