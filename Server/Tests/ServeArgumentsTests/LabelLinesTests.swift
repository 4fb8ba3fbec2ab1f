import Apus
import FoundationEssentials
import Testing

@testable import ServeArguments

@Suite struct LabelLinesTests {
  private func read(_ text: String) throws -> [String] { try read(Array(text.utf8)) }

  private func read(_ bytes: [UInt8]) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "labels-\(UInt64.random(in: 0 ... .max))")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try LabelLines.read(file.path(), "keys")
  }

  /// As editors on other systems write them: with a mark before the first line, and two characters after each.
  @Test func linesAreWithoutWhatIsAroundThem() throws {
    #expect(try read("\u{FEFF}a cat \t\r\n\r\n  a dog\u{3000}\r\n") == ["a cat", "a dog"])
    #expect(try read("\u{FEFF} a") == ["a"])
  }

  /// A label may begin with what begins a comment among keys.
  @Test func keysHaveCommentsAndLabelsHaveNot() throws {
    let text = "# keys of the lab\nfirst\n  # the second\nsec#ond\n"
    let (keys, labels) = (try keys(text), try read(text))
    #expect(keys == ["first", "sec#ond"])
    #expect(labels.count == 4 && labels[0] == "# keys of the lab")
    #expect { try self.keys("# nobody\n#\n") } throws: { error in
      guard let error = error as? ApusError else { return false }
      return error.kind == .configuration && "\(error)".contains("no keys")
    }
  }

  /// The keys that a server takes of a file.
  private func keys(_ text: String) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(path: "keys-\(UInt64.random(in: 0 ... .max))")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try ListeningArguments.parse(["--api-key-file", file.path()]).options().keys
  }

  /// A label with other letters than those in the file would be another label.
  @Test func otherEncodingsAreRefused() {
    #expect { try read([0x63, 0x61, 0x66, 0xE9]) } throws: { error in
      guard let error = error as? ApusError else { return false }
      return error.kind == .configuration && "\(error)".contains("not UTF-8")
    }
  }

  @Test(arguments: ["", "\u{FEFF}", " \r\n\n\t"]) func emptyFilesAreRefused(_ text: String) {
    #expect { try read(text) } throws: { error in
      guard let error = error as? ApusError else { return false }
      return error.kind == .configuration && "\(error)".contains("no keys")
    }
  }
}
