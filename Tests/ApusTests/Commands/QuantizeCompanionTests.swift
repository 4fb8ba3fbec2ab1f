import Foundation
import TestSupport
import Testing

/// `apus quantize` as a shell sees it.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct QuantizeCompanionTests {
  private static let model = Checkout.file("Weights/rice-leaf/rice_v1_float32.tflite").path

  @Test func labelsOfAnotherModelAreSaidToBeReadWithTheNewOne() throws {
    let folder = try TemporaryFolder()
    try folder.write("out/labels.json", #"["a", "b"]"#)
    let command = ["quantize", Self.model, folder.path + "/out/half.tflite", "--to", "f16"]
    let run = try CommandRun(command)
    #expect(run.exitCode == 0 && run.output.contains("left out: labels.json"), "\(run.output)")
    #expect(
      run.messages.contains("half.tflite: it will be read with labels.json beside it, which differs"),
      "\(run.messages)")
    let again = try CommandRun(command + ["--force", "--json"])
    #expect(again.exitCode == 0 && again.messages.contains("read with labels.json"), "\(again.messages)")
  }

  @Test func theModelsOwnLabelsAreNoMatter() throws {
    let folder = try TemporaryFolder()
    for arguments in [[], ["--force"]] as [[String]] {
      let run = try CommandRun(
        ["quantize", Self.model, folder.path + "/half.tflite", "--to", "f16"] + arguments)
      #expect(run.exitCode == 0 && !run.messages.contains("read with"), "\(run.messages)")
    }
  }
}
