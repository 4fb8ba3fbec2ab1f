import Apus
import Foundation
import ImageClassifierKit
import SentimentClassifierKit
import TestSupport
import Testing

/// Labels and metadata beside a model that are of another one are named, once, by the library and by commands.
@Suite struct PassedOverFileTests {
  private let folder: TemporaryFolder
  private let model: String
  private let picture: String
  private let notes = [
    "meta.json beside the model has input_size [224, 224], the model an input of [1, 4, 4, 3]: passed over",
    "labels.json beside the model has 4 labels, the model 3 classes: passed over",
  ]

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("colour.tflite", ColourModel.bytes(softmax: true))
    picture = try folder.write("pictures/a.png", FolderFixture.png)
    _ = try folder.write("labels.json", #"["a", "b", "c", "d"]"#)
    _ = try folder.write("meta.json", #"{"threshold_default": 0.99999, "input_size": [224, 224]}"#)
  }

  private func count(_ note: String, in messages: String) -> Int {
    messages.components(separatedBy: note).count - 1
  }

  @Test func theLibraryNamesThem() throws {
    let classifier = try ImageClassifier(model)
    #expect(classifier.notes == notes)
    #expect(!classifier.hasLabels && classifier.threshold == 0.75)
    let embedder = try ImageEmbedder(model)
    #expect(embedder.notes == [notes[0]])
    var options = ImageClassifier.Options()
    options.labels = try folder.write("three.txt", "red\ngreen\nblue\n")
    options.metadata = try folder.write("other.json", #"{"threshold_default": 0.9}"#)
    let named = try ImageClassifier(model, options: options)
    #expect(named.notes == [])
    let clip = try ZeroShotClassifier(Checkout.modelFolder("clip"))
    #expect(clip.notes == [])
  }

  @Test func aModelOfTextsNamesThem() throws {
    let copy = try TemporaryFolder(copying: Checkout.modelFolder("bert-classifier"))
    _ = try copy.write("meta.json", "[1]")
    let classifier = try TextClassifier(copy.path)
    #expect(classifier.notes == ["meta.json beside the model is no JSON object: passed over"])
  }

  @Test func theKitsNameThem() throws {
    let pictures = try ImageClassifierKit(model: model)
    #expect(pictures.notes == notes)
    let copy = try TemporaryFolder(copying: Checkout.modelFolder("distilbert-classifier"))
    try copy.write("meta.json", "[1]")
    let texts = try SentimentClassifierKit(model: copy.path)
    #expect(texts.notes == ["meta.json beside the model is no JSON object: passed over"])
    let words = SentimentClassifierKit(refused: ApusError(.file, "no model"))
    #expect(words.notes.isEmpty)
  }

  @Test(.enabled(if: CommandRun.isPossible, "needs the apus program"), arguments: [[], ["--json"]])
  func quantizeSaysItOnce(_ options: [String]) throws {
    for index in 0..<4 { try folder.write("pictures/\(index).png", FolderFixture.png) }
    let copy = try TemporaryFolder(copying: Checkout.modelFolder("vit"))
    try copy.write("meta.json", #"{"preprocessing": "tensorflow", "input_size": [9, 9]}"#)
    let note = try #require(try ImageClassifier(copy.path).notes.first)
    let run = try CommandRun(
      ["quantize", copy.path, folder.path + "/out", "--to", "int8", "--calibrate", folder.path + "/pictures"]
        + options)
    #expect(run.exitCode == 0, "\(run.messages)")
    #expect(count("apus: \(note)\n", in: run.messages) == 1, "\(run.messages)")
    #expect(!run.output.contains("passed over"))
  }

  @Test(.enabled(if: CommandRun.isPossible, "needs the apus program"), arguments: [[], ["--json"]])
  func classifySaysItOnce(_ options: [String]) throws {
    let run = try CommandRun(["classify", picture, picture, "--model", model] + options)
    #expect(run.exitCode == 0)
    for note in notes { #expect(count("apus: \(note)\n", in: run.messages) == 1, "\(run.messages)") }
    #expect(!run.output.contains("passed over"))
  }

  @Test(.enabled(if: CommandRun.isPossible, "needs the apus program")) func compareSaysItOfEachModel() throws
  {
    let other = try folder.write("other/softmax.tflite", ColourModel.bytes(softmax: false))
    let run = try CommandRun(["compare", model, other, "--data", folder.path + "/pictures"])
    #expect(run.exitCode == 0, "\(run.messages)")
    for note in notes {
      #expect(count("apus: \(model): \(note)\n", in: run.messages) == 1, "\(run.messages)")
    }
    #expect(!run.messages.contains("\(other): "))
    // A model that is compared with itself is one.
    let same = try CommandRun(["compare", model, model, "--data", folder.path + "/pictures"])
    for note in notes {
      #expect(count("apus: \(model): \(note)\n", in: same.messages) == 1, "\(same.messages)")
    }
  }

  @Test(.enabled(if: CommandRun.isPossible, "needs the apus program")) func aLabelThatWasCutIsShortened()
    throws
  {
    let label = String(repeating: "a cat on a mat ", count: 60)
    let run = try CommandRun([
      "zero-shot", picture, "--model", Checkout.modelFolder("clip"), "--label", label, "--label", "a dog",
    ])
    #expect(run.exitCode == 0, "\(run.messages)")
    let line = run.messages.split(separator: "\n").first { $0.contains("was cut") }
    let message = try #require(line)
    #expect(message.hasSuffix("…'") && message.count < 130, "\(message)")
  }
}
