import Apus
import Formats
import Foundation
import TestSupport
import Testing

/// Every command refuses a precision that the model is not computed in, and says in its JSON what it is computed with.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct ClaimTests {
  private let folder: TemporaryFolder
  private static let float32 = Checkout.file("Weights/rice-leaf/rice_v1_float32.tflite").path
  private static let picture = Checkout.file("Weights/scenes/samples").path

  init() throws { folder = try TemporaryFolder() }

  private func commands(_ model: String) throws -> [[String]] {
    try folder.write(
      "input.npy",
      Npy.bytes(Tensor([Float](repeating: 0, count: 224 * 224 * 3), shape: Shape([1, 224, 224, 3]))))
    return [
      ["classify", Self.picture, "--model", model], ["embed", "--image", Self.picture, "--model", model],
      ["run", model, "--input", "0=\(folder.path)/input.npy"], ["inspect", model],
      ["bench", "model", model, "--runs", "1", "--warmup", "0"],
    ]
  }

  @Test func filesInOtherNumbersAreRefused() throws {
    for precision in ["int8"] {
      for command in try commands(Self.float32) {
        let run = try CommandRun(command + ["--precision", precision])
        #expect(
          run.exitCode == 2 && run.messages.contains("the model multiplies float32, expected int8"),
          "\(command)")
      }
    }
    let run = try CommandRun(["compare", Self.float32, Self.float32 + "@int8", "--data", Self.picture])
    #expect(run.exitCode == 2 && run.messages.contains("the model multiplies float32, expected int8"))
  }

  /// The parts of a record's `computed`, by name, and the families of its kernels.
  private func computed(_ record: [String: Any]) throws -> (parts: [String: String], families: [String]) {
    let computed = try #require(record["computed"] as? [String: Any])
    let parts = try #require(computed["parts"] as? [[String: Any]])
    let kernels = try #require(computed["kernels"] as? [String: String])
    let names = parts.compactMap { part in
      (part["part"] as? String).map { ($0, part["precision"] as? String ?? "") }
    }
    #expect(parts.allSatisfy { ($0["products"] as? [String: [String]])?.isEmpty == false })
    return (Dictionary(uniqueKeysWithValues: names), kernels.keys.sorted())
  }

  private func expect(_ parts: [String: String], of arguments: [String]) throws {
    let run = try CommandRun(arguments + ["--json"])
    #expect(run.exitCode == 0, "\(run.messages)")
    let line = try #require(run.output.split(separator: "\n").first)
    let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    for record in record["models"] as? [[String: Any]] ?? [record] {
      let found = try computed(record)
      #expect(found.parts == parts && found.families == ["bfloat16", "float", "integer"], "\(arguments)")
    }
  }

  @Test func everyRecordSaysWhatIsComputed() throws {
    for command in try commands(Self.float32) { try expect(["main": "float32"], of: command) }
    try expect(["main": "float32"], of: ["compare", Self.float32, Self.float32, "--data", Self.picture])
    let both = ["image": "int8", "text": "int8"]
    let (clip, bert) = (Checkout.modelFolder("clip"), Checkout.modelFolder("bert-classifier"))
    try expect(
      both, of: ["zero-shot", Self.picture, "--model", clip, "--labels", "a,b", "--precision", "int8"])
    try expect(
      both, of: ["compare", clip + "@int8", clip + "@int8", "--data", Self.picture, "--labels", "a,b"])
    try expect(["text": "int8"], of: ["classify-text", "one", "--model", bert, "--precision", "int8"])
    try expect(
      ["text": "int8"],
      of: ["embed", "--text", "one", "--model", Checkout.modelFolder("bert-sentence"), "--precision", "int8"])
  }
}
