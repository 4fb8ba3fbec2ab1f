import GRDB
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// What an index keeps of the disks that its folders were on.
@Suite struct StoredDiskTests {
  private static let card = RootDisk(device: 5, fileSystem: 0x805, volume: "1234-ABCD")
  private static let disk = RootDisk(device: 1, fileSystem: 7)

  private let folder: TemporaryFolder
  private let store: PhotoStore

  init() throws {
    folder = try TemporaryFolder()
    store = try PhotoStore(creatingAt: folder.path)
  }

  private func root(_ path: String, on disk: RootDisk? = nil) throws -> StoredRoot {
    try store.write { database in
      let root = try StoredRoot.containing(path, excluded: [], inherits: true, in: database).root
      if let disk { try root.scanned(on: disk, at: 100, in: database) }
      return root
    }
  }

  private func parts(of root: StoredRoot) throws -> [StoredPart] {
    try store.read { try StoredPart.all(of: root.id, $0) }
  }

  /// Those that an indexing of all of the root finds.
  private func rootParts(
    of root: StoredRoot, on disk: RootDisk, _ takesOtherDisks: Bool = false
  ) throws -> RootParts {
    try RootParts(
      of: root, in: WalkRoot(root.path, knownOn: nil), on: disk, around: "", takesOtherDisks: takesOtherDisks,
      store)
  }

  @Test func aDiskIsKnownByItsVolume() throws {
    let root = try root("/media/card", on: Self.card)
    #expect(try store.read { try StoredRoot.all(in: $0) }.map(\.disk) == [Self.card])
    // Where names are not told, and the clock was put back.
    var known = root
    known.disk = Self.card
    try store.write { [known] in
      try known.scanned(on: RootDisk(device: 5, fileSystem: 0x805), at: 3, in: $0)
    }
    #expect(try store.read { try StoredRoot.all(in: $0) }.map(\.disk) == [Self.card])
    #expect(try store.read { try Int.fetchOne($0, sql: "SELECT scanned_at FROM root") } == 100)
  }

