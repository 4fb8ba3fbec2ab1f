import Formats
import Foundation
import TestSupport
import Testing

/// What commands write of a list that breaks off.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct BrokenListTests {
  private let folder: TemporaryFolder
  private let model: String
  private let picture: String

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("colour.tflite", ColourModel.bytes(softmax: false))
    picture = try folder.write("a.png", FolderFixture.png)
  }

  /// Before the list of pictures has anything.
  @Test func textsBesideABrokenListAreEmbedded() throws {
    let file = folder.path + "/vectors.npy"
    let clip = ["--model", Checkout.modelFolder("clip"), "--output", file, "--json"]
    let run = try CommandRun(shell: "\"$@\" < /", ["embed", "--text", "one", "--image", "-"] + clip)
    #expect(run.exitCode == 3 && run.messages.contains("standard input cannot be read"), "\(run.messages)")
    #expect(run.messages.contains("vectors.npy: rows of 1 input only"), "\(run.messages)")
    let records = run.output.split(separator: "\n")
    #expect(records.count == 2 && records[0].contains("\"embedding\""), "\(run.output)")
    let rows = try Npy.tensor(contentsOf: file).rows()
    #expect(rows.count == 1)
  }

  /// Behind a list of texts that has nothing.
  @Test func picturesBesideABrokenListAreEmbedded() throws {
    let file = folder.path + "/vectors.npy"
    let clip = ["--model", Checkout.modelFolder("clip"), "--output", file, "--json"]
    let run = try CommandRun(
      shell: "\"$@\" < /", ["embed", "--text", "-", "--image", picture, picture] + clip)
    #expect(run.exitCode == 3 && run.messages.contains("standard input cannot be read"), "\(run.messages)")
    #expect(run.messages.contains("vectors.npy: rows of 2 inputs only"), "\(run.messages)")
    let records = run.output.split(separator: "\n")
    #expect(records.count == 3 && records[0].contains("\"embedding\""), "\(run.output)")
    let rows = try Npy.tensor(contentsOf: file).rows()
    #expect(rows.count == 2)
  }

  @Test(arguments: ["classify", "zero-shot"])
  func aPageThatCannotBeWrittenHidesNothing(_ command: String) throws {
    let lines = "{ echo '\(picture)'; head -c 70000000 /dev/zero; } > '\(folder.path)/lines'"
    let options =
      command == "classify"
      ? ["--model", model] : ["--model", Checkout.modelFolder("clip"), "--labels", "a, b"]
    let run = try CommandRun(
      shell: "\(lines) && \"$@\" < '\(folder.path)/lines'", [command, "-", "--html", "/dev/full"] + options)
    #expect(run.exitCode == 4 && run.messages.contains("more than 64 MiB"), "\(run.messages)")
    #expect(run.messages.contains("/dev/full: cannot be written"), "\(run.messages)")
    #expect(run.output.contains("prepared by"), "\(run.output)")
  }

  @Test func nothingIsWrittenOfNothing() throws {
    let page = try folder.write("page.html", "what was there")
    let vectors = try folder.write("vectors.npy", "what was there")
    let commands = [
      ["classify", "-", "--model", model, "--html", page],
      ["embed", "--image", "-", "--model", model, "--output", vectors],
    ]
    for command in commands {
      let run = try CommandRun(shell: "\"$@\" < /", command)
      #expect(run.exitCode == 3 && run.messages.contains("standard input cannot be read"), "\(run.messages)")
    }
    for file in [page, vectors] {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(text == "what was there")
    }
  }

  @Test func thePageSaysHowMuchItHas() throws {
    let page = folder.path + "/page.html"
    let run = try CommandRun(
      shell: "\"$@\" < /", ["classify", picture, picture, "-", "--model", model, "--html", page])
    #expect(run.exitCode == 3, "\(run.messages)")
    #expect(run.messages.contains("page.html: the first 2 inputs only"), "\(run.messages)")
  }
}
