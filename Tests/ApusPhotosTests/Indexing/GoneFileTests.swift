import Apus
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import ApusPhotos

/// What is told of files that were renamed, removed, or are copies of broken ones.
@Suite struct GoneFileTests {
  private static let circles = "three-red-circles.png"
  private static let square = "a-spotted-green-square.png"

  @Test func aRenameIsNotGone() async throws {
    let library = try Library([Self.circles: "a.png", Self.square: "b/c.png"])
    try await library.update()
    try library.move("a.png", to: "d.png")
    try library.move("b/c.png", to: "e/f.png")
    let progress = try await library.update()
    #expect(progress.known == 2 && progress.missing == 0 && progress.embedded == 0)
    let status = try library.index.status()
    #expect(status.missing == 0 && status.files == 2)
    #expect(try library.index.check() == [])
  }

  /// As by moving it to another disk, where it has another inode.
  @Test func whatWasWrittenAnewUnderAnotherNameIsNotGone() async throws {
    let library = try Library([Self.circles: "a.png"])
    try await library.update()
    try library.remove("a.png")
    try library.add(Self.circles, as: "below/b.png")
    let progress = try await library.update()
    #expect(progress.known == 1 && progress.missing == 0)
    #expect(try library.index.status().missing == 0)
  }

  @Test func aCopyThatIsRemovedIsGone() async throws {
    let library = try Library([Self.circles: "a.png"])
    try library.add(Self.circles, as: "b.png")
    try await library.update()
    try library.remove("a.png")
    try library.add(Self.square, as: "c.png")
    let progress = try await library.update()
    #expect(progress.missing == 1 && progress.embedded == 1)
    #expect(try library.index.status().missing == 1)
  }

  @Test func copiesOfABrokenPictureFail() async throws {
    let library = try Library([Self.circles: "a.png"])
    let broken: [UInt8] = [0xFF, 0xD8, 0xFF, 1, 2, 3]
    for name in ["b.jpg", "c.jpg", "d.jpg"] { try library.write(name, broken) }
    let first = try await library.update()
    #expect(first.failed == 3 && first.known == 0 && first.embedded == 1)
    try library.write("e.jpg", broken)
    try library.move("b.jpg", to: "f.jpg")
    let failed = Mutex<[String]>([])
    let second = try await library.index.update([library.path], with: Library.model.get()) { event in
      if case .failure(let path, _) = event { failed.withLock { $0.append(path) } }
    }
    #expect(second.failed == 2 && second.known == 0 && second.missing == 0)
    #expect(Set(failed.withLock { $0 }) == ["\(library.path)/e.jpg", "\(library.path)/f.jpg"])
  }

  /// Of a file with 50 000 links, each would look at all others.
  @Test func whatFailedIsFoundWithoutALookAtEveryLink() throws {
    let library = try Library([:])
    let plan = try library.index.store.read { database in
      try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN \(StoredFile.forgetFailures)", arguments: [1, 1]
      ).map { try $0.at(3) as String }
    }
    #expect(plan.count == 1 && plan[0].contains("file_failed"))
  }
}
