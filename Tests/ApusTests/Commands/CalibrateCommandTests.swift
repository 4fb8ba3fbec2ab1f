import TestSupport
import Testing

/// `apus calibrate` as a shell sees it.
@Suite(.enabled(if: CommandRun.isPossible))
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
}
