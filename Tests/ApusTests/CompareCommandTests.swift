import Apus
import Foundation
import TestSupport
import Testing

/// `apus compare` as a shell sees it.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct CompareCommandTests {
  private let folder: TemporaryFolder
  private let pictures: String

  init() throws {
    folder = try TemporaryFolder()
    for name in ["blast/a.png", "blast/b.png", "tungro/c.png"] {
      try folder.write("pictures/\(name)", FolderFixture.png)
    }
    pictures = folder.path + "/pictures"
  }

  private func json(_ run: CommandRun) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  @Test func oneFolderAtTwoPrecisions() throws {
    let model = Checkout.modelFolder("vit")
    let run = try CommandRun(["compare", model, model + "@int8", "--data", pictures, "--json", "--seed", "7"])
    #expect(run.exitCode == 0, "\(run.messages)")
    #expect(run.output.split(separator: "\n").count == 1)
    let report = try json(run)
    let models = try #require(report["models"] as? [[String: Any]])
    #expect(models.map { $0["letter"] as? String } == ["A", "B"])
    #expect((models[1]["kind"] as? String)?.hasSuffix(", computed in int8") == true)
    let data = try #require(report["data"] as? [String: Any])
    #expect(data["matching"] as? String == "by name" && data["samples"] as? Int == 3)
    let accuracy = try #require(models[0]["accuracy"] as? [String: Any])
    #expect((accuracy["top1"] as? [String: Any])?["count"] as? Int == 3)
    let pairs = try #require(report["pairs"] as? [[String: Any]])
    #expect((pairs[0]["cosine"] as? [String: Any])?["mean"] as? Double ?? 0 > 0.99)
    let provenance = try #require(report["provenance"] as? [String: Any])
    #expect(provenance["seed"] as? Int == 7 && (provenance["arguments"] as? [String])?.first == "compare")
  }

  @Test func textsInATable() throws {
    let list = try folder.write("dev.tsv", "text\tlabel\na good film\t2 stars\na dull film\t1 star\n")
    let model = Checkout.modelFolder("bert-classifier")
    let run = try CommandRun(["compare", model, model + "@int8", "--data", list, "--first-divergence"])
    #expect(run.exitCode == 0, "\(run.messages)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("2 texts in") == true)
    #expect(lines.allSatisfy { $0.count <= 120 })
    for part in ["right (top-1)", "agreement", "layers of B against A", "uncertain below", "seed 1"] {
      #expect(run.output.contains(part), "no \(part)")
    }
  }

  /// Of one class in both, kappa is 0 of 0.
  @Test func oneSampleSaysNothingOfChance() throws {
    let list = try folder.write("one.tsv", "text\tlabel\na good film\t2 stars\n")
    let model = Checkout.modelFolder("bert-classifier")
    let arguments = ["compare", model, model, "--data", list]
    let run = try CommandRun(arguments)
    #expect(run.exitCode == 0, "\(run.messages)")
    #expect(run.output.contains("kappa –\n") && run.output.contains("for the one sample"))
    let report = try json(CommandRun(arguments + ["--json"]))
    #expect(report["apus"] is String)
    let pair = try #require((report["pairs"] as? [[String: Any]])?.first)
    #expect(pair["kappa"] is NSNull)
  }

  /// One answer that only one model has right can be divided in no other way: text, page and JSON say so.
  @Test func oneChangedAnswerIsAlwaysDividedSo() throws {
    let model = ColourModel.bytes(softmax: true)
    let first = try folder.write("first/colour.tflite", model)
    let other = try folder.write("other/colour.tflite", model)
    try folder.write("first/labels.txt", "red\ngreen\nblue\n")
    try folder.write("other/labels.txt", "green\nblue\nred\n")
    let picture = try folder.write("x.png", FolderFixture.png)
    let classified = try json(CommandRun(["classify", picture, "--model", first, "--json"]))
    let predictions = try #require(classified["predictions"] as? [[String: Any]])
    let label = try #require(predictions.first?["label"] as? String)
    try folder.write("one/\(label)/x.png", FolderFixture.png)
    let page = folder.path + "/page.html"
    let arguments = ["compare", first, other, "--data", folder.path + "/one"]
    let run = try CommandRun(arguments + ["--html", page])
    #expect(run.exitCode == 0, "\(run.messages)")
    let sentence = "1 answer that only one has right would split at least this unevenly always."
    #expect(
      run.output.replacing("\n", with: " ").contains("If both were equally good, \(sentence)"),
      "\(run.output)")
    #expect(
      try String(contentsOfFile: page, encoding: .utf8).replacing("\u{202F}", with: " ").contains(sentence))
    let pair = try #require(
      (try json(CommandRun(arguments + ["--json"]))["pairs"] as? [[String: Any]])?.first)
    #expect((pair["accuracy"] as? [String: Any])?["chance_of_split"] as? Double == 1)
  }

  @Test func labelsForAModelWithTwoTowers() throws {
    let model = Checkout.modelFolder("clip")
    let other = model + (Precision.bfloat16.isAvailable ? "@bf16" : "@int8")
    let run = try CommandRun([
      "compare", model, other, "--data", pictures, "--labels", "tungro, blast, blight",
      "--template",
      "a photo of {}", "--json", "--limit", "2", "--layers", "1",
    ])
    #expect(run.exitCode == 0, "\(run.messages)")
    let report = try json(run)
    #expect(report["task"] as? String == "zeroShot")
    let data = try #require(report["data"] as? [String: Any])
    #expect(data["classes"] as? [String] == ["tungro", "blast", "blight"])
    #expect(data["samples"] as? Int == 2 && data["available"] as? Int == 3)
    let layers = try #require(report["layers"] as? [[String: Any]])
    #expect(layers.count == 1 && (layers[0]["rows"] as? [Any])?.isEmpty == false)
  }

  @Test func theOtherTwoOfThreeModelsStandBesideEachOther() throws {
    let model = Checkout.modelFolder("vit")
    let arguments = ["compare", model, model + "@int8", model, "--data", pictures]
    let run = try CommandRun(arguments)
    #expect(run.exitCode == 0, "\(run.messages)")
    #expect(run.output.contains("\nC beside B: agreement "))
    #expect(run.output.contains("3 pairs are compared at once") || !run.output.contains("McNemar"))
    let further = try #require(
      try json(CommandRun(arguments + ["--json"]))["further_pairs"] as? [[String: Any]])
    #expect(further.count == 1 && further[0]["flips"] is [Any] && further[0]["speed"] is [String: Any])
  }

  @Test func aPageIsWritten() throws {
    let model = Checkout.modelFolder("vit")
    let page = folder.path + "/report.html"
    let run = try CommandRun(["compare", model, model + "@int8", "--data", pictures, "--html", page])
    #expect(run.exitCode == 0, "\(run.messages)")
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.contains("<svg") && text.contains("vit@int8"))
  }

  @Test func errorsSayWhatDoesNotFit() throws {
    let model = Checkout.modelFolder("vit")
    let alone = try CommandRun(["compare", model, "--data", pictures])
    #expect(alone.exitCode == 2 && alone.messages.contains("two models"))
    try folder.write("others/cat/x.png", FolderFixture.png)
    let labels = try CommandRun(["compare", model, model, "--data", folder.path + "/others"])
    #expect(labels.exitCode == 3)
    #expect(labels.messages.contains("'cat'") && labels.messages.contains("'blast'"))
    let list = try folder.write("list.csv", "pictures/blast/a.png,blast\npictures/missing.png,blast\n")
    let partly = try CommandRun(["compare", model, model, "--data", list])
    #expect(partly.exitCode == 5 && partly.messages.contains("missing.png"))
    #expect(partly.output.hasPrefix("1 of 2 pictures in"))
  }
}
