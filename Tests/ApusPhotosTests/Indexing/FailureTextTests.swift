import Apus
import Foundation
import TestSupport
import Testing

@testable import ApusPhotos

/// What an index says of files that could not be read, and of copies that are gone.
@Suite struct FailureTextTests {
  private static let circles = "three-red-circles.png"

  @Test func aFileIsNamedOnce() async throws {
    let library = try Library([Self.circles: "a.png"])
    var options = IndexOptions()
    options.limits.fileBytes = 10
    let progress = try await library.update(options)
    #expect(progress.failed == 1)
    let failure = try #require(try library.index.failures().first)
    #expect(failure.path == "\(library.path)/a.png")
    #expect(failure.error.hasPrefix("has "))
    #expect(!failure.error.contains("a.png"))
  }

  @Test func aCopyThatIsThereComesFirst() async throws {
    let library = try Library([Self.circles: "a.png"])
    for copy in ["b.png", "c.png"] { try library.add(Self.circles, as: copy) }
    try await library.update()
    try library.remove("a.png")
    let found = try await PhotoSearcher(library.index).search("a circle", count: 1)
    let match = try #require(found.first)
    let names = match.pathsAtHand.map { ($0 as NSString).lastPathComponent }
    #expect(match.paths.count == 3)
    #expect(names == ["b.png", "a.png", "c.png"])
    for copy in ["b.png", "c.png"] { try library.remove(copy) }
    #expect(match.pathsAtHand == match.paths)
  }
}
