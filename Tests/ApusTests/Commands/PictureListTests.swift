import Apus
import Formats
import Foundation
import TestSupport
import Testing

/// What stands for pictures among arguments and in lists, and the order in which commands tell of it.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct PictureListTests {
  private let folder: TemporaryFolder
  private let model: String
  /// In order: `a.png`, `b/c.png`, `photo1.png`.
  private let pictures: String

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("colour.tflite", ColourModel.bytes(softmax: false))
    pictures = folder.path + "/pictures"
    for name in ["a.png", "b/c.png", "photo1.png"] {
      try folder.write("pictures/\(name)", FolderFixture.png)
    }
  }

  /// The last parts of the names in the records, those of failures with a mark.
  private func names(_ run: CommandRun, _ key: String = "file") throws -> [String] {
    try run.output.split(separator: "\n").map { line in
      let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let name = try #require(record[key] as? String)
      return (record["error"] == nil ? "" : "!") + (name.split(separator: "/").last.map(String.init) ?? "")
    }
  }

  private func classify(_ arguments: [String], input: String = "") throws -> CommandRun {
    try CommandRun(["classify", "--model", model, "--json"] + arguments, input: input)
  }

  @Test(arguments: [("\n", []), ("\0", ["-0"])] as [(String, [String])])
  func anItemOfAListIsNoPattern(_ end: String, _ option: [String]) throws {
    let list = ["a.png", "photo[1].png", "*.png"].map { "\(pictures)/\($0)\(end)" }.joined()
    let run = try classify(option + ["-"], input: list)
    #expect(run.exitCode == 5)
    #expect(try names(run) == ["a.png", "!photo[1].png", "!*.png"])
    try folder.write("pictures/photo[1].png", FolderFixture.png)
    let there = try classify(option + ["-"], input: list)
    #expect(try names(there) == ["a.png", "photo[1].png", "!*.png"])
  }

  @Test func anItemOfAListMayBeAFolder() throws {
    let run = try classify(["-"], input: "\(pictures)\n\n\(pictures)/a.png\n")
    #expect(run.exitCode == 0, "\(run.messages)")
    #expect(try names(run) == ["a.png", "c.png", "photo1.png", "a.png"])
  }

  /// The system takes no path to it at once.
  @Test func picturesLieAsDeepAsTheyLike() throws {
    let deep = try TemporaryFolder()
    let below = try deep.writeDeep("deep.png", Array(FolderFixture.png))
    try deep.write("top.png", FolderFixture.png)
    let run = try classify([deep.path])
    #expect(run.exitCode == 0 && run.messages.isEmpty, "\(run.messages)")
    #expect(try names(run) == ["deep.png", "top.png"])
    let alone = try classify([deep.path + "/" + below])
    #expect(alone.exitCode == 0, "\(alone.messages)")
  }

  @Test func anArgumentIsAPatternUnlessItIsThere() throws {
    let pattern = pictures + "/photo[1].png"
    let matched = try classify([pattern])
    #expect(matched.exitCode == 0)
    #expect(try names(matched) == ["photo1.png"])
    try folder.write("pictures/photo[1].png", FolderFixture.png)
    #expect(try names(try classify([pattern])) == ["photo[1].png"])
  }

  @Test func theRowOfAMissingFileOfAListStays() throws {
    let file = folder.path + "/vectors.npy"
    let run = try CommandRun(
      ["embed", "--image", "-", "--model", model, "--output", file, "--json"],
      input: ["missing[1].png", "a.png", "*.none"].map { "\(pictures)/\($0)\n" }.joined())
    #expect(run.exitCode == 5)
    #expect(try names(run, "input") == ["!missing[1].png", "a.png", "!*.none"])
    let rows = try Npy.tensor(contentsOf: file).elements(of: Float.self)
    #expect(rows.map(\.isNaN) == [true, true, true, false, false, false, true, true, true])
  }

  /// What stands for no picture is told of between those that stand beside it.
  @Test func recordsAreInTheOrderOfTheInputs() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/empty", withIntermediateDirectories: true)
    let inputs = [
      "\(pictures)/no*", "\(pictures)/a.png", "\(folder.path)/empty", "\(pictures)/nowhere.png",
      "\(pictures)/a.png", "\(pictures)/none*",
    ]
    let expected = ["!no*", "a.png", "!empty", "!nowhere.png", "a.png", "!none*"]
    let clip = ["--model", Checkout.modelFolder("clip"), "--json"]
    let runs = [
      ("file", try classify(inputs)),
      ("file", try CommandRun(["zero-shot", "--labels", "a"] + clip + inputs)),
      ("input", try CommandRun(["embed"] + clip + ["--image"] + inputs)),
      ("input", try CommandRun(["similarity"] + clip + ["--image"] + inputs)),
    ]
    for (key, run) in runs {
      #expect(run.exitCode == 5)
      #expect(try names(run, key) == expected)
    }
    let report = runs[0].1.messages
    #expect(report.contains("4 of 6 files failed"))
  }

  @Test func thePageHasWhatCameBeforeAListThatCannotBeRead() throws {
    let page = folder.path + "/page.html"
    let picture = pictures + "/a.png"
    let run = try CommandRun(
      shell: "\"$@\" < /", ["classify", picture, "-", "--model", model, "--json", "--html", page])
    #expect(run.exitCode == 3 && run.messages.contains("standard input cannot be read"), "\(run.messages)")
    #expect(run.output.split(separator: "\n").count == 2 && run.output.contains("\"predictions\""))
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.contains("a.png"))
  }

  @Test(.enabled(if: CommandRun.canBeNobody, "the program cannot be run as another user"))
  func aFolderThatCannotBeReadHasItsPlace() throws {
    let closed = pictures + "/b"
    #expect(chmod(closed, 0) == 0)
    defer { _ = chmod(closed, 0o755) }
    let run = try CommandRun(
      shell: "\(CommandRun.asNobody) \"$@\"", ["classify", pictures, "--model", model, "--json"])
    #expect(run.exitCode == 5)
    #expect(try names(run) == ["a.png", "!b", "photo1.png"])
  }
}
