import Foundation
import TestSupport
import Testing

/// Labels, texts that look like options, and models that another command takes.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct TextArgumentTests {
  private let folder: TemporaryFolder
  private let picture: String
  private static let clip = Checkout.modelFolder("clip")

  init() throws {
    folder = try TemporaryFolder()
    picture = try folder.write("picture.png", FolderFixture.png)
  }

  private func labels(_ arguments: [String]) throws -> (found: Set<String>, messages: String) {
    let run = try CommandRun(["zero-shot", picture, "--model", Self.clip, "--json"] + arguments)
    #expect(run.exitCode == 0, "\(run.messages)")
    let record = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let scores = try #require(record?["scores"] as? [[String: Any]])
    #expect(Set(scores.compactMap { $0["index"] as? Int }) == Set(0..<scores.count))
    return (Set(scores.compactMap { $0["label"] as? String }), run.messages)
  }

  @Test func aFileOfLabelsIsRead() throws {
    let lines = try folder.write("labels.txt", "a cat, asleep\r\n\na dog\n")
    #expect(try labels(["--labels", lines]).found == ["a cat, asleep", "a dog"])
    let list = try folder.write("list.json", "[\"one\", \"two\"]")
    #expect(try labels(["--labels", list, "--label", "three"]).found == ["one", "two", "three"])
    let plain = try folder.write("plain", "x\ny\n")
    let (found, messages) = try labels(["--labels", plain])
    #expect(found == ["x", "y"] && messages.contains("labels are read from the file"))
  }

  @Test func aFileOfLabelsThatIsNotThereIsSaidSo() throws {
    let run = try CommandRun([
      "zero-shot", picture, "--model", Self.clip, "--labels", folder.path + "/none.txt",
    ])
    #expect(run.exitCode == 3)
    #expect(run.messages.contains("none.txt: cannot be opened") && run.messages.contains("--label."))
    #expect(try labels(["--label", "none.txt"]).found == ["none.txt"])
  }

  @Test func labelsGivenAgainCountOnce() throws {
    let (found, messages) = try labels(["--labels", "a, b, a", "--label", "b"])
    #expect(found == ["a", "b"])
    #expect(messages.contains("labels given again are left out: 'a', 'b'"))
  }

  @Test func labelsThatWereCutAreNamedOnce() throws {
    let long = String(repeating: "word ", count: 80) + "end"
    let run = try CommandRun([
      "zero-shot", picture, picture, "--model", Self.clip, "--label", long, "--label", "short", "--json",
    ])
    #expect(run.exitCode == 0)
    #expect(run.messages.components(separatedBy: "longer than the model takes").count == 2, "\(run.messages)")
    #expect(run.output.contains("\"truncated\": true") && run.output.contains("\"truncated\": false"))
  }

  @Test func belowTheThresholdAPictureIsUncertain() throws {
    for (threshold, word) in [("0", "false"), ("1", "true")] {
      let run = try CommandRun([
        "zero-shot", picture, "--model", Self.clip, "--labels", "a, b", "--threshold", threshold, "--json",
      ])
      #expect(run.output.contains("\"uncertain\": \(word)"), "\(run.messages)")
    }
  }

  @Test(arguments: [
    ["--text", "-5 stars", "good"], ["--text=-5 stars", "good"], ["--text", "-5 stars", "--text", "good"],
  ])
  func textsMayBeginWithADash(_ arguments: [String]) throws {
    let run = try CommandRun(["embed", "--model", Self.clip, "--json"] + arguments)
    #expect(run.exitCode == 0, "\(run.messages)")
    let inputs = run.output.split(separator: "\n").map { $0.contains("\"input\": \"-5 stars\"") }
    #expect(inputs == [true, false])
  }

  @Test func optionsAfterTextsAreOptions() throws {
    let run = try CommandRun(["embed", "--text", "-1.5", "-0", "--json", "--model", Self.clip])
    #expect(run.exitCode == 0 && run.output.contains("\"input\": \"-1.5\""), "\(run.messages)")
    #expect(run.output.split(separator: "\n").count == 1)
    #expect(
      try labels(["--label", "- a list", "--label=-x", "--template", "-{} "]).found == ["- a list", "-x"])
  }

  @Test func whatLooksLikeAnOptionIsExplained() throws {
    let model = Checkout.modelFolder("bert-classifier")
    let unknown = try CommandRun(["classify-text", "-5 stars", "--model", model])
    #expect(unknown.exitCode == 2 && unknown.messages.contains("stands at the end, after --"))
    let after = try CommandRun(["classify-text", "--model", model, "--", "-5 stars", "--json"])
    #expect(after.exitCode == 0 && after.output.contains("-5 stars") && after.output.contains("--json"))
    let missing = try CommandRun(["embed", "--model", model, "--text", "-x"])
    #expect(missing.exitCode == 2 && missing.messages.contains("--text=TEXT"))
  }

  @Test(arguments: [("--logit-scale", "-1"), ("--threshold", "-0.5"), ("--html", "-x.html")])
  func anyValueThatLooksLikeAnOptionIsExplained(_ option: String, _ value: String) throws {
    let command = ["zero-shot", picture, "--model", Self.clip, "--labels", "a"]
    let run = try CommandRun(command + [option, value])
    #expect(run.exitCode == 2)
    #expect(run.messages.contains("A value that begins with - is written \(option)=VALUE."))
    let absent = try CommandRun(command + [option])
    #expect(absent.exitCode == 2 && !absent.messages.contains("=VALUE"), "\(absent.messages)")
    let forgotten = try CommandRun(command + [option, "--json"])
    #expect(forgotten.exitCode == 2 && !forgotten.messages.contains("=VALUE"), "\(forgotten.messages)")
  }

  @Test func theLabelStandsInEachPlaceOfATemplate() throws {
    let help = try CommandRun(["zero-shot", "--help"]).output.split(whereSeparator: \.isWhitespace)
    #expect(help.joined(separator: " ").contains("{} wherever the label goes"))
    let twice = try logits(["--labels", "cat, dog", "--template", "{} and {}"])
    #expect(twice.count == 2)
    #expect(try twice == logits(["--labels", "cat and cat, dog and dog", "--template", "{}"]))
    #expect(try twice != logits(["--labels", "cat, dog", "--template", "{} and"]))
  }

  /// In the order of the labels.
  private func logits(_ arguments: [String]) throws -> [Double] {
    let run = try CommandRun(["zero-shot", picture, "--model", Self.clip, "--json"] + arguments)
    let record = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let scores = try #require(record?["scores"] as? [[String: Any]])
    let logits = scores.compactMap { score in
      (score["index"] as? Int).flatMap { index in (score["logit"] as? Double).map { (index, $0) } }
    }
    return logits.sorted { $0.0 < $1.0 }.map(\.1)
  }

  @Test(arguments: [
    (["embed", "--text", "x"], "bert-classifier", "'apus classify-text'"),
    (["embed", "--image", "x.png"], "vit", "'apus classify'"),
    (["classify", "x.png"], "clip", "'apus zero-shot'"),
    (["zero-shot", "x.png", "--labels", "a"], "bert-sentence", "'apus embed --text'"),
    (["classify-text", "x"], "vit", "'apus classify'"),
  ])
  func aModelForAnotherCommandNamesIt(_ arguments: [String], _ model: String, _ command: String) throws {
    let run = try CommandRun(arguments + ["--model", Checkout.modelFolder(model)])
    #expect(run.exitCode == 4)
    #expect(run.messages.contains("It is one for") && run.messages.contains(command), "\(run.messages)")
  }

  @Test func aFolderOfFilesNamesThem() throws {
    let models = Checkout.file("Weights/rice-leaf").path
    let run = try CommandRun(["classify", picture, "--model", models])
    #expect(run.exitCode == 3)
    #expect(run.messages.contains("a folder with 3 .tflite files"))
    #expect(run.messages.contains("\(models)/rice_v1_fp16.tflite"))
  }

  @Test func withoutAProcessorAProfileMayBeNamed() throws {
    let copy = try TemporaryFolder(copying: Self.clip)
    try FileManager.default.removeItem(atPath: copy.path + "/preprocessor_config.json")
    for command in [["embed", "--image", picture], ["zero-shot", picture, "--labels", "a"]] {
      let run = try CommandRun(command + ["--model", copy.path])
      #expect(run.exitCode == 3 && run.messages.contains("--preprocess"), "\(run.messages)")
      let named = try CommandRun(command + ["--model", copy.path, "--preprocess", "clip", "--json"])
      #expect(named.exitCode == 0, "\(named.messages)")
    }
  }
}
