import Foundation
import Testing

@testable import ApusPhotos

/// Files that went or changed since they were indexed make no copies of those that are left.
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
    #expect(before.map(\.others) == [[path("b.png"), path("c.png")]])
    try library.remove("a.png")
    let after = try library.index.duplicates(.sameBytes)
    #expect(after.map(\.others) == [[path("c.png")]])
    #expect(after.first?.members.first?.paths == [path("b.png")])
    try library.remove("b.png")
    let last = try library.index.duplicates(.sameBytes)
    #expect(last.isEmpty)
  }

  @Test func aFileThatChangedIsNoCopy() throws {
    try library.write("a.png", Array("other bytes".utf8))
    try date("b.png", 9)
    let groups = try library.index.duplicates(.sameBytes)
    #expect(groups.isEmpty)
  }

  /// A copy that a link took the place of is no file of its own any more.
  @Test func linksAreThoseOfNow() throws {
    try library.remove("c.png")
    try FileManager.default.linkItem(atPath: path("b.png"), toPath: path("c.png"))
    let groups = try library.index.duplicates(.sameBytes)
    let files = groups.first?.members.map(\.files)
    #expect(files == [[[path("a.png")]], [[path("b.png"), path("c.png")]]])
  }
}
