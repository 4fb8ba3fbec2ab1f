import Apus
import FoundationEssentials
import Testing

@testable import ServeArguments

@Suite struct ConfigurationFileTests {
  private func expanded(_ text: String) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "options-\(UInt64.random(in: 0 ... .max))")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try ConfigurationFile.expanded(["--config", file.path(), "--lazy"])
  }

  @Test func linesAreOptions() throws {
    let options = try expanded("# a comment\nport = 8000\n\n  log-format=json\nno-seal\n")
    #expect(options == ["--port=8000", "--log-format=json", "--no-seal", "--lazy"])
  }

  /// As editors on other systems write them: with a mark before the first line, and two characters after each.
  @Test func linesMayEndAsElsewhere() throws {
    let options = try expanded("\u{FEFF}port = 8000\r\n# a comment\r\n\r\nhost = ::1\r\n")
    #expect(options == ["--port=8000", "--host=::1", "--lazy"])
    #expect {
      try expanded("port = 8000\r\n?\r\n")
    } throws: { "\($0)".contains("line 2") }
  }

  @Test(arguments: [("/nonexistent", "No such file"), ("/", "directory"), ("", "is empty")])
  func whatCannotBeReadSaysWhy(_ path: String, _ reason: String) {
    #expect {
      try ConfigurationFile.expanded(["--config=\(path)"])
    } throws: { "\($0)".contains(reason) }
    #expect {
      try LabelLines.read(path, "keys")
    } throws: { "\($0)".contains(reason) }
  }
}
