import Foundation
import TestSupport
import Testing

/// `quantize` as a shell sees it.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct QuantizeCommandTests {
  @Test func writesAFolderThatClassifies() throws {
    let scratch = try TemporaryFolder()
    let (input, output) = (Checkout.modelFolder("bert-classifier"), scratch.path + "/int8")
    let run = try CommandRun(["quantize", input, output, "--to", "int8"])
    #expect(run.exitCode == 0, "\(run.messages)")
    #expect(run.output.contains("matrix of a linear layer") && run.output.contains("SQNR"))
    for precision in ["f32", "int8"] {
      let texts = try CommandRun(["classify-text", "a film", "--model", output, "--precision", precision])
      #expect(texts.exitCode == 0, "\(texts.messages)")
    }
    let again = try CommandRun(["quantize", input, output, "--to", "f16"])
    #expect(again.exitCode == 2 && again.messages.contains("--force"))
    let forced = try CommandRun(["quantize", input, output, "--to", "f16", "--force", "--json"])
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(forced.output.utf8)) as? [String: Any])
    #expect(report["to"] as? String == "f16")
    let tensors = try #require(report["tensors"] as? [[String: Any]])
    #expect(tensors.allSatisfy { $0["reason"] is String && $0["role"] is String })
    #expect(tensors.contains { $0["to"] as? String == "float16" })
  }

  @Test func refusesWhatMakesNoSense() throws {
    let scratch = try TemporaryFolder()
    let (input, output) = (Checkout.modelFolder("vit"), scratch.path + "/out")
    #expect(try CommandRun(["quantize", input, output]).exitCode == 2)
    #expect(try CommandRun(["quantize", input, output, "--to", "int4", "--group-size", "48"]).exitCode == 2)
    #expect(try CommandRun(["quantize", input, output, "--to", "f16", "--keep", "x"]).exitCode == 2)
    #expect(try CommandRun(["quantize", scratch.path + "/none", output, "--to", "f16"]).exitCode == 3)
    #expect(try CommandRun(["quantize", input, scratch.path + "/no/way", "--to", "f16"]).exitCode == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
  }
}
