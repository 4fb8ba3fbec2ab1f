import Foundation
import Testing

@testable import ApusPhotos

/// Before others are named, every file of their groups is read.
@Suite struct OfferedFilesTests {
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

  private func others(reading reader: @escaping OfferedFiles.Reader) throws -> FoundDuplicates {
    try library.index.duplicates(.sameBytes, reading: reader)
  }

  /// Every byte is there, and one is another: neither size nor time says so.
  @Test func onesThatCannotBeReadOrHaveOtherBytesAreNotKept() throws {
    let (first, second) = (path("a.png"), path("b.png"))
    var read: [String] = []
    let found = try others { path, byteCount in
      read.append(path)
      guard path != first else { return nil }
      var bytes = OfferedFiles.fromDisk(path, byteCount) ?? []
      if path == second, !bytes.isEmpty { bytes[bytes.count / 2] ^= 1 }
      return bytes
    }
    #expect(read == [first, second, path("c.png"), path("d.png")])
    #expect(found.groups.map(\.others) == [[path("d.png")]])
    #expect(found.leftOut == 2 && found.unsound == [first, second])
  }

  @Test func whereNoneIsSoundNoneIsNamed() throws {
    let found = try others { _, _ in nil }
    let unsound = ["a.png", "b.png", "c.png"].map(path)
    #expect(found == FoundDuplicates(groups: [], leftOut: 3, unsound: unsound))
  }

  /// A copy whose place another picture took, with its size, time and inode, is the only file of that picture.
  @Test func copiesOfOtherBytesAreNotNamed() throws {
    try changeKeepingTime("c.png")
    let found = try library.index.duplicates(.sameBytes, readsFiles: true)
    #expect(found.groups.map(\.others) == [[path("b.png"), path("d.png")]])
    #expect(found.leftOut == 1 && found.unsound == [path("c.png")])
  }

  /// The picture once more, with a byte behind its end, is the best: another content than that of the files offered.
  @Test func otherFormsOfOtherBytesAreNotNamed() async throws {
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path("a.png"))))
    try library.write("e.png", bytes + [0])
    try await library.update()
    let names = ["a.png", "b.png", "c.png", "d.png"].map(path)
    #expect(try library.index.duplicates(.samePicture, readsFiles: true).groups.map(\.others) == [names])
    try changeKeepingTime("b.png")
    let found = try library.index.duplicates(.samePicture, readsFiles: true)
    #expect(found.groups.map(\.others) == [[names[0], names[2], names[3]]])
    #expect(found.leftOut == 1 && found.unsound == [names[1]])
  }

  @Test func itIsReadFromTheDisk() throws {
    try changeKeepingTime("a.png")
    let listed = try library.index.duplicates(.sameBytes)
    #expect(listed.leftOut == 0 && listed.unsound.isEmpty)
    let read = try library.index.duplicates(.sameBytes, readsFiles: true)
    #expect(read.unsound == [path("a.png")] && read.leftOut == 1)
    #expect(read.groups.map(\.others) == [[path("c.png"), path("d.png")]])
  }

  /// Another byte in the middle of a file that keeps its size, inode and time.
  private func changeKeepingTime(_ name: String) throws {
    let modified = try FileManager.default.attributesOfItem(atPath: path(name))[.modificationDate] as? Date
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(name))))
    bytes[bytes.count / 2] ^= 1
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path(name)))
    try file.write(contentsOf: bytes)
    try file.close()
    let date = try #require(modified)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path(name))
  }
}
