import Foundation
import GRDB
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// What becomes of a root where another disk is than before.
@Suite struct OtherDiskTests {
  private static let circles = "three-red-circles.png"
  private static let square = "a-spotted-green-square.png"

  /// Has the index know the library of another disk than it is on.
  private func moveDisk(of library: Library) async throws {
    try await DatabaseQueue(path: "\(library.index.folder)/index.sqlite").write {
      try $0.execute(sql: "UPDATE root SET device = device + 1, file_system = 7, volume = 'other'")
      try $0.execute(sql: "UPDATE file SET device = device + 1")
    }
  }

  /// It has other pictures, one of them under a path that is known.
  @Test func itIsLeftAloneUntilSomebodySaysSo() async throws {
    let library = try Library([Self.circles: "a.png", Self.square: "below/b.png"])
    try await library.update()
    try await moveDisk(of: library)
    for name in ["a.png", "below/b.png"] { try library.remove(name) }
    try library.add(Self.square, as: "a.png")
    try library.add(Self.circles, as: "below/c.png")
    for folder in [library.path, library.path, "\(library.path)/below", library.path] {
      let progress = try await library.index.update([folder], with: Library.model.get())
      #expect(progress.found == 0 && progress.missing == 0, "\(folder)")
    }
    #expect(try library.index.status().files == 2)
    #expect(try await library.names("three red circles", count: 1) == ["a.png"])

    let taken = try await library.update(IndexOptions(takesOtherDisks: true))
    #expect(taken.found == 2 && taken.missing == 1)
    #expect(try await library.names("three red circles", count: 1) == ["c.png"])
    #expect(try await library.update().unchanged == 2)
  }

  /// As of file systems that give files numbers when they are mounted, and of a copy with the times of its files.
  @Test func oneWithTheSameFilesIsNoOther() async throws {
    let library = try Library()
    let count = try await library.update().found
    try await moveDisk(of: library)
    try await DatabaseQueue(path: "\(library.index.folder)/index.sqlite").write {
      try $0.execute(sql: "UPDATE file SET inode = inode + 1000000")
    }
    try library.remove(Self.circles)
    let progress = try await library.update()
    #expect(progress.found == count - 1 && progress.missing == 1 && progress.embedded == 0)
    #expect(try await library.update().unchanged == count - 1)
  }

  /// A disk that is mounted below the other one has its files as they were, which says nothing of the root's.
  @Test func oneBelowDoesNotAnswerForIt() async throws {
    let library = try Library([Self.circles: "a.png", Self.square: "mounted/b.png"])
    try await library.update()
    try await moveDisk(of: library)
    try await DatabaseQueue(path: "\(library.index.folder)/index.sqlite").write {
      try $0.execute(sql: "UPDATE file SET device = device + 50 WHERE path = 'mounted/b.png'")
    }
    try library.remove("a.png")
    try library.add(Self.square, as: "c.png")
    let progress = try await library.update()
    #expect(progress.found == 0 && progress.missing == 0)
  }

  /// The folder around it would know of no disk, and take what is there now.
  @Test func aFolderAroundItIsLeftAloneToo() async throws {
    let library = try Library([Self.circles: "inner/a.png"])
    let model = try Library.model.get()
    _ = try await library.index.update(["\(library.path)/inner"], with: model)
    try await moveDisk(of: library)
    try library.remove("inner/a.png")
    try library.add(Self.square, as: "inner/b.png")
    let refused = try await library.update()
    #expect(refused.found == 0 && refused.missing == 0)
    #expect(try library.index.status().files == 1)
    #expect(try await library.update(IndexOptions(takesOtherDisks: true)).found == 1)
  }

  /// A library with a folder on a disk of its own, which is away, and a picture beside it.
  private func libraryWithACardThatIsAway() async throws -> Library {
    let library = try Library([Self.circles: "inner/a.png", Self.square: "b.png"])
    _ = try await library.index.update(["\(library.path)/inner"], with: Library.model.get())
    try await moveDisk(of: library)
    #expect(rename("\(library.path)/inner", "\(library.path)-away") == 0)
    try FileSystem.makeFolder("\(library.path)/inner")
    return library
  }

