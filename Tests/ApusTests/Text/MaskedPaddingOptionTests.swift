import Formats
import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Apus

/// SigLIP with padding masked, as transformers computes it of texts that come with an attention mask.
@Suite struct MaskedPaddingOptionTests {
  /// What PyTorch makes of ids with masks; the first are the fixture's texts with their padding masked.
  private struct Masked: Decodable {
    let ids: [[Int32]]
    let masks: [[Int32]]
    let rows: [Float]

    init(_ name: String) throws {
      let url = URL(fileURLWithPath: Checkout.modelFolder(name)).appendingPathComponent("masked.json")
      self = try JSONDecoder().decode(Masked.self, from: Data(contentsOf: url))
    }

    /// The numbers of one text.
    subscript(text: Int) -> [Float] {
      let width = rows.count / ids.count
      return Array(rows[(text * width)..<((text + 1) * width)])
    }

    func tensor(_ elements: [[Int32]]) throws -> Tensor {
      try Tensor(elements.flatMap(\.self), shape: [elements.count, elements[0].count])
    }
  }

  private func options(_ precision: Precision = .float32) -> TextEmbedder.Options {
    var options = TextEmbedder.Options(length: .raw)
    options.masksPadding = true
    options.inference.precision = precision
    return options
  }

  @Test(arguments: ["siglip", "siglip2", "siglip-text"])
  func textsAreEmbeddedAsPyTorchDoes(_ name: String) throws {
    let (fixture, masked) = (try FolderFixture(name), try Masked(name))
    let embedder = try TextEmbedder(fixture.path, options: options())
    let found = try embedder.blocking.embed(fixture.expected.texts)
    for (text, embedding) in found.enumerated() { expectClose(embedding.values, masked[text]) }
    let encodings = fixture.expected.texts.map { embedder.encode($0) }
    #expect(try embedder.blocking.embed(encodings: encodings) == found)
  }

  @Test(arguments: [(Precision.bfloat16, Float(0.999)), (.int8, 0.99)].filter { $0.0.isAvailable })
  func otherPrecisionsComeClose(_ precision: Precision, _ cosine: Float) throws {
    let (fixture, masked) = (try FolderFixture("siglip"), try Masked("siglip"))
    let embedder = try TextEmbedder(fixture.path, options: options(precision))
    for (text, embedding) in try embedder.blocking.embed(fixture.expected.texts).enumerated() {
      #expect(embedding.cosine(Embedding(masked[text])) > cosine)
    }
  }

  /// Labels are kept by each model, so that those of one way are not taken for the other's.
  @Test func labelsOfAZeroShotClassifier() throws {
    let (fixture, masked) = (try FolderFixture("siglip"), try Masked("siglip"))
    var options = ZeroShotClassifier.Options()
    let plain = try ZeroShotClassifier(fixture.path, options: options)
    options.masksPadding = true
    let classifier = try ZeroShotClassifier(fixture.path, options: options)
    let labels = fixture.expected.texts
    let found = try classifier.blocking.embed(labels: labels).embeddings
    for (label, embedding) in found.enumerated() {
      expectClose(embedding.values, Vectors.unit(masked[label]))
    }
    let others = try plain.blocking.embed(labels: labels).embeddings
    for (embedding, row) in zip(others, try fixture.rows(fixture.expected.text_embeddings)) {
      expectClose(embedding.values, Vectors.unit(row))
    }
    let image = try ImageEmbedder(fixture.path).blocking.embed(FolderFixture.picture)
    let result = try classifier.blocking.classify(FolderFixture.picture, labels: labels)
    let scale = try #require(fixture.expected.logit_scale)
    for score in result.predictions {
      let logit = image.cosine(Embedding(masked[score.index])) * scale + (fixture.expected.logit_bias ?? 0)
      #expect(abs(score.logit - logit) < 1e-4)
    }
  }

