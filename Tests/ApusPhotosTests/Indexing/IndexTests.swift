import Apus
import Foundation
import GRDB
import Synchronization
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// What an index makes of folders that change.
@Suite struct IndexTests {
  private static let circles = "three-red-circles.png"
  private static let square = "a-spotted-green-square.png"

  @Test func sentencesFindTheirPictures() async throws {
    let library = try Library()
    let progress = try await library.update()
    #expect(progress.embedded == progress.found && progress.found > 0)
    for sample in try FileManager.default.contentsOfDirectory(atPath: library.path) {
      let sentence = sample.replacingOccurrences(of: "-", with: " ").replacingOccurrences(
        of: ".png", with: "")
      #expect(try await library.names(PhotoQuery([sentence]), count: 1) == [sample])
    }
  }

  @Test func nothingIsDoneTwice() async throws {
    let library = try Library()
    let first = try await library.update()
    let second = try await library.update()
    #expect(second.unchanged == first.found && second.total == 0)
  }

  @Test func renamedMovedAndCopiedFilesCostNoInference() async throws {
    let library = try Library()
    try await library.update()
    try library.move(Self.circles, to: "below/é\u{301} \n.png")
    try library.add(Self.circles, as: "copy.png")
    let progress = try await library.update()
    #expect(progress.embedded == 0)
    #expect(progress.known == 2)
    #expect(progress.missing == 0)
    let match = try await PhotoSearcher(library.index).search("three red circles", count: 1)[0]
    #expect(Set(match.paths) == ["\(library.path)/below/é\u{301} \n.png", "\(library.path)/copy.png"])
  }

  @Test func namesThatSwiftTakesForEqualAreTwoFiles() async throws {
    let library = try Library([Self.circles: "\u{E9}.png"])
    try library.add("a-spotted-green-square.png", as: "e\u{301}.png")
    #expect(try await library.update().embedded == 2)
    #expect(try await library.update().unchanged == 2)
  }

  @Test func copiesInOneRunAreEmbeddedOnce() async throws {
    let library = try Library([:])
    for number in 0..<20 { try library.add(Self.circles, as: "\(number).png") }
    let progress = try await library.update()
    #expect(progress.embedded == 1)
    #expect(progress.done == 20)
    #expect(try await PhotoSearcher(library.index).search("a circle")[0].paths.count == 20)
  }

  @Test func patternsCountFromTheRootWhereAPartOfItIsIndexed() async throws {
    let library = try Library([Self.circles: "2019/raw/a.png", "a-spotted-green-square.png": "2019/b.png"])
    try await library.update(IndexOptions(excluded: ["2019/raw", "/b.png"]))
    let part = ["\(library.path)/2019"]
    let progress = try await library.index.update(part, with: Library.model.get())
    #expect(progress.found == 1 && progress.unchanged == 1)
  }

  @Test func changedFilesAreReadAgain() async throws {
    let library = try Library([Self.circles: "a.png"])
    try await library.update()
    try library.add("a-spotted-green-square.png", as: "a.png")
    #expect(try await library.update().embedded == 1)
    #expect(try library.index.status().files == 1)
  }

