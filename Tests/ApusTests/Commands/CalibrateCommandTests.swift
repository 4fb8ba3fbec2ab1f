import Foundation
import TestSupport
import Testing

/// `apus calibrate` as a shell sees it.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct CalibrateCommandTests {
  /// Before anything is opened.
  @Test(arguments: [["--foreign", "0.1"], ["--none", "others", "--known", "0.9"]])
  func sharesThatNothingHeedsAreRefused(arguments: [String]) throws {
    let run = try CommandRun(["calibrate", "leaves.tflite", "--data", "pictures"] + arguments)
    #expect(run.exitCode == 2 && run.messages.contains("--none"), "\(run.messages)")
  }

  /// What a CLIP or SigLIP is right about depends on labels that are written later.
  @Test(arguments: [["--right", "0.9"], ["--labels", "names.txt"]])
  func whatIsForClassifiersIsRefusedOfOthers(arguments: [String]) throws {
    let model = Checkout.modelFolder("clip")
    let run = try CommandRun(["calibrate", model, "--data", "pictures"] + arguments)
    #expect(run.exitCode == 2 && run.messages.contains("takes any labels"), "\(run.messages)")
  }

  /// That the pictures are all the same is found when the model has seen them.
  @Test(
    .enabled(if: CommandRun.canBeNobody, "the program cannot be run as another user"),
    arguments: ["clip", "vit"])
  func whatCannotBeWrittenIsToldBeforeAnyWork(model: String) throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(model))
    let metadata = try folder.write("meta.json", "{}")
    let data = try TemporaryFolder()
    for index in 0..<10 {
      try data.write("\(index < 5 ? "blast" : "tungro")/\(index).png", FolderFixture.png)
    }
    let arguments = ["calibrate", folder.path, "--data", data.path]
    let problems: [(mode: mode_t, problem: String)] = [
      (0o444, "/meta.json: cannot be written: Permission denied"),
      (0o666, "/rejection.apus: cannot be created: Permission denied"),
    ]
    #expect(chmod(folder.path, 0o555) == 0)
    defer { _ = chmod(folder.path, 0o755) }
    for (mode, problem) in problems {
      #expect(chmod(metadata, mode) == 0)
      let run = try CommandRun(shell: "\(CommandRun.asNobody) \"$@\"", arguments)
      #expect(run.exitCode == 3 && run.messages.contains(problem), "\(run.messages)")
    }
  }
}
