import Foundation
import Testing

@testable import ApusPhotos

/// Before others are named, the file that is kept is read.
@Suite struct BestFilesTests {
  private static let circles = "three-red-circles.png"
  private let library: Library

  /// Four files of the same bytes, the oldest first.
  init() async throws {
    library = try Library([:])
    for (place, name) in ["a.png", "b.png", "c.png", "d.png"].enumerated() {
      try library.add(Self.circles, as: name)
      let time = Date(timeIntervalSince1970: 1_700_000_000 + Double(place))
      try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path(name))
    }
    try await library.update()
  }

  private func path(_ name: String) -> String { "\(library.path)/\(name)" }

  private func others(reading reader: @escaping BestFiles.Reader) throws -> FoundDuplicates {
    try library.index.duplicates(.sameBytes, readingBest: reader)
  }

  /// Every byte is there, and one is another: neither size nor time says so.
  @Test func onesThatCannotBeReadOrHaveOtherBytesAreNotKept() throws {
    let (first, second) = (path("a.png"), path("b.png"))
    var read: [String] = []
    let found = try others { path, byteCount in
      read.append(path)
      guard path != first else { return nil }
      var bytes = BestFiles.fromDisk(path, byteCount) ?? []
      if path == second, !bytes.isEmpty { bytes[bytes.count / 2] ^= 1 }
      return bytes
    }
    #expect(read == [first, second, path("c.png")])
    #expect(found.groups.map(\.others) == [[path("d.png")]])
    #expect(found.leftOut == 2 && found.unsound == [first, second])
  }

  @Test func whereNoneIsSoundNoneIsNamed() throws {
    let found = try others { _, _ in nil }
    let unsound = ["a.png", "b.png", "c.png"].map(path)
    #expect(found == FoundDuplicates(groups: [], leftOut: 3, unsound: unsound))
  }

  @Test func itIsReadFromTheDisk() throws {
    let modified = try FileManager.default.attributesOfItem(atPath: path("a.png"))[.modificationDate]
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path("a.png"))))
    bytes[bytes.count / 2] ^= 1
    try library.write("a.png", bytes)
    let date = try #require(modified as? Date)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path("a.png"))
    let listed = try library.index.duplicates(.sameBytes)
    #expect(listed.leftOut == 0 && listed.unsound.isEmpty)
    let read = try library.index.duplicates(.sameBytes, readsBest: true)
    #expect(read.unsound == [path("a.png")] && read.leftOut == 1)
    #expect(read.groups.map(\.others) == [[path("c.png"), path("d.png")]])
  }
}
