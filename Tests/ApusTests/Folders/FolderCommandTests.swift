import Foundation
import TestSupport
import Testing

/// The commands for model folders as a shell sees them.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct FolderCommandTests {
  private func json(_ line: Substring) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test func tokenizePrintsTheReferencesIDs() throws {
    for name in ["clip", "siglip", "bert-classifier", "roberta-classifier"] {
      let fixture = try FolderFixture(name)
      let encoder = JSONEncoder()
      let lines = try fixture.expected.texts.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
      let run = try CommandRun(
        ["tokenize", "--model", fixture.path, "--jsonl"], input: lines.joined(separator: "\n") + "\n")
      let found = try run.output.split(separator: "\n").map {
        try JSONDecoder().decode([Int32].self, from: Data($0.utf8))
      }
      #expect(found.count == fixture.expected.ids.count, "\(name): \(run.messages)")
      for (found, expected) in zip(found, fixture.expected.ids) {
        // The reference cuts texts to the model's length and ends them again.
        let isCut = found.count > expected.count
        #expect(isCut ? found.starts(with: expected.dropLast()) : found == expected, "\(name)")
      }
    }
  }

  @Test func tokenizeReportsALineThatIsNoString() throws {
    let run = try CommandRun(
      ["tokenize", "--model", Checkout.modelFolder("clip"), "--jsonl"], input: "\"fine\"\n[1]\n\"fine\"\n")
    #expect(run.exitCode == 5)
    #expect(run.messages.contains("line 2"))
    // An empty line stands for it, so that lines stay with their texts.
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4 && lines[0] == lines[2] && lines[1].isEmpty && !lines[0].isEmpty)
  }

  @Test func classifyTextReadsLinesAndReportsEmptyOnes() throws {
    let run = try CommandRun(
      ["classify-text", "-", "--model", Checkout.modelFolder("bert-classifier"), "--json"],
      input: "a good film\n\na dull film\n")
    #expect(run.exitCode == 5)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(try json(lines[0])["text"] as? String == "a good film")
    let first = try json(lines[0])
    let stages = try #require(first["stages"] as? [String: Double])
    #expect(Set(stages.keys) == ["tokenize", "run", "rank"])
    #expect(abs(stages.values.reduce(0, +) - (first["milliseconds"] as? Double ?? 0)) < 0.01)
    #expect(try json(lines[1])["error"] != nil)
    #expect(try (json(lines[2])["predictions"] as? [Any])?.count == 3)
    #expect(run.messages.contains("text 2"))
  }

  @Test func aNameThatIsEmptyIsShownAsTheNumber() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-classifier"))
    let configuration = try String(contentsOfFile: folder.path + "/config.json", encoding: .utf8)
    try folder.write("config.json", configuration.replacing("\"1\": \"2 stars\"", with: "\"1\": \"\""))
    let arguments = ["classify-text", "a good film", "--model", folder.path]
    let run = try CommandRun(arguments)
    #expect(run.exitCode == 0 && run.output.contains("class 1\n"), "\(run.messages)\(run.output)")
    let record = try json(CommandRun(arguments + ["--json"]).output[...])
    let predictions = try #require(record["predictions"] as? [[String: Any]])
    #expect(Set(predictions.compactMap { $0["label"] as? String }) == ["1 star", "", "3 stars"])
  }

  @Test func embedWritesARowForEachText() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/vectors.npy"
    let run = try CommandRun(
      [
        "embed", "--text", "one", "-", "--model", Checkout.modelFolder("bert-sentence"), "--output", file,
      ], input: "two\n\nthree\n")
    #expect(run.exitCode == 0, "\(run.messages)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(String(decoding: bytes.prefix(128), as: UTF8.self).contains("(4, 24)"))
    #expect(bytes.count == 128 + 4 * 24 * 4)
  }

  @Test func zeroShotGivesBothReadings() throws {
    let folder = try TemporaryFolder()
    let picture = try folder.write("picture.png", FolderFixture.png)
    let run = try CommandRun([
      "zero-shot", picture, "--model", Checkout.modelFolder("siglip"), "--labels", "a cat, a dog", "--label",
      "red, with spots", "--template", "a photo of {}", "--json",
    ])
    #expect(run.exitCode == 0, "\(run.messages)")
    let result = try json(try #require(run.output.split(separator: "\n").first))
    let scores = try #require(result["scores"] as? [[String: Any]])
    #expect(Set(scores.compactMap { $0["label"] as? String }) == ["a cat", "a dog", "red, with spots"])
    #expect(result["scoring"] as? String == "sigmoid")
    // Labels have their tokens before the first picture.
    let stages = try #require(result["stages"] as? [String: Double])
    #expect(Set(stages.keys) == ["decode", "preprocess", "run", "rank", "labels"])
    #expect(abs(stages.values.reduce(0, +) - (result["milliseconds"] as? Double ?? 0)) < 0.01)
    for score in scores {
      #expect(score["score"] as? Double == score["sigmoid"] as? Double)
      #expect(score["logit"] != nil && score["softmax"] != nil)
    }
  }

  @Test func zeroShotSaysWhichPicturesAreForeign() throws {
    let folder = try TemporaryFolder()
    let arguments = [
      "zero-shot", try folder.write("picture.png", FolderFixture.png), "--model",
      Checkout.file("Weights/scenes").path, "--labels", "a dog, a cat",
    ]
    let foreign = try json(CommandRun(arguments + ["--json"]).output[...])
    #expect(foreign["uncertain"] as? Bool == true && foreign["reason"] as? String == "foreign")
    #expect(foreign["novelty"] is Double)
    #expect(try CommandRun(arguments).output.contains("uncertain: unlike all that the model knows"))
    let accepted = try json(CommandRun(arguments + ["--json", "--accept-foreign"]).output[...])
    #expect(accepted["uncertain"] as? Bool == false && accepted["reason"] is NSNull)
    #expect(accepted["novelty"] == nil)
  }

  @Test func inspectTellsOfFoldersAndFiles() throws {
    let path = Checkout.modelFolder("clip")
    let both = try CommandRun(["inspect", path])
    #expect(
      both.exitCode == 0 && both.output.hasPrefix("image tower\n") && both.output.contains("\ntext tower\n"))
    #expect(both.output.contains("input 0 'pixel_values'") && both.output.contains("input 0 'input_ids'"))
    let parts = try #require(
      try json(CommandRun(["inspect", path, "--json"]).output[...])["parts"] as? [[String: Any]])
    #expect(
      parts.map { ($0["inputs"] as? [[String: Any]])?.first?["name"] as? String } == [
        "pixel_values", "input_ids",
      ])
    let tower = try CommandRun(["inspect", path, "--part", "text"])
    #expect(tower.exitCode == 0 && tower.output.contains("attention"))
    #expect(tower.output.contains("input 0 'input_ids': int64 or int32 [N, "))
    #expect(tower.output.contains("input 1 'attention_mask', optional: int64 or int32 [N, "))
    let image = try CommandRun(["inspect", path, "--part", "image", "--json"])
    let inputs = try #require(try json(image.output[...])["inputs"] as? [[String: Any]])
    #expect(inputs.map { $0["name"] as? String } == ["pixel_values"])
    #expect((inputs[0]["shape"] as? [Any])?.map { $0 as? Int } == [nil, 3, 24, 24])
    let file = try CommandRun(["inspect", path + "/model.safetensors", "--json"])
    let tensors = try #require(try json(file.output[...])["tensors"] as? [[String: Any]])
    #expect(tensors.contains { $0["name"] as? String == "logit_scale" })
  }
}
