import Foundation
import GRDB
import TestSupport
import Testing

@testable import ApusPhotos

/// A file that could not be read is read before it is taken for what the index has of it under another name.
@Suite struct FailedNamesTests {
  private let library: Library

  /// Two files of the same bytes, the first renamed: its former name is still in the index.
  init() async throws {
    library = try Library(["three-red-circles.png": "a.png"])
    try library.add("three-red-circles.png", as: "b.png")
    try await library.update()
    try library.move("a.png", to: "z.png")
    try await library.update()
    try fail("z.png")
  }

  private func fail(_ name: String) throws {
    try library.index.store.write {
      try $0.execute(sql: "UPDATE file SET error = 'cannot be read' WHERE path = ?", arguments: [name])
    }
  }

  private func path(_ name: String) -> String { "\(library.path)/\(name)" }

  private func failures() throws -> [String] { try library.index.failures().map(\.path) }

  /// An indexing that can read no file of so many bytes.
  private func updateUnread() async throws -> IndexProgress {
    var options = IndexOptions()
    options.limits.fileBytes = 1
    return try await library.update(options)
  }

  @Test(arguments: ["y.png", "a.png"])
  func itIsReadUnderAnotherName(_ name: String) async throws {
    try library.move("z.png", to: name)
    for _ in 0..<2 {
      let progress = try await updateUnread()
      #expect(progress.failed == 1 && progress.unchanged == 1)
      let failed = try failures()
      #expect(failed == [path(name)])
    }
    let found = try library.index.duplicates(.sameBytes)
    #expect(found == FoundDuplicates(groups: [], leftOut: 1))
    // Once it was read, it is as any other file.
    let read = try await library.update()
    #expect(read.failed == 0 && read.known == 1)
    let again = try await library.update()
    #expect(again.unchanged == 2)
    let all = try library.index.duplicates(.sameBytes)
    #expect(all.groups.count == 1 && all.leftOut == 0)
  }

  @Test func itIsReadUnderALink() async throws {
    try FileManager.default.linkItem(atPath: path("z.png"), toPath: path("l.png"))
    let progress = try await updateUnread()
    #expect(progress.failed == 2 && progress.unchanged == 1)
    let failed = try failures()
    #expect(failed == [path("l.png"), path("z.png")])
  }

  /// A link that was read once says nothing of the file now, from whatever folder it is looked at.
  @Test func aLinkThatDidNotFail() async throws {
    try FileManager.default.createDirectory(atPath: path("below"), withIntermediateDirectories: false)
    try FileManager.default.linkItem(atPath: path("b.png"), toPath: path("below/l.png"))
    try await library.update()
    try fail("b.png")
    var options = IndexOptions()
    options.limits.fileBytes = 1
    let progress = try await library.index.update(
      [path("below")], with: Library.model.get(), options: options)
    #expect(progress.failed == 1 && progress.unchanged == 0)
    let failed = try failures()
    #expect(failed.contains(path("below/l.png")))
  }
}
