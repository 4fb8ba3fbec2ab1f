import Foundation
import TestSupport
import Testing

@testable import Apus

/// What a facade says of many items is, in their order, what it says of each alone: in every precision, with any
/// number of threads. Items of different lengths are run in another order than they are given in.
@Suite struct FacadeRowTests {
  private static let texts = [
    "a long text about a cat that slept for most of the day on a red chair", "one", "a dog in the snow",
    "two birds", "the film was dull, and far too long for what it had to say", "a cat", "red",
    "three good films",
  ]
  private static let pictures = (0..<5).map { index in
    let pixels = (0..<(24 * 20 * 3)).map { UInt8(truncatingIfNeeded: ($0 &* (31 &+ 17 &* index)) >> 3) }
    return (try? RGBImage(width: 24, height: 20, pixels: pixels)).map(Picture.pixels) ?? .file("no picture")
  }
  static let ways: [(Precision, Int)] = Precision.allCases.filter(\.isAvailable).flatMap { precision in
    [1, 2, 3].map { (precision, $0) }
  }

  private func inference(_ way: (precision: Precision, threads: Int)) -> InferenceOptions {
    InferenceOptions(precision: way.precision, threads: way.threads)
  }

  /// A step of quantization may go the other way where sums differ in their last bit.
  private func tolerance(_ precision: Precision) -> Float { precision == .float32 ? 1e-5 : 0.03 }

  @Test(
    arguments: ["bert-sentence", "clip", "mpnet", "electra", "albert", "modernbert", "deberta", "siglip"],
    ways)
  func textEmbeddings(_ name: String, _ way: (Precision, Int)) throws {
    let embedder = try TextEmbedder(Checkout.modelFolder(name), options: .init(inference: inference(way)))
    let together = try embedder.blocking.embed(Self.texts).map(\.values)
    let alone = try Self.texts.map { try embedder.blocking.embed($0).values }
    expectRowsOfItems(together, alone, tolerance: tolerance(way.0), "\(name) \(way)")
  }

  @Test(arguments: ["bert-classifier", "distilbert-classifier", "roberta-classifier"], ways)
  func textClasses(_ name: String, _ way: (Precision, Int)) throws {
    let classifier = try TextClassifier(Checkout.modelFolder(name), options: .init(inference: inference(way)))
    let scores = { (result: TextClassification) in
      result.predictions.sorted { $0.index < $1.index }.map(\.score)
    }
    let together = try classifier.blocking.classify(Self.texts).map(scores)
    let alone = try Self.texts.map { scores(try classifier.blocking.classify($0)) }
    expectRowsOfItems(together, alone, tolerance: tolerance(way.0), "\(name) \(way)")
  }

  @Test(arguments: ["bert-sentence", "bert-classifier"], ways)
  func textsOfASession(_ name: String, _ way: (Precision, Int)) throws {
    let path = Checkout.modelFolder(name)
    let inference = InferenceOptions(precision: way.0, threads: way.1)
    let session = try InferenceSession(path, options: .init(inference: inference))
    let tokenizer = try Tokenizer(path)
    let rows = { (texts: [String]) in
      // The longest text that the model takes is what it states.
      let encodings = tokenizer.encode(
        texts, truncation: try tokenizer.truncation(to: session.inputs[0].shape[1]),
        padding: try tokenizer.padding())
      let outputs = try session.blocking.run([
        "input_ids": encodings.tensor(\.ids), "attention_mask": encodings.tensor(\.attentionMask),
      ])
      let (numbers, width) = (try outputs[0].tensor.elements(of: Float.self), outputs[0].tensor.shape[1])
      return texts.indices.map { Array(numbers[($0 * width)..<(($0 + 1) * width)]) }
    }
    let together = try rows(Self.texts)
    let alone = try Self.texts.map { try rows([$0])[0] }
    expectRowsOfItems(together, alone, tolerance: tolerance(way.0), "\(name) \(way)")
  }

  @Test(arguments: ["clip", "siglip"], ways)
  func labelsOfPictures(_ name: String, _ way: (Precision, Int)) async throws {
    var options = ZeroShotClassifier.Options()
    options.inference = inference(way)
    options.templates = ["{}", "a photo of {}"]
    let path = Checkout.modelFolder(name)
    let classifier = try ZeroShotClassifier(path, options: options)
    let together = try classifier.blocking.embed(labels: Self.texts).embeddings.map(\.values)
    // Each from a classifier of its own, which has no embedding yet.
    let alone = try Self.texts.map {
      try ZeroShotClassifier(path, options: options).blocking.embed(labels: [$0]).embeddings[0].values
    }
    expectRowsOfItems(together, alone, tolerance: tolerance(way.0), "\(name) \(way): labels")
    let logits = { (result: ZeroShotClassification) in
      result.predictions.sorted { $0.index < $1.index }.map(\.logit)
    }
    var batch: [[Float]] = []
    for await item in classifier.classifications(of: Self.pictures, labels: Self.texts, width: 3) {
      batch.append(logits(try item.result.get()))
    }
    let single = try Self.pictures.map { logits(try classifier.blocking.classify($0, labels: Self.texts)) }
    expectRowsOfItems(batch, single, tolerance: tolerance(way.0), "\(name) \(way): pictures")
  }

  @Test(arguments: ["vit", "mobilenetv2"], ways)
  func pictureClasses(_ name: String, _ way: (Precision, Int)) async throws {
    var options = ImageClassifier.Options()
    options.inference = inference(way)
    let classifier = try ImageClassifier(Checkout.modelFolder(name), options: options)
    let scores = { (result: Classification) in
      result.predictions.sorted { $0.index < $1.index }.map(\.score)
    }
    var batch: [[Float]] = []
    for await item in classifier.classifications(of: Self.pictures, topK: 100, width: 3) {
      batch.append(scores(try item.result.get()))
    }
    let alone = try Self.pictures.map { scores(try classifier.blocking.classify($0, topK: 100)) }
    expectRowsOfItems(batch, alone, tolerance: tolerance(way.0), "\(name) \(way)")
  }

  @Test(arguments: ways)
  func pictureEmbeddings(_ way: (Precision, Int)) async throws {
    var options = ImageEmbedder.Options()
    options.inference = inference(way)
    let embedder = try ImageEmbedder(Checkout.modelFolder("clip"), options: options)
    var batch: [[Float]] = []
    for await item in embedder.embeddings(of: Self.pictures, width: 3) {
      batch.append(try item.result.get().values)
    }
    let alone = try Self.pictures.map { try embedder.blocking.embed($0).values }
    expectRowsOfItems(batch, alone, tolerance: tolerance(way.0), "\(way)")
  }
}
