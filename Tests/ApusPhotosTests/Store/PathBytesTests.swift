import Foundation
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// Paths are bytes: what Swift takes for one character, or for equal, is not.
@Suite struct PathBytesTests {
  /// A path that cannot be looked at is told whole, and what changed is looked for in its folder.
  @Test func namesThatBeginWithAnAccent() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/x.png", "x")
    let event = WatchEvent.changes(
      FolderChanges(root: folder.path, renames: [], files: ["a/\u{301}x.png"], folders: []))
    #expect(event.folders == ["\(folder.path)/a"])
    let failure = WalkPlace(path: Array("\u{301}x".utf8), isLink: false).failure(EACCES, in: "/")
    #expect(failure?.error.description.hasPrefix("/\u{301}x: cannot be looked at") == true)
  }

  @Test func theCondition() throws {
    let folder = try TemporaryFolder()
    let store = try PhotoStore(creatingAt: folder.path)
    let paths = ["a", "a/b", "a/b/c", "a-b", "a.b", "a0", "ab", "a\u{301}/b", "a/\u{301}", "A/b", "b"]
    let found = try store.write { database in
      try database.execute(sql: "INSERT INTO root (path) VALUES ('/')")
      for path in paths {
        try database.execute(
          sql: "INSERT INTO file (root_id, path, size, modified, inode, device) VALUES (1, ?, 1, 1, 1, 1)",
          arguments: [path])
      }
      return try ["a", "a/b", "", "c"].map { below in
        Set(try StoredFile.all(of: 1, below: below, in: database).keys.map(\.text))
      }
    }
    let expected: [Set<String>] = [
      ["a", "a/b", "a/b/c", "a/\u{301}"], ["a/b", "a/b/c"], Set(paths), [],
    ]
    #expect(found == expected)
  }
}