  /// A call may have the other way than the model was opened with, to the last bit, and neither way's labels are the other's.
  @Test(arguments: [false, true])
  func aCallSaysItToo(_ opensMasked: Bool) throws {
    let fixture = try FolderFixture("siglip")
    let texts = fixture.expected.texts
    let embedder = try TextEmbedder(fixture.path, options: opensMasked ? options() : .init(length: .raw))
    let other = try TextEmbedder(fixture.path, options: opensMasked ? .init(length: .raw) : options())
    let encodings = texts.map { embedder.encode($0) }
    let own = try embedder.blocking.embed(texts)
    #expect(try embedder.blocking.embed(encodings: encodings, masksPadding: opensMasked) == own)
    #expect(
      try embedder.blocking.embed(encodings: encodings, masksPadding: !opensMasked)
        == other.blocking.embed(texts))
    for _ in 0..<2 {
      #expect(
        try embedder.blocking.embed(labels: texts, masksPadding: !opensMasked)
          == other.blocking.embed(labels: texts))
      #expect(
        try embedder.blocking.embed(labels: texts)
          == embedder.blocking.embed(labels: texts, masksPadding: opensMasked))
    }
  }

  @Test func aReadingSaysItToo() throws {
    let fixture = try FolderFixture("siglip")
    let labels = fixture.expected.texts
    let plain = try ZeroShotClassifier(fixture.path)
    var options = ZeroShotClassifier.Options()
    options.masksPadding = true
    let masked = try ZeroShotClassifier(fixture.path, options: options)
    func scores(_ classifier: ZeroShotClassifier, _ masks: Bool?) throws -> [LabelScore] {
      try classifier.blocking.classify(
        FolderFixture.picture, labels: labels, reading: ZeroShotReading(masksPadding: masks)
      ).predictions
    }
    let (own, others) = (try scores(plain, nil), try scores(masked, nil))
    #expect(own != others)
    #expect(try scores(plain, true) == others && scores(masked, false) == own)
    let embedded = try plain.blocking.embed(labels: labels, masksPadding: true)
    #expect(try embedded == masked.blocking.embed(labels: labels))
    let result = try plain.blocking.classify(FolderFixture.picture, among: embedded)
    #expect(result.predictions == others)
    let error = try #require(throws: ApusError.self) {
      try plain.blocking.classify(
        FolderFixture.picture, among: embedded, reading: ZeroShotReading(masksPadding: true))
    }
    #expect(error.kind == .argument && "\(error)".contains("embedded before"), "\(error)")
    let clip = try ZeroShotClassifier(Checkout.modelFolder("clip"))
    let refused = try #require(throws: ApusError.self) { try scores(clip, true) }
    #expect(refused.kind == .argument && "\(refused)".contains("no difference"), "\(refused)")
    #expect(try scores(clip, false) == scores(clip, nil))
  }

  @Test func aSessionTakesAMask() throws {
    let masked = try Masked("siglip")
    let session = try InferenceSession(Checkout.modelFolder("siglip"), options: .init(network: "text"))
    let ids = try masked.tensor(masked.ids)
    let found = try session.blocking.run(["input_ids": ids, "attention_mask": masked.tensor(masked.masks)])
    expectClose(try found[0].tensor.elements(), masked.rows)
    let plain = try session.blocking.run(["input_ids": ids])[0].tensor.elements(of: Float.self)
    let ones = try masked.tensor(masked.ids.map { [Int32](repeating: 1, count: $0.count) })
    let whole = try session.blocking.run(["input_ids": ids, "attention_mask": ones])
    #expect(try whole[0].tensor.elements(of: Float.self) == plain)
    let none = try masked.tensor(masked.ids.map { [Int32](repeating: 0, count: $0.count) })
    let error = try #require(throws: ApusError.self) {
      try session.blocking.run(["input_ids": ids, "attention_mask": none])
    }
    #expect(error.kind == .argument && "\(error)".contains("every token is left out"), "\(error)")
  }

  /// Without the option nothing changed: the default of transformers.
  @Test func paddingIsAttendedUnlessAsked() throws {
    let fixture = try FolderFixture("siglip")
    let found = try TextEmbedder(fixture.path, options: .init(length: .raw)).blocking.embed(
      fixture.expected.texts)
    for (embedding, row) in zip(found, try fixture.rows(fixture.expected.text_embeddings)) {
      expectClose(embedding.values, row)
    }
    #expect(!TextEmbedder.Options().masksPadding && !ZeroShotClassifier.Options().masksPadding)
  }

  /// A tokenizer that puts no tokens around texts leaves padding alone of an empty one.
  @Test func aTextOfPaddingAloneIsRefused() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("siglip-text"))
    let file = URL(fileURLWithPath: folder.path + "/tokenizer.json")
    var json = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    json["post_processor"] = NSNull()
    try JSONSerialization.data(withJSONObject: json).write(to: file)
    try folder.write(
      "tokenizer_config.json",
      #"{"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 12, "pad_token": "</s>"}"#)
    let embedder = try TextEmbedder(folder.path, options: options())
    let error = try #require(throws: ApusError.self) { try embedder.blocking.embed(["a cat", ""]) }
    #expect(error.kind == .argument && error.location == "text 1", "\(error)")
    #expect(error.problem == "the text has no tokens")
  }

  @Test(arguments: [
    ("bert-sentence", "never attends it"), ("clip", "no difference"), ("clip-text", "no difference"),
  ])
  func modelsForWhichItMakesNoDifferenceRefuseIt(_ name: String, _ reason: String) throws {
    let path = Checkout.modelFolder(name)
    let error = try #require(throws: ApusError.self) { try TextEmbedder(path, options: options()) }
    #expect(error.kind == .argument && error.file == path, "\(error)")
    #expect("\(error)".contains(reason) && "\(error)".contains("SigLIP"), "\(error)")
  }

  @Test func aZeroShotClassifierThatIsNoSigLIPRefusesIt() throws {
    for name in ["clip", "open-clip"] {
      var options = ZeroShotClassifier.Options()
      options.masksPadding = true
      let error = try #require(throws: ApusError.self) {
        try ZeroShotClassifier(Checkout.modelFolder(name), options: options)
      }
      #expect(error.kind == .argument && "\(error)".contains("no difference"), "\(error)")
    }
  }
}

