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
}