  @Test func aRootThatBecomesAPartIsOnItsDisk() throws {
    _ = try root("/media/cards/a", on: Self.card)
    let middle = try root("/media/cards")
    #expect(try parts(of: middle) == [StoredPart(path: "a", disk: Self.card)])
    let outer = try root("/")
    #expect(try parts(of: outer) == [StoredPart(path: "media/cards/a", disk: Self.card)])
    try store.write { try outer.scanned(on: Self.disk, at: 100, in: $0) }
    #expect(try parts(of: outer).count == 1)
    // What the root's own disk tells is not kept twice.
    try store.write { try outer.scanned(on: Self.card, at: 100, in: $0) }
    #expect(try parts(of: outer) == [])
    let orphans = try store.read { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check").count }
    #expect(orphans == 0)
  }

  /// Two disks have had the same number, one after the other, or exchange those that they have.
  @Test func aDiskThatIsNumberedAnewTakesNothingOfOthersAlong() throws {
    let root = try root("/media", on: RootDisk(device: 5, fileSystem: 1))
    let files = ["a.jpg": 5, "card/b.jpg": 6, "card/c.jpg": 5, "card/in/d.jpg": 6, "card.jpg": 5]
    let cards = ["card": RootDisk(device: 6, fileSystem: 2), "card/in": RootDisk(device: 6, fileSystem: 3)]
    try store.write { database in
      for (path, device) in files {
        try database.execute(
          sql: "INSERT INTO file (root_id, path, size, modified, inode, device) VALUES (?, ?, 1, 1, 1, ?)",
          arguments: [root.id, path, device])
      }
      try StoredFile.move(of: root.id, but: Array(cards.keys), fromDevice: 5, to: 6, in: database)
      try StoredFile.move(of: root.id, below: "card", but: ["card/in"], fromDevice: 6, to: 5, in: database)
    }
    let devices = try store.read { database in
      try Row.fetchAll(database, sql: "SELECT path, device FROM file").map {
        ($0["path"] as String, $0["device"] as Int)
      }
    }
    let expected = ["a.jpg": 6, "card/b.jpg": 5, "card/c.jpg": 5, "card/in/d.jpg": 6, "card.jpg": 6]
    #expect(Dictionary(uniqueKeysWithValues: devices) == expected)
  }

  /// As of a file system of the network that is mounted while its server is away.
  @Test func aPartThatIsEmptyIsLeftAsItIs() throws {
    let pictures = try TemporaryFolder()
    try FileSystem.makeFolder("\(pictures.path)/inner")
    let inner = try #require(WalkRoot("\(pictures.path)/inner", knownOn: nil).disk)
    // Of the root, so that the part is on another one.
    let outer = RootDisk(device: inner.device + 1, fileSystem: inner.fileSystem ^ 1, volume: "another")
    let root = try root(pictures.path, on: outer)
    try store.write { try StoredPart(path: "inner", disk: inner).store(of: root.id, in: $0) }
    for takesOtherDisks in [false, true] {
      let parts = try rootParts(of: root, on: outer, takesOtherDisks)
      #expect(parts.present.isEmpty && parts.kept.map(\.path) == ["inner"] && parts.paths == ["inner"])
      #expect(parts.kept.first?.state == .empty)
    }
    try pictures.write("inner/a.jpg", "x")
    let parts = try rootParts(of: root, on: outer)
    #expect(parts.kept.isEmpty && parts.present.map { $0.part.path } == ["inner"])
  }

  /// The machine was started anew without the card, and the root's disk, as nameless, has the number of the card.
  @Test func aPartWhoseNumberTheRootHasNowIsLeftAsItIs() throws {
    let pictures = try TemporaryFolder()
    try FileSystem.makeFolder("\(pictures.path)/card")
    let found = try #require(WalkRoot(pictures.path, knownOn: nil).disk)
    let now = RootDisk(device: found.device, fileSystem: found.fileSystem)
    let before = RootDisk(device: found.device + 1, fileSystem: found.fileSystem ^ 1)
    var root = try root(pictures.path, on: before)
    root.disk = before
    let card = StoredPart(path: "card", disk: now)
    try store.write { [root] database in
      try card.store(of: root.id, in: database)
      try database.execute(
        sql: """
          INSERT INTO file (root_id, path, size, modified, inode, device) VALUES (?, 'card/a.jpg', 1, 1, 1, ?)
          """, arguments: [root.id, now.device])
    }
    // The second time both are recorded with one number; the third time something lies where the card belongs.
    for state in [RootState.empty, .empty, .otherDisk] {
      if state == .otherDisk { try pictures.write("card/b.jpg", "x") }
      let kept = try rootParts(of: root, on: now).kept
      #expect(kept.map(\.path) == ["card"] && kept.map(\.state) == [state])
      try store.write { [root] in try root.scanned(on: now, at: 100, but: kept.map(\.path), in: $0) }
      root.disk = now
      let known = try parts(of: root)
      #expect(known == [card])
    }
    let taken = try rootParts(of: root, on: now, true)
    #expect(taken.kept.isEmpty && taken.present.map { $0.part.path } == ["card"])
    try store.write { [root] in
      try taken.store(of: root, in: $0)
      try root.scanned(on: now, at: 100, in: $0)
    }
    let left = try parts(of: root)
    #expect(left == [])
  }

  /// As one of the second version is read that nobody changes.
  @Test func anEarlierIndexKnowsNone() throws {
    _ = try root("/media/card", on: Self.card)
    try store.write { try $0.execute(sql: "ALTER TABLE root DROP COLUMN volume") }
    let nameless = RootDisk(device: Self.card.device, fileSystem: Self.card.fileSystem)
    #expect(try store.read { try StoredRoot.all(in: $0) }.map(\.disk) == [nameless])
    #expect(try store.read { try StoredPart.all(of: 1, $0) } == [])
  }

  /// What a change costs goes with what changed, however much is known.
  @Test func filesAreFoundByIndexes() throws {
    let paths = PathsBelow("a/b")
    let statements = [
      (sql: LinkedFiles.paths, arguments: [1, 2] as StatementArguments, index: "file_number"),
      (
        sql: "SELECT size FROM file WHERE root_id = ? AND \(paths.condition)",
        arguments: paths.arguments(behind: [1]), index: "path>?"
      ),
    ]
    for (sql, arguments, index) in statements {
      let steps = try store.read {
        try Row.fetchAll($0, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
      }.map { $0["detail"] as String }
      #expect(steps.count == 1 && steps.allSatisfy { $0.contains(index) }, "\(steps)")
    }
  }
}
