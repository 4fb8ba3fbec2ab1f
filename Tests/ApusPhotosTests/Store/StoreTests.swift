import Apus
import Foundation
import GRDB
import Kernels
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// What an index is opened as, and what becomes of one that is not whole.
@Suite struct StoreTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func problem(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch { return "\(error)" }
  }

  @Test func whereThereIsNone() {
    let absent = problem { _ = try PhotoIndex(at: folder.path) }
    #expect(absent.contains("there is no index") && absent.contains("PhotoIndex makes one"))
    #expect(problem { _ = try PhotoIndex(at: "/dev/null/x", creating: true) }.contains("cannot be created"))
  }

  @Test func whatIsWrittenIsFlushed() throws {
    let store = try PhotoStore(creatingAt: folder.path)
    #expect(try store.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
    #expect(try store.write { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    #expect(try store.read { try Int.fetchOne($0, sql: "PRAGMA page_size") } == 16384)
  }

  /// Where photographs were taken, and what is in them, is nobody else's to know.
  @Test func aNewFolderIsItsOwnersAlone() throws {
    let path = "\(folder.path)/new"
    _ = try PhotoIndex(at: path, creating: true)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    // One that is there keeps who may look into it.
    #expect(chmod(path, 0o755) == 0)
    _ = try PhotoIndex(at: path, creating: true)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o755)
  }

  @Test func whatIsNoIndex() throws {
    try folder.write(
      "index.sqlite",
      "not a database, but longer than its header would be, which is a hundred bytes and some more to be sure"
    )
    #expect(problem { _ = try PhotoIndex(at: folder.path) }.contains("damaged"))
    let other = try TemporaryFolder()
    try DatabaseQueue(path: "\(other.path)/index.sqlite").write { try $0.execute(sql: "CREATE TABLE a (b)") }
    #expect(problem { _ = try PhotoIndex(at: other.path) }.contains("another program"))
  }

  /// As a program leaves it that was killed while it made an index: after each of its transactions.
  @Test(arguments: [
    "", "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
  ])
  func anIndexThatWasBegun(_ statement: String) async throws {
    try await DatabasePool(path: "\(folder.path)/index.sqlite").write { try $0.execute(sql: statement) }
    let index = try PhotoIndex(at: folder.path, creating: true)
    #expect(try index.status().files == 0)
    #expect(try index.check() == [])
  }

  @Test func aNewerIndex() throws {
    _ = try PhotoIndex(at: folder.path, creating: true)
    try DatabaseQueue(path: "\(folder.path)/index.sqlite").write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9: something new')")
    }
    #expect(problem { _ = try PhotoIndex(at: folder.path) }.contains("newer Apus"))
  }

  /// A copy of another's in a folder that all may write.
  @Test func anIndexThatCannotBeWrittenInAFolderThatCan() async throws {
    let library = try Library(["three-red-circles.png": "a.png"])
    try await library.update()
    let path = "\(library.index.folder)/index.sqlite"
    try await DatabaseQueue(path: path).writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    let copy = try folder.write("index.sqlite", try #require(FileManager.default.contents(atPath: path)))
    #expect(chmod(copy, 0o444) == 0)
    // As root, who runs the tests in containers, may write it all the same.
    let store = try PhotoStore(openingAt: folder.path) { $0 != copy && FileSystem.isWritable($0) }
    let files = try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM file") }
    #expect(files == 1)
    #expect(throws: ApusError.self) { try store.write { try $0.execute(sql: "DELETE FROM file") } }
  }

  @Test func addressesOfNamesThatAreNoUTF8() {
    let name = FileName.text([UInt8(ascii: "a"), 0xE9, UInt8(ascii: " ")])
    #expect(PhotoStore.address("/\(name)/x") == "file:/a%e9%20/x")
    #expect(PhotoStore.address("/\u{E9}") == "file:/%c3%a9")
  }

  @Test func indexesWithNamesThatSwiftTakesForEqual() throws {
    let one = try PhotoIndex(at: "\(folder.path)/\u{E9}", creating: true)
    let other = try PhotoIndex(at: "\(folder.path)/e\u{301}", creating: true)
    try one.merge(other.folder)
  }

  /// The one used last is the last, within a second and when the clock was put back; names are told apart by
  /// their bytes.
  @Test func modelsInOrderAndByName() throws {
    let store = try PhotoStore(creatingAt: folder.path)
    var (one, other) = (try Library.model.get().stored, try Library.model.get().stored)
    (one.name, one.path) = ("\u{E9}", "/1")
    (other.name, other.path) = ("e\u{301}", "/2")
    other.digest = try #require(ContentDigest(Data(repeating: 1, count: 16)))
    func last() throws -> String { try StoredModel.named(nil, in: store).path }
    let uses: [(StoredModel, Int64)] = [(one, 100), (other, 100), (one, 50), (other, 200), (one, 200)]
    for (model, time) in uses {
      _ = try store.write { try model.store(at: time, in: $0) }
      #expect(try last() == model.path)
    }
    for model in [one, other] {
      #expect(try StoredModel.named(model.name, in: store).path == model.path)
    }
  }

  @Test func halfAFile() async throws {
    let library = try Library()
    try await library.update()
    let path = "\(library.index.folder)/index.sqlite"
    try await DatabaseQueue(path: path).writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    let copy = try TemporaryFolder()
    let bytes = try #require(FileManager.default.contents(atPath: path))
    try copy.write("index.sqlite", bytes.prefix(bytes.count / 2))
    // It is refused, or said to be damaged.
    let problems = try? PhotoIndex(at: copy.path).check()
    #expect(problems != [])
  }

  /// Whatever byte of the database is another one, the worst is an error.
  @Test func damagedBytes() async throws {
    let library = try Library()
    try await library.update()
    let path = "\(library.index.folder)/index.sqlite"
    try await DatabaseQueue(path: path).writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
    var random = SeededRandom()
    var errors = 0
    for _ in 0..<150 {
      let copy = try TemporaryFolder()
      var damaged = bytes
      for _ in 0..<4 {
        damaged[Int.random(in: 100..<damaged.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      try copy.write("index.sqlite", damaged)
      do {
        let index = try PhotoIndex(at: copy.path)
        _ = try? index.status()
        _ = try? index.duplicates(.samePicture)
        _ = try? index.export(to: "\(copy.path)/x.jsonl", as: .jsonl)
        _ = try await PhotoSearcher(index).search("a circle", filter: PhotoFilter(since: PhotoDate("1990")))
        if try !index.check().isEmpty { errors += 1 }
      } catch { errors += 1 }
    }
    #expect(errors > 0)
  }

  /// Whatever holds an index open leaves one alone that took its place, and says so.
  @Test func anIndexThatWasReplacedIsNotChanged() async throws {
    let library = try Library(["three-red-circles.png": "a.png"])
    try await library.update()
    let path = "\(library.index.folder)/index.sqlite"
    for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
    for isReplaced in [false, true] {
      if isReplaced { _ = try PhotoIndex(at: library.index.folder, creating: true) }
      let error = await #expect(throws: ApusError.self) { try await library.update() }
      #expect(error?.kind == .file && error?.problem == "the index was replaced by another")
    }
    #expect(try PhotoIndex(at: library.index.folder).status().files == 0)
  }

  /// Another index, with as many changes, or the same one in another state.
  @Test(arguments: [false, true])
  func theFileOfVectorsOfAnotherIndex(_ isOfSameRevision: Bool) async throws {
    let library = try Library(["three-red-circles.png": "a.png", "a-spotted-green-square.png": "b.png"])
    let other = try Library(["three-red-circles.png": "a.png"])
    for library in [library, other] { try await library.update() }
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: other.index.folder).first { $0.hasSuffix(".i8") })
    try FileManager.default.removeItem(atPath: "\(library.index.folder)/\(name)")
    try FileManager.default.copyItem(
      atPath: "\(other.index.folder)/\(name)", toPath: "\(library.index.folder)/\(name)")
    if isOfSameRevision {
      let revision = try await DatabaseQueue(path: "\(other.index.folder)/index.sqlite").read {
        try Int64.fetchOne($0, sql: "SELECT revision FROM model")
      }
      try await DatabaseQueue(path: "\(library.index.folder)/index.sqlite").write {
        try $0.execute(sql: "UPDATE model SET revision = ?", arguments: [revision])
      }
      #expect(try library.index.check().map { $0.contains("other photographs") } == [true])
      #expect(try library.index.check() == [])
    }
    #expect(try await library.names("three red circles") == ["a.png", "b.png"])
  }

  @Test(arguments: ["gone", "empty", "half", "longer", "flipped", "other"])
  func theFileOfVectorsIsMadeAnew(_ fault: String) async throws {
    let library = try Library()
    try await library.update()
    let expected = try await PhotoSearcher(library.index).search("three red circles")
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: library.index.folder).first { $0.hasSuffix(".i8") })
    let path = "\(library.index.folder)/\(name)"
    var bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
    switch fault {
    case "gone": try FileManager.default.removeItem(atPath: path)
    case "empty": bytes = []
    case "half": bytes = Array(bytes.prefix(bytes.count / 2))
    case "longer": bytes += Array(repeating: 1, count: 100)
    case "flipped": bytes[bytes.count / 2] ^= 0x40
    default: bytes = Array("something else".utf8)
    }
    if fault != "gone" { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
    let found = try await PhotoSearcher(library.index).search("three red circles")
    #expect(found.map(\.paths) == expected.map(\.paths))
    #expect(found.map(\.score) == expected.map(\.score))
    _ = try library.index.check()
    #expect(try library.index.check() == [])
  }
}