  /// A folder around it was indexed while it was away, and another card is there then.
  @Test func aFolderThatWasTakenInKeepsItsDisk() async throws {
    let library = try await libraryWithACardThatIsAway()
    let (model, inner) = (try Library.model.get(), "\(library.path)/inner")
    let outer = try await library.update()
    #expect(outer.found == 1 && outer.missing == 0)
    #expect(try library.index.status().roots.map(\.path) == [library.path])
    try library.add(Self.square, as: "inner/c.png")
    for (folder, found) in [(library.path, 1), (inner, 0), (library.path, 1)] {
      let progress = try await library.index.update([folder], with: model)
      #expect(progress.found == found && progress.missing == 0, "\(folder)")
    }
    #expect(try library.index.status().files == 2)

    try library.remove("inner")
    #expect(rename("\(library.path)-away", inner) == 0)
    let back = try await library.update()
    #expect(back.unchanged == 2 && back.found == 2 && back.missing == 0)
    // It turned out to be on the disk of the folder around it.
    try library.remove("inner")
    #expect(try await library.update().missing == 1)
  }

  @Test func aCardThatIsTakenInThePlaceOfAnother() async throws {
    let library = try await libraryWithACardThatIsAway()
    try await library.update()
    try library.add(Self.square, as: "inner/c.png")
    let taken = try await library.update(IndexOptions(takesOtherDisks: true))
    #expect(taken.found == 2 && taken.missing == 1)
    #expect(try await library.update().unchanged == 2)
  }

  /// Of a folder whose disk is away, whatever was missing before.
  @Test func whatACardHadIsNotForgottenWhileItIsAway() async throws {
    let library = try await libraryWithACardThatIsAway()
    try await library.update()
    try await DatabaseQueue(path: "\(library.index.folder)/index.sqlite").write {
      try $0.execute(
        sql: "UPDATE file SET missing_since = ? WHERE path LIKE 'inner/%'",
        arguments: [StoredFile.earliestTime])
    }
    #expect(try await library.update(IndexOptions(forgetsAfter: .seconds(1))).forgotten == 0)
  }

  @Test func aFolderThatWasMergedKeepsItsDisk() async throws {
    let library = try await libraryWithACardThatIsAway()
    let folder = try TemporaryFolder()
    let outer = try PhotoIndex(at: "\(folder.path)/index", creating: true)
    let model = try Library.model.get()
    try await outer.update([library.path], with: model)
    for _ in 0..<2 { try outer.merge(library.index.folder) }
    try library.add(Self.square, as: "inner/c.png")
    let progress = try await outer.update([library.path], with: model)
    #expect(progress.found == 1 && progress.missing == 0)
    #expect(try outer.status().files == 2 && outer.status().roots.count == 1)
    #expect(try outer.check() == [])
  }

  /// Of two disks that had one number, one after the other, one is away when the other gets its own again.
  @Test func aCardThatIsAwayKeepsItsNumber() async throws {
    let library = try await libraryWithACardThatIsAway()
    try await library.update()
    try await DatabaseQueue(path: "\(library.index.folder)/index.sqlite").write {
      try $0.execute(sql: "UPDATE root SET device = device + 1")
      try $0.execute(sql: "UPDATE file SET device = device + 1 WHERE path = 'b.png'")
    }
    #expect(try await library.update().unchanged == 1)
    // Without files of its number, whatever is there would pass for it.
    try library.add(Self.square, as: "inner/c.png")
    let progress = try await library.update()
    #expect(progress.found == 1 && progress.missing == 0)
  }

  /// The disk is unmounted between a look at it and the walk, and what lay under it is there.
  @Test func whatIsWalkedIsWhatWasAsked() async throws {
    let library = try await libraryWithACardThatIsAway()
    try await library.update()
    let path = library.path
    let progress = try await library.index.update([path], with: Library.model.get()) { event in
      // The part that is away, told before the walk.
      guard case .kept = event, !FileSystem.exists("\(path)-held") else { return }
      #expect(rename(path, "\(path)-held") == 0)
      try? FileSystem.makeFolder("\(path)/stray")
    }
    #expect(FileSystem.exists("\(path)/stray"))
    #expect(progress.unchanged == 1 && progress.missing == 0)
    #expect(try library.index.status().missing == 0)
  }

  /// There is nothing to lose.
  @Test func oneInThePlaceOfAFolderWithoutPictures() async throws {
    let library = try Library([:])
    try library.write("notes.txt", [1])
    try await library.update()
    try await moveDisk(of: library)
    try library.add(Self.circles, as: "a.png")
    #expect(try await library.update().embedded == 1)
  }

  /// A disk that is not mounted leaves an empty folder, whoever says what.
  @Test func anEmptyFolderIsNeverTaken() async throws {
    let library = try Library([Self.circles: "a.png"])
    try await library.update()
    try await moveDisk(of: library)
    try library.remove("a.png")
    #expect(try await library.update(IndexOptions(takesOtherDisks: true)).missing == 0)
    #expect(try library.index.status().files == 1)
  }
}