  @Test func whatIsNoPictureIsKeptWithItsErrorAndNotTriedAgain() async throws {
    let library = try Library([Self.circles: "a.png"])
    try library.write("broken.jpg", [0xFF, 0xD8, 0xFF, 1, 2, 3])
    try library.write("empty.png", [])
    #expect(try await library.update().failed == 2)
    #expect(try await library.update().unchanged == 3)
    #expect(
      try library.index.failures().map(\.path) == ["\(library.path)/broken.jpg", "\(library.path)/empty.png"])
    try library.add("a-spotted-green-square.png", as: "broken.jpg")
    #expect(try await library.update().embedded == 1)
  }

  @Test func whatFailedIsTriedAgainUnderOtherConditions() async throws {
    let library = try Library([Self.circles: "a.png"])
    var options = IndexOptions()
    options.limits.pixels = 100
    #expect(try await library.update(options).failed == 1)
    #expect(try await library.update(options).unchanged == 1)
    #expect(try await library.update().embedded == 1)
    #expect(try library.index.failures() == [])
    // It was decoded once, which a lower limit does not undo.
    #expect(try await library.update(options).unchanged == 1)
    #expect(try await library.names("a circle") == ["a.png"])
  }

  @Test func aFolderThatIsAwayLosesNothing() async throws {
    let library = try Library()
    let count = try await library.update().found
    try FileManager.default.moveItem(atPath: library.path, toPath: library.path + ".away")
    let progress = try await library.index.update(with: Library.model.get())
    #expect(progress.missing == 0)
    // What an unmounted disk leaves behind.
    try FileManager.default.createDirectory(atPath: library.path, withIntermediateDirectories: false)
    #expect(try await library.index.update(with: Library.model.get()).missing == 0)
    #expect(try library.index.status().files == count)
    try FileManager.default.removeItem(atPath: library.path)
    try FileManager.default.moveItem(atPath: library.path + ".away", toPath: library.path)
    #expect(try await library.update().unchanged == count)
  }

  @Test func whatIsGoneIsNotFoundAndForgottenInTime() async throws {
    let library = try Library()
    let count = try await library.update().found
    try library.remove(Self.circles)
    #expect(try await library.update().missing == 1)
    #expect(try await !library.names("three red circles", count: count).contains(Self.circles))
    let forgetful = IndexOptions(forgetsAfter: .seconds(-1))
    #expect(try await library.update(forgetful).forgotten == 1)
    #expect(try library.index.status().contents == count - 1)
    #expect(try library.index.check() == [])
    // It comes back as a new one.
    try library.add(Self.circles, as: Self.circles)
    #expect(try await library.update().embedded == 1)
  }

  @Test func aDiskThatHasAnotherNumberIsTheSameDisk() async throws {
    let library = try Library()
    let count = try await library.update().found
    let database = try DatabaseQueue(path: "\(library.index.folder)/index.sqlite")
    try await database.write {
      try $0.execute(sql: "UPDATE root SET device = device + 1, file_system = 7")
      try $0.execute(sql: "UPDATE file SET device = device + 1")
    }
    try library.remove(Self.circles)
    let progress = try await library.update()
    #expect(progress.unchanged == count - 1)
    #expect(progress.missing == 1)
    let devices = try await database.read {
      try Int.fetchSet($0, sql: "SELECT device FROM root UNION SELECT device FROM file")
    }
    #expect(devices.count == 1)
  }

  /// One below the root, say.
  @Test func filesOfADiskThatHasAnotherNumberAreBroughtUp() async throws {
    let library = try Library()
    let count = try await library.update().found
    let database = try DatabaseQueue(path: "\(library.index.folder)/index.sqlite")
    try await database.write { try $0.execute(sql: "UPDATE file SET device = device + 1") }
    #expect(try await library.update().unchanged == count)
    let devices = try await database.read {
      try Int.fetchSet($0, sql: "SELECT device FROM root UNION SELECT device FROM file")
    }
    #expect(devices.count == 1)
    try library.remove(Self.circles)
    #expect(try await library.update().missing == 1)
  }

  /// An index whose pictures were found, and are not read yet.
  private func indexer(_ library: Library) throws -> Indexer {
    var indexer = try Indexer(library.index.store, Library.model.get(), IndexOptions()) { _ in }
    for path in try library.index.roots([library.path]) { try indexer.scan(path) }
    return indexer
  }

  @Test func aFileThatTakesThePlaceOfAnotherBeforeItIsReadIsKnownAsItself() async throws {
    let library = try Library([Self.circles: "a.png"])
    var indexer = try indexer(library)
    try library.move("a.png", to: "original.png")
    try library.add(Self.square, as: "a.png")
    let first = try await indexer.read()
    #expect(first.embedded == 1)
    let second = try await library.update()
    #expect(second.unchanged == 1 && second.embedded == 1)
    #expect(try await library.names("three red circles", count: 1) == ["original.png"])
  }

  @Test func whatCannotBeReadKeepsWhatIsKnownOfIt() async throws {
    let library = try Library([Self.circles: "a.png", Self.square: "b.png"])
    try await library.update()
    for name in ["a.png", "b.png"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: "\(library.path)/\(name)")
    }
    try library.write("new.png", [1])
    var indexer = try indexer(library)
    // One is a folder when it is read, and the others are gone.
    for name in ["a.png", "b.png", "new.png"] { try library.remove(name) }
    try FileManager.default.createDirectory(
      atPath: "\(library.path)/a.png", withIntermediateDirectories: false)
    let progress = try await indexer.read()
    #expect(progress.failed == 3)
    #expect(try library.index.failures().map(\.path) == ["\(library.path)/a.png"])
    #expect(try library.index.status().files == 2)
    #expect(try await library.names("three red circles", count: 1) == ["a.png"])
    try library.remove("a.png")
    try library.add(Self.circles, as: "a.png")
    #expect(try await library.update().failed == 0)
    #expect(try library.index.failures() == [])
  }

  @Test func whatCannotBeLookedAtIsNamedAndCounted() async throws {
    let library = try Library([Self.circles: "a/b.png"])
    // Even who may read everything cannot look at a file with a name of 300 bytes.
    let link = "\(library.path)/a/link.jpg"
    #expect(symlink(String(repeating: "x", count: 300), link) == 0)
    let failed = Mutex<[String]>([])
    let progress = try await library.index.update([library.path], with: Library.model.get()) { event in
      if case .failure(let path, _) = event { failed.withLock { $0.append(path) } }
    }
    #expect(progress.failed == 1 && progress.embedded == 1)
    let paths = failed.withLock { $0 }
    #expect(paths == [link])
  }

  @Test func foldersInEachOtherAreLookedThroughOnce() async throws {
    let library = try Library([Self.circles: "a/b.png", Self.square: ".private/c.png"])
    let folders = ["a/b.png", ".private", "a", "."].map { "\(library.path)/\($0)" }
    let model = try Library.model.get()
    let progress = try await library.index.update(folders + folders, with: model)
    #expect(progress.found == 2 && progress.embedded == 2)
    // What is left out of the whole was asked for by name, and stays.
    #expect(try await library.update().missing == 0)
    #expect(try library.index.status().files == 2)
  }

  @Test func aFolderTakesInOneOfItsFiles() async throws {
    let library = try Library([Self.circles: "a.png", Self.square: "b.png"])
    let model = try Library.model.get()
    let folder = try TemporaryFolder()
    let other = try PhotoIndex(at: "\(folder.path)/other", creating: true)
    for index in [library.index, other] { try await index.update(["\(library.path)/a.png"], with: model) }
    let progress = try await library.update()
    #expect(progress.unchanged == 1 && progress.embedded == 1 && progress.missing == 0)
    #expect(try library.index.status().files == 2)
    try library.index.merge(other.folder)
    #expect(try library.index.status().files == 2)
    try other.merge(library.index.folder)
    #expect(try other.status().files == 2 && other.status().roots.count == 1)
  }

  @Test func foldersBelowAndAboveOneThatIsKnown() async throws {
    let library = try Library([Self.circles: "a/b/c.png", "a-spotted-green-square.png": "a/d.png"])
    let model = try Library.model.get()
    try await library.index.update(["\(library.path)/a/b"], with: model)
    #expect(try library.index.status().roots.map(\.files) == [1])
    let outer = try await library.index.update([library.path], with: model)
    #expect(outer.unchanged == 1 && outer.embedded == 1)
    try library.remove("a/d.png")
    #expect(try await library.index.update(["\(library.path)/a/b"], with: model).missing == 0)
    #expect(try await library.index.update(["\(library.path)/a"], with: model).missing == 1)
    #expect(try library.index.status().roots.map(\.path) == [library.path])
    try library.remove("a/b/c.png")
    #expect(try await library.index.update(["\(library.path)/a/b"], with: model).missing == 1)
  }

  @Test func shardsMergeToTheWhole() async throws {
    let library = try Library()
    let whole = try await library.update().found
    let folder = try TemporaryFolder()
    let merged = try PhotoIndex(at: "\(folder.path)/merged", creating: true)
    for number in 1...3 {
      let part = try PhotoIndex(at: "\(folder.path)/\(number)", creating: true)
      try await part.update(
        [library.path], with: Library.model.get(), options: IndexOptions(shard: Shard(number, of: 3)))
      try merged.merge(part.folder)
      try merged.merge(part.folder)
    }
    #expect(try merged.status().files == whole)
    #expect(try merged.check() == [])
    let query: PhotoQuery = "three red circles"
    let expected = try await PhotoSearcher(library.index).search(query)
    let found = try await PhotoSearcher(merged).search(query)
    #expect(found.map(\.paths) == expected.map(\.paths))
    #expect(found.map(\.score) == expected.map(\.score))
  }

  @Test func anIndexIsNotMergedIntoItself() throws {
    let folder = try TemporaryFolder()
    let index = try PhotoIndex(at: "\(folder.path)/index", creating: true)
    let error = #expect(throws: ApusError.self) { try index.merge("\(folder.path)/./index/") }
    #expect(error?.kind == .argument && error?.problem.contains("into itself") == true)
  }

  @Test func shardsOfOneIndexLeaveEachOtherAlone() async throws {
    let library = try Library()
    var files = 0
    for number in [1, 2, 3, 1] {
      let progress = try await library.update(IndexOptions(shard: Shard(number, of: 3)))
      #expect(progress.missing == 0)
      files += progress.embedded
    }
    #expect(try library.index.status().files == files && files > 3)
    // A file that is gone is so for its own shard.
    try library.remove(Self.circles)
    var missing = 0
    for number in 1...3 {
      missing += try await library.update(IndexOptions(shard: Shard(number, of: 3))).missing
    }
    #expect(missing == 1)
  }

  /// Whichever of two indexes has the outer folder, one root is left, and what is gone is gone.
  @Test(arguments: [true, false])
  func foldersInEachOtherMergeToOne(_ isIntoOuter: Bool) async throws {
    let library = try Library([Self.circles: "a/b.png", "a-spotted-green-square.png": "c.png"])
    let model = try Library.model.get()
    let folder = try TemporaryFolder()
    let outer = library.index
    let inner = try PhotoIndex(at: "\(folder.path)/inner", creating: true)
    try await outer.update([library.path], with: model)
    try await inner.update(["\(library.path)/a"], with: model)
    let (merged, other) = isIntoOuter ? (outer, inner) : (inner, outer)
    try merged.merge(other.folder)
    try merged.merge(other.folder)
    #expect(try merged.status().roots.map(\.path) == [library.path] && merged.status().files == 2)
    #expect(try merged.check() == [])
    try library.remove("a/b.png")
    let progress = try await merged.update([library.path], with: model)
    #expect(progress.missing == 1 && progress.unchanged == 1 && progress.embedded == 0)
    #expect(
      try await PhotoSearcher(merged).search("three red circles").map(\.paths) == [["\(library.path)/c.png"]])
  }

  /// An index into which an earlier Apus merged a folder beside the one that holds it.
  @Test func aRootWithinAnotherIsTakenIn() async throws {
    let library = try Library([Self.circles: "a/b.png"])
    try await library.update()
    try await DatabaseQueue(path: "\(library.index.folder)/index.sqlite").write { database in
      try database.execute(sql: "INSERT INTO root (path) VALUES (?)", arguments: ["\(library.path)/a"])
      try database.execute(
        sql: """
          INSERT INTO file (root_id, path, content_id, size, modified, inode, device)
          SELECT last_insert_rowid(), 'b.png', content_id, size, modified, inode, device FROM file
          """)
    }
    #expect(try library.index.status().files == 2)
    #expect(try await library.update().unchanged == 1)
    #expect(try library.index.status().files == 1 && library.index.status().roots.count == 1)
  }

  @Test func aPrecisionTellsModelsOfOneNameApart() async throws {
    let library = try Library([Self.circles: "a.png"])
    try await library.update()
    let path = try Library.model.get().pictures.path
    let exact = try PhotoModel(path, options: .init(precision: .float32))
    try await library.index.update([library.path], with: exact)
    func precision(_ name: String?) throws -> String {
      try StoredModel.named(name, in: library.index.store).precision
    }
    #expect(try precision(nil) == "float32" && precision("scenes") == "float32")
    #expect(try precision("scenes@int8") == "int8" && precision("\(path)@INT8") == "int8")
    #expect(try precision("scenes@f32") == "float32" && precision("scenes@float32") == "float32")
    #expect { try precision("scenes@bf16") } throws: { "\($0)".contains("scenes@int8'") }
  }

  @Test func onlyOneProcessChangesAnIndex() async throws {
    let library = try Library([Self.circles: "a.png"])
    try await library.update()
    let lock = try StoreLock(library.index.folder)
    await #expect(throws: ApusError.self) { try await library.update() }
    #expect(try await library.names("a circle") == ["a.png"])
    withExtendedLifetime(lock) {}
  }

  @Test func cancelledWorkGoesOn() async throws {
    let library = try Library()
    let task = Task { try await library.update(IndexOptions(width: 1)) }
    task.cancel()
    await #expect(throws: ApusError.self) { try await task.value }
    let progress = try await library.update()
    #expect(progress.unchanged + progress.embedded == progress.found)
  }
}
