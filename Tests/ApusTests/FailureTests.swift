import Foundation
import TestSupport
import Testing

@testable import Apus

/// Every failure has its exit code, says whose fault it is, and is a record where records were asked for.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct FailureTests {
  private let folder: TemporaryFolder
  private let model: String
  private let picture: String

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("colour.tflite", ColourModel.bytes(softmax: false))
    picture = try folder.write("picture.png", FolderFixture.png)
  }

  @Test(arguments: ["ulimit -v 150000", "ulimit -n 4", "ulimit -s 64"]) func lowLimitsAreErrors(
    _ limit: String
  ) throws {
    let run = try CommandRun(
      shell: "\(limit); exec \"$@\"",
      ["classify-text", "a text", "--model", Checkout.modelFolder("bert-classifier")])
    #expect(run.exitCode == 4, "\(run.messages)")
    #expect(run.messages.contains("this process may have"))
  }

  /// Whether /proc may be taken away from a program here.
  private static let canHideProc =
    (try? CommandRun(shell: "unshare --mount mount -t tmpfs none /proc", []).exitCode) == 0

  @Test(.enabled(if: FailureTests.canHideProc, "file systems cannot be mounted here"))
  func argumentsDoNotComeFromProc() throws {
    let run = try CommandRun(
      shell: "exec unshare --mount sh -c 'mount -t tmpfs none /proc && exec \"$@\"' sh \"$@\"", ["nosuch"])
    #expect(run.exitCode == 2 && run.messages.contains("no command 'nosuch'"), "\(run.messages)")
  }

  @Test func whatNobodyCanReceiveIsNoSuccess() throws {
    #expect(try CommandRun(shell: "exec \"$@\" >&-", ["classify", picture, "--model", model]).exitCode == 3)
    #expect(
      try CommandRun(shell: "exec \"$@\" >/dev/full", ["classify", picture, "--model", model]).exitCode == 3)
  }

  @Test func helpOfNothingIs2() throws {
    for topic in [["nosuch"], ["bench", "nosuch"]] {
      let run = try CommandRun(["help"] + topic)
      #expect(run.exitCode == 2)
      #expect(run.messages.contains("no command 'nosuch'"))
    }
    #expect(try CommandRun(["help", "bench", "kernels"]).exitCode == 0)
  }

  @Test func aMalformedArrayIs3() throws {
    let array = try folder.write("broken.npy", "no array")
    let run = try CommandRun(["run", model, "--input", "0=\(array)"])
    #expect(run.exitCode == 3)
    #expect(run.messages.contains("broken.npy"))
  }

  @Test func anEmptyLabelIsNotThePicturesFault() throws {
    let run = try CommandRun([
      "zero-shot", picture, "--model", Checkout.modelFolder("clip"), "--label", "a cat", "--label", " ",
    ])
    #expect(run.exitCode == 2)
    #expect(!run.messages.contains("picture.png") && run.messages.contains("label"))
  }

  @Test func aProfileThatDoesNotExistIsTheMetadatasFault() throws {
    let metadata = try folder.write("meta.json", #"{"preprocessing": "nosuch"}"#)
    for arguments in [[], ["--meta", metadata]] {
      let run = try CommandRun(["classify", picture, "--model", model] + arguments)
      #expect(run.exitCode == 3)
      #expect(run.messages.contains("meta.json: preprocessing"), "\(run.messages)")
    }
  }

  @Test func withJSONAFailureIsARecord() throws {
    for arguments in [["classify", picture, "--model", "nowhere"], ["inspect", "nowhere.tflite"]] {
      let run = try CommandRun(arguments + ["--json"])
      let line = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      #expect(run.exitCode == 3)
      #expect((line?["error"] as? String)?.contains("nowhere") == true)
    }
  }

  @Test func damagedPicturesSaySo() throws {
    var bytes = try FileBytes.read(Checkout.fixture("images/pictures/rgb.jpg").path)
    bytes.replaceSubrange((bytes.count * 3 / 4)..<(bytes.count * 3 / 4 + 2), with: [0xFF, 0xD9])
    let damaged = try folder.write("damaged.jpg", bytes)
    let clip = Checkout.modelFolder("clip")
    for command in [
      ["classify", damaged, "--model", model], ["zero-shot", damaged, "--model", clip, "--label", "a cat"],
      ["embed", "--image", damaged, "--model", clip],
    ] {
      let run = try CommandRun(command + ["--json"])
      let line = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      #expect(run.exitCode == 0)
      #expect((line?["damaged"] as? String)?.contains("JPEG data") == true)
      #expect(run.messages.contains("damaged.jpg: damaged:"))
      #expect(try CommandRun(command + ["--strict"]).exitCode == 3)
    }
    let small = try CommandRun(["classify", picture, "--model", model, "--pixel-limit", "3"])
    #expect(small.exitCode == 3 && small.messages.contains("--pixel-limit"))
  }
}