/// The same of the commands.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct MaskPaddingCommandTests {
  private let siglip = Checkout.modelFolder("siglip")

  @Test func embedWritesTheMaskedVectors() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/vectors.npy"
    let texts = ["a photo of a cat", "a dog"]
    let run = try CommandRun(
      ["embed", "--model", siglip, "--mask-padding", "--output", file, "--text"] + texts)
    #expect(run.exitCode == 0, "\(run.messages)")
    var options = TextEmbedder.Options()
    options.masksPadding = true
    let expected = try TextEmbedder(siglip, options: options).blocking.embed(texts).map(\.values)
    let rows = try Npy.tensor(contentsOf: file).rows()
    #expect(rows == expected)
    let plain = try TextEmbedder(siglip).blocking.embed(texts).map(\.values)
    #expect(rows != plain)
  }

  @Test func zeroShotTakesTheFlag() throws {
    let folder = try TemporaryFolder()
    let picture = try folder.write("small.png", FolderFixture.png)
    func output(_ model: String, _ flags: [String]) throws -> CommandRun {
      try CommandRun(
        ["zero-shot", picture, "--model", model, "--labels", "a cat, a dog", "--json"] + flags)
    }
    let (plain, masked) = (try output(siglip, []), try output(siglip, ["--mask-padding"]))
    #expect(plain.exitCode == 0 && masked.exitCode == 0, "\(masked.messages)")
    #expect(plain.output != masked.output)
    let refused = try output(Checkout.modelFolder("clip"), ["--mask-padding"])
    #expect(refused.exitCode == 2 && refused.messages.contains("no difference"), "\(refused.messages)")
  }

  @Test func similarityTakesTheFlagForTexts() throws {
    let arguments = ["similarity", "--model", siglip, "--mask-padding"]
    let run = try CommandRun(arguments + ["--text", "a cat", "a dog"])
    #expect(run.exitCode == 0, "\(run.messages)")
    let pictures = try CommandRun(arguments + ["--image", "a.png"])
    #expect(pictures.exitCode == 2 && pictures.messages.contains("is for texts"), "\(pictures.messages)")
  }
}
