import Apus
import Formats
import Foundation
import TestSupport
import Testing

/// Files open by whatever bytes they are named, in every way in which commands are told of them.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct NameTests {
  private let folder: TemporaryFolder
  private let model: String
  /// `café.png` in Latin-1, beside a picture with a line break in its name.
  private let latin: String
  private let divided: String

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("colour.tflite", ColourModel.bytes(softmax: false))
    let pictures = folder.path + "/pictures"
    try FileSystem.makeFolder(pictures)
    latin = pictures + "/caf" + FileName.text([0xE9]) + ".png"
    divided = pictures + "/one\ntwo.png"
    for path in [latin, divided] {
      let file = try NewFile(replacing: path)
      try file.write(Array(FolderFixture.png))
      try file.commit()
    }
  }

  /// The names in the records of a run, as bytes.
  private func names(_ run: CommandRun) throws -> [[UInt8]] {
    #expect(run.exitCode == 0, "\(run.messages)")
    return try run.output.split(separator: "\n").map { line in
      let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let name = try #require(record["file"] as? String)
      guard let base64 = record["file_base64"] as? String else { return Array(name.utf8) }
      #expect(name.contains("caf\u{FFFD}.png"))
      return Array(try #require(Data(base64Encoded: base64)))
    }
  }

  @Test(arguments: [
    #""$@" "$(printf 'caf\351.png')""#, #""$@" '*caf*'"#, #"printf 'caf\351.png\n' | "$@" -"#,
    #"find . -name 'caf*' -print0 | "$@" -0 -"#,
  ])
  func everyWayOpensTheFile(_ line: String) throws {
    let run = try CommandRun(
      shell: "cd \"\(folder.path)/pictures\" && export LC_ALL=C && \(line)",
      ["classify", "--model", model, "--json"])
    let names = try names(run)
    #expect(
      names == [Array("caf".utf8) + [0xE9] + Array(".png".utf8)]
        || names == [Array("./caf".utf8) + [0xE9] + Array(".png".utf8)])
  }

  @Test func foldersAndListsDividedByZeros() throws {
    let both = [FileName.bytes(latin), FileName.bytes(divided)]
    let whole = try CommandRun(["classify", folder.path + "/pictures", "--model", model, "--json"])
    #expect(try names(whole) == both)
    let list = try CommandRun(
      shell: "find \"\(folder.path)/pictures\" -name '*.png' -print0 | sort -z | \"$@\" --null -",
      ["classify", "--model", model, "--json"])
    #expect(Set(try names(list)) == Set(both))
  }

  /// What people read is text, whatever the name.
  @Test func messagesAreReadable() throws {
    let run = try CommandRun(shell: #"exec "$@" "$(printf 'no\351.png')""#, ["classify", "--model", model])
    #expect(run.exitCode == 3 && run.messages.contains("no\u{FFFD}.png: cannot be opened"))
  }

  @Test func aMissingModelDoesNotWaitForTheList() throws {
    let line = "mkfifo \"\(folder.path)/list\"; exec 3<>\"\(folder.path)/list\"; timeout 30 \"$@\" <&3"
    for command in [
      ["classify", "-"], ["zero-shot", "-", "--labels", "a"], ["embed", "--image", "-"],
      ["classify-text", "-"],
    ] {
      let run = try CommandRun(shell: line, command + ["--model", folder.path + "/nowhere.tflite"])
      #expect(run.exitCode == 3 && run.messages.contains("nowhere.tflite"), "\(command)")
    }
  }

  @Test func rowsStayWithTheirPictures() throws {
    let file = folder.path + "/vectors.npy"
    let run = try CommandRun([
      "embed", "--image", "nowhere.png", divided, "missing.png", "--model", model, "--output", file, "--json",
    ])
    #expect(run.exitCode == 5)
    let rows = try Npy.tensor(contentsOf: file).elements(of: Float.self)
    #expect(
      rows.count == 9
        && rows.map(\.isNaN) == [Bool](repeating: true, count: 3) + [false, false, false] + [
          true, true, true,
        ])
    let records = try run.output.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(records.map { $0["row"] as? Int } == [0, 1, 2])
    #expect(records.map { $0["error"] != nil } == [true, false, true])
    FileSystem.remove(file)
    let none = try CommandRun(["embed", "--image", "nowhere.png", "--model", model, "--output", file])
    #expect(none.exitCode == 3 && !FileSystem.exists(file))
  }

  /// Pictures of a list that `compare` reads, in a file of class folders too.
  @Test func listsOfDataSets() throws {
    let list = folder.path + "/list.csv"
    let file = try NewFile(replacing: list)
    try file.write(Array("path,label\npictures/caf".utf8) + [0xE9] + Array(".png,red\n".utf8))
    try file.commit()
    let labels = try folder.write("labels.txt", "red\ngreen\nblue\n")
    let run = try CommandRun(["compare", model, model, "--data", list, "--labels", labels, "--json"])
    #expect(run.exitCode == 0, "\(run.messages)")
    #expect(run.output.contains("file_base64"))
  }
}
