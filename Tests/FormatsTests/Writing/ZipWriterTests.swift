import TestSupport
import Testing

@testable import Formats

struct ZipWriterTests {
  @Test func filesComeBackFromBehindAModel() throws {
    var random = SeededRandom()
    let files = [
      ("labels.txt", Array("one\ntwo\n".utf8)), ("größe/leer", []), ("data", random.bytes(100_000)),
    ]
    let bytes = random.bytes(333) + (try ZipWriter.archive(files))
    let archive = try #require(try ZipArchive.atEnd(of: bytes))
    #expect(archive.entries.map(\.name) == files.map(\.0))
    for (name, contents) in files { #expect(try archive.contents(of: name) == contents) }
  }

  @Test func anEmptyArchiveIsOne() throws {
    #expect(try ZipArchive.atEnd(of: ZipWriter.archive([]))?.entries.isEmpty == true)
  }

  @Test func whatDoesNotFitIsRefused() {
    #expect(throws: (any Error).self) {
      try ZipWriter.archive([(String(repeating: "x", count: 70_000), [])])
    }
  }
}
