import Foundation
import TensorCore
import TestSupport
import Testing

/// Every name of a file is one text, and opens the file by it.
@Suite struct FileNameTests {
  @Test(
    arguments: [
      ("plain.png", Array("plain.png".utf8)), ("café 燕.png", Array("café 燕.png".utf8)),
      ("caf\u{10FEE9}", [0x63, 0x61, 0x66, 0xE9]), ("\u{10FEC3}", [0xC3]),
      ("\u{10FEF4}\u{10FE8F}\u{10FEBA}\u{10FE80}", [0xF4, 0x8F, 0xBA, 0x80]),
      ("\u{10FEED}\u{10FEA0}\u{10FE80}é", [0xED, 0xA0, 0x80, 0xC3, 0xA9]), ("\u{10FEFF}", [0xFF]), ("", []),
    ] as [(String, [UInt8])])
  func textsAndBytes(_ text: String, _ bytes: [UInt8]) {
    #expect(FileName.text(bytes).unicodeScalars.elementsEqual(text.unicodeScalars))
    #expect(FileName.bytes(text) == bytes)
  }

  @Test func anyBytesComeBack() {
    var random = SeededRandom()
    for count in 0..<400 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 1...255, using: &random) }
      let text = FileName.text(bytes)
      #expect(FileName.bytes(text) == bytes, "seed \(random.seed)")
      #expect(!FileName.isEscaped(FileName.readable(text)))
    }
  }

  @Test func filesOfAnyNameAreWrittenListedAndRead() throws {
    let folder = try TemporaryFolder()
    let place = folder.path + "/" + FileName.text([0xC4, 0x2F, 0xE9])
    let file = place + "/" + FileName.text([0x61, 0xFF])
    try FileSystem.makeFolder(place)
    let new = try NewFile(replacing: file)
    try new.write([1, 2, 3])
    try new.commit()
    #expect(try FileBytes.read(file) == [1, 2, 3])
    #expect(FileSystem.names(in: place)?.map(FileName.bytes) == [[0x61, 0xFF]])
    #expect(
      try FileSystem.paths(below: folder.path).map(FileName.bytes) == [[0xC4, 0x2F, 0xE9, 0x2F, 0x61, 0xFF]])
    #expect(FileSystem.resolved(file)?.hasSuffix(FileName.text([0x61, 0xFF])) == true)
    #expect(FileSystem.isFile(file) && FileSystem.isFolder(place) && !FileSystem.exists(file + "x"))
    FileSystem.remove(folder.path + "/" + FileName.text([0xC4]))
    #expect(FileSystem.names(in: folder.path) == [])
  }

  @Test func foldersThatCannotBeReadAreTold() throws {
    let folder = try TemporaryFolder()
    // No user is kept from a folder of this name, but nobody can read it.
    let file = folder.path + "/file"
    try Data([1]).write(to: URL(filePath: file))
    for path in [file, folder.path + "/absent"] {
      let found = FileSystem.found(below: path)
      #expect(found.paths.isEmpty && found.failures.map(\.folder) == [path])
      #expect(throws: ApusError.self) { try FileSystem.entries(of: path) }
      #expect(throws: ApusError.self) { try FileSystem.paths(below: path) }
    }
    let error = #expect(throws: ApusError.self) { try FileSystem.entries(of: file) }
    #expect("\(String(describing: error))".contains("Not a directory"))
  }

  /// Foundation repairs names or passes over them, so nothing opens files by it. With all of it a program takes twice
  /// the time to start.
  @Test func nothingOpensFilesPastTheSeam() throws {
    let sources = Checkout.file("Sources").path
    for path in try FileSystem.paths(below: sources) where path.hasSuffix(".swift") {
      let text = String(decoding: try FileBytes.read("\(sources)/\(path)"), as: UTF8.self)
      for word in [
        "import Foundation\n", "FileManager", "fileURLWithPath", "readLine(", "CommandLine.",
      ] {
        #expect(!text.contains(word), "\(path): \(word)")
      }
    }
  }

  @Test(arguments: [
    ("a/b/c.JPG", "a/b", "c.JPG", "jpg"), ("a/b/", "a", "b", ""), ("a", "", "a", ""),
    ("/a.b", "/", "a.b", "b"),
    ("a//.png", "a", ".png", ""), ("/", "/", "", ""), ("x.tar.gz", "", "x.tar.gz", "gz"),
    ("a.", "", "a.", ""),
    // To Swift what follows the slash, or the full stop, is one character with it.
    ("a/\u{301}b.png", "a", "\u{301}b.png", "png"), ("a/\u{301}/", "a", "\u{301}", ""),
    ("a.\u{301}", "", "a.\u{301}", "\u{301}"), ("e\u{301}/\u{308}/x", "e\u{301}/\u{308}", "x", ""),
    ("//\u{301}", "/", "\u{301}", ""), ("", "", "", ""),
  ])
  func partsOfAPath(path: String, folder: String, last: String, ending: String) {
    #expect(FileName.folder(of: path).utf8.elementsEqual(folder.utf8))
    #expect(FileName.last(of: path).utf8.elementsEqual(last.utf8))
    #expect(FileName.ending(of: path).utf8.elementsEqual(ending.utf8))
  }

  @Test func slashesAtTheEnd() {
    for (path, wanted) in [("/a//", "/a"), ("//", "/"), ("/a/\u{301}", "/a/\u{301}"), ("", "")] {
      #expect(FileName.withoutFinalSlashes(path).utf8.elementsEqual(wanted.utf8))
    }
  }

  /// What a link leads to is not in the folder.
  @Test func removingAFolderLeavesWhatItsLinksLeadTo() throws {
    let (kept, removed) = (try TemporaryFolder(), try TemporaryFolder())
    try Data([1]).write(to: URL(fileURLWithPath: kept.path + "/file"))
    let inner = removed.path + "/inner"
    try FileSystem.makeFolder(inner)
    try FileManager.default.createSymbolicLink(atPath: inner + "/link", withDestinationPath: kept.path)
    FileSystem.remove(removed.path)
    #expect(!FileSystem.exists(removed.path))
    FileSystem.removeFile(kept.path)
    #expect(try FileBytes.read(kept.path + "/file") == [1])
  }
}
