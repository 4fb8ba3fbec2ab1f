import CLibrary
import Foundation
import GRDB
import Testing

@testable import ApusPhotos

/// Files that went or changed since they were indexed, or cannot be read, make no copies of those that are left.
@Suite struct DuplicatesAtHandTests {
  private static let circles = "three-red-circles.png"
  private let library: Library

  /// Three files of the same bytes, the oldest first.
  init() async throws {
    library = try Library([Self.circles: "a.png"])
    for name in ["b.png", "c.png"] { try library.add(Self.circles, as: name) }
    try date("a.png", 1)
    for name in ["b.png", "c.png"] { try date(name, 2) }
    try await library.update()
  }

  private func date(_ name: String, _ seconds: Double) throws {
    let time = Date(timeIntervalSince1970: 1_700_000_000 + seconds)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path(name))
  }

  private func path(_ name: String) -> String { "\(library.path)/\(name)" }

  @Test func theLastCopyIsNoOther() throws {
    let before = try library.index.duplicates(.sameBytes)
    #expect(before.groups.map(\.others) == [[path("b.png"), path("c.png")]])
    #expect(before.leftOut == 0)
    try library.remove("a.png")
    let after = try library.index.duplicates(.sameBytes)
    #expect(after.groups.map(\.others) == [[path("c.png")]])
    #expect(after.groups.first?.members.first?.paths == [path("b.png")])
    #expect(after.leftOut == 1)
    try library.remove("b.png")
    let last = try library.index.duplicates(.sameBytes)
    #expect(last == FoundDuplicates(groups: [], leftOut: 2))
  }

  @Test func copiesAreFoundAtBothLevels() throws {
    for level in [DuplicateLevel.sameBytes, .samePicture] {
      for readsFiles in [false, true] {
        let found = try library.index.duplicates(level, readsFiles: readsFiles)
        #expect(found.groups.map(\.others) == [[path("b.png"), path("c.png")]], "\(level)")
      }
    }
    #expect(try library.index.duplicates(.alike).groups.isEmpty)
  }

  /// As on a disk that is away: nothing is there twice, and who asks is told why.
  @Test func aFolderThatIsAway() throws {
    try FileManager.default.moveItem(atPath: library.path, toPath: library.path + "-away")
    for level in DuplicateLevel.allCases {
      let found = try library.index.duplicates(level)
      #expect(found == FoundDuplicates(groups: [], leftOut: 3))
    }
  }

  /// What an indexing could not read keeps its content and its stamp.
  @Test func aFileThatFailedIsNoCopy() throws {
    try library.index.store.write {
      try $0.execute(sql: "UPDATE file SET error = 'cannot be read' WHERE path = 'a.png'")
    }
    let found = try library.index.duplicates(.sameBytes)
    #expect(found.groups.map(\.others) == [[path("c.png")]])
    #expect(found.groups.first?.members.first?.paths == [path("b.png")])
    #expect(found.leftOut == 1)
  }

  /// Its content is not known; once it is gone, nothing is to be looked at again.
  @Test(arguments: [false, true])
  func aFileThatNeverCouldBeRead(_ isGone: Bool) throws {
    let time: Int? = isGone ? 1 : nil
    try library.index.store.write {
      try $0.execute(
        sql: """
          UPDATE file SET error = 'cannot be read', content_id = NULL, missing_since = ? WHERE path = 'a.png'
          """, arguments: [time])
    }
    let found = try library.index.duplicates(.sameBytes)
    #expect(found.groups.map(\.others) == [[path("c.png")]])
    #expect(found.leftOut == (isGone ? 0 : 1))
  }

  @Test func aFileThatMayNotBeReadIsNoCopy() throws {
    let all = try library.index.store.read { try ComparedPicture.all(in: $0) }
    let closed = path("a.png")
    let found = ComparedPicture.atHand(all) { $0 != closed }
    let paths = found.pictures.map { $0.files.map(\.path) }
    #expect(paths == [[path("b.png"), path("c.png")]])
    #expect(found.leftOut == 1)
    let none = ComparedPicture.atHand(all) { _ in false }
    #expect(none.pictures.isEmpty && none.leftOut == 3)
  }

  /// Root may read what nobody may.
  @Test(.enabled(if: geteuid() != 0, "root may read everything")) func aFileWithoutPermissionIsNoCopy() throws
  {
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path("a.png"))
    let found = try library.index.duplicates(.sameBytes)
    #expect(found.groups.map(\.others) == [[path("c.png")]])
    #expect(found.leftOut == 1)
  }

  @Test func aFileThatChangedIsNoCopy() throws {
    try library.write("a.png", Array("other bytes".utf8))
    try date("b.png", 9)
    let found = try library.index.duplicates(.sameBytes)
    #expect(found == FoundDuplicates(groups: [], leftOut: 2))
  }

  /// A copy that a link took the place of is no file of its own any more.
  @Test func linksAreThoseOfNow() throws {
    try library.remove("c.png")
    try FileManager.default.linkItem(atPath: path("b.png"), toPath: path("c.png"))
    let found = try library.index.duplicates(.sameBytes)
    let files = found.groups.first?.members.map(\.files)
    #expect(files == [[[path("a.png")]], [[path("b.png"), path("c.png")]]])
  }
}
