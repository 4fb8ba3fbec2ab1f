import Formats
import Foundation
import Images
import Networks
import TestSupport
import Testing

@testable import Apus

/// What a command says of many items is, in their order, what it says of each alone.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct CommandRowTests {
  private let folder: TemporaryFolder
  static let ways: [[String]] = (Precision.bfloat16.isAvailable ? ["f32", "bf16", "int8"] : ["f32", "int8"])
    .flatMap {
      precision in
      ["1", "2"].map { ["--precision", precision, "--threads", $0] }
    }

  init() throws { folder = try TemporaryFolder() }

  private func tolerance(_ way: [String]) -> Float { way.contains("f32") ? 1e-5 : 0.03 }

  private func array(_ name: String, _ tensor: Tensor) throws -> String {
    try folder.write(name, Npy.bytes(tensor))
  }

  /// The rows that `run` writes.
  private func run(_ arguments: [String]) throws -> [[Float]] {
    let output = "\(folder.path)/out"
    let run = try CommandRun(["run"] + arguments + ["--output-dir", output])
    #expect(run.exitCode == 0, "\(run.messages)")
    return try Npy.tensor(contentsOf: "\(output)/0.npy").rows()
  }

  /// Tokens of each text, the rest of its row filled up and masked.
  private func runTexts(_ model: String, _ texts: [[Int32]], _ way: [String]) throws -> [[Float]] {
    let width = texts.map(\.count).max() ?? 0
    let filled = { (row: [Int32]) in row + [Int32](repeating: 0, count: width - row.count) }
    let shape = try Shape([texts.count, width])
    let ids = try array("ids.npy", Tensor(texts.flatMap(filled), shape: shape))
    let mask = try array(
      "mask.npy", Tensor(texts.flatMap { filled([Int32](repeating: 1, count: $0.count)) }, shape: shape))
    return try run([model, "--input", "input_ids=\(ids)", "--input", "attention_mask=\(mask)"] + way)
  }

  /// Masks without the token whose features transformers takes, or without any; of SigLIP texts of another length.
  @Test(arguments: [
    ("bert-classifier", [0, 1, 1, 1], "the token that stands for the text"),
    ("roberta-classifier", [0, 1, 1, 1], "the token that stands for the text"),
    ("clip", [1, 1, 1, 0], "the token that stands for the text"),
    ("siglip", [0, 0, 0, 0], "every token is left out"),
    ("siglip", [1, 1, 1, 0], "with padding"),
  ])
  func otherMasksAreRefused(_ name: String, _ marks: [Int32], _ says: String) throws {
    let shape = try Shape([1, marks.count])
    // CLIP's token for the end of a text is the highest of all.
    let ids = try array("ids.npy", Tensor([5, 6, 7, 300] as [Int32], shape: shape))
    let mask = try array("mask.npy", Tensor(marks, shape: shape))
    let part = name.hasSuffix("lip") ? ["--part", "text"] : []
    let run = try CommandRun(
      ["run", Checkout.modelFolder(name), "--input", "input_ids=\(ids)", "--input", "attention_mask=\(mask)"]
        + part)
    #expect(run.exitCode == 2 || run.exitCode == 3, "\(run.messages)")
    #expect(run.messages.contains(says), "\(run.messages)")
  }

  /// Filled up at the left with the token that ends texts, of which the first stands for the text.
  @Test func paddingInPlaceOfTheTextIsRefused() throws {
    let model = Checkout.modelFolder("clip")
    func row(_ name: String, _ elements: [Int32]) throws -> String {
      try array(name, Tensor(elements, shape: Shape([1, elements.count])))
    }
    let arguments = [model, "--part", "text", "--input"]
    let ids = "input_ids=\(try row("ids.npy", [300, 300, 7, 300]))"
    let mask = "attention_mask=\(try row("mask.npy", [0, 0, 1, 1]))"
    let refused = try CommandRun(["run"] + arguments + [ids, "--input", mask])
    #expect(refused.exitCode == 2 && refused.messages.contains("on the right"), "\(refused.messages)")
    // Without a mask it is a token like any other, as in transformers.
    let alone = "input_ids=\(try row("alone.npy", [300]))"
    #expect(try run(arguments + [ids]) == run(arguments + [alone]))
  }

  /// Eight texts are one batch; with eighty of the lengths that the model takes there are several.
  @Test(arguments: ["bert-classifier", "bert-sentence"], ways)
  func runOfPaddedTexts(_ name: String, _ way: [String]) throws {
    let model = Checkout.modelFolder(name)
    let lengths = [6, 3, 4, 12, 2, 9]
    let texts = lengths.enumerated().map { index, length in
      (0..<length).map { Int32(5 + (7 * index + 3 * $0) % 50) }
    }
    let alone = try texts.map { try runTexts(model, [$0], way)[0] }
    expectRowsOfItems(try runTexts(model, texts, way), alone, tolerance: tolerance(way), "\(name) \(way)")
    let repeated = (0..<40).flatMap { _ in texts }
    let rows = try runTexts(model, repeated, way)
    #expect(rows.count == repeated.count)
    for first in stride(from: 0, to: rows.count, by: 6 * 13) where first + 6 <= rows.count {
      expectRowsOfItems(
        Array(rows[first..<(first + 6)]), alone, tolerance: tolerance(way), "\(name) \(way) at \(first)")
    }
  }

  @Test(arguments: ways)
  func runOfPictures(_ way: [String]) throws {
    let model = Checkout.modelFolder("clip")
    let extents = try OpenedModel(model).network(named: "image").inputTypes()[0].shape.dimensions
    let (height, width, channels) = (extents[1], extents[2], extents[3])
    let count = height * width * channels
    var random = SeededRandom(seed: 3)
    let pictures = (0..<3).map { _ in random.floats(count) }
    let rows = { (pictures: [[Float]]) in
      let tensor = try Tensor(
        pictures.flatMap(\.self), shape: Shape([pictures.count, channels, height, width]))
      return try run(
        [model, "--part", "image", "--input", "pixel_values=\(try array("x.npy", tensor))"] + way)
    }
    let alone = try pictures.map { try rows([$0])[0] }
    expectRowsOfItems(try rows(pictures), alone, tolerance: tolerance(way), "\(way)")
  }

  private static let texts = ["a long text about a cat on a chair", "one", "a dog in the snow", "two birds"]

  /// The field `key` of each line.
  private func lines(_ run: CommandRun) throws -> [[String: Any]] {
    #expect(run.exitCode == 0, "\(run.messages)")
    return try run.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// For each line the numbers of a list, in the order of the list's labels.
  private func scores(_ run: CommandRun, _ list: String, _ number: String) throws -> [[Float]] {
    try lines(run).map { line in
      let items = try #require(line[list] as? [[String: Any]])
      let sorted = items.sorted { ($0["label"] as? String ?? "") < ($1["label"] as? String ?? "") }
      return sorted.compactMap { ($0[number] as? Double).map(Float.init) }
    }
  }

  @Test(arguments: ways)
  func classifyText(_ way: [String]) throws {
    let arguments =
      ["classify-text", "-", "--model", Checkout.modelFolder("bert-classifier"), "--json"] + way
    let rows = { (texts: [String]) in
      try scores(
        CommandRun(arguments, input: texts.joined(separator: "\n") + "\n"), "predictions", "score")
    }
    let alone = try Self.texts.map { try rows([$0])[0] }
    expectRowsOfItems(try rows(Self.texts), alone, tolerance: tolerance(way), "\(way)")
  }

  private static let pictures = {
    let samples = Checkout.file("Weights/scenes/samples").path
    return PictureFiles.names(in: samples).prefix(4).map { "\(samples)/\($0)" }
  }()

  @Test(arguments: ways)
  func classify(_ way: [String]) throws {
    let arguments = ["--model", Checkout.modelFolder("vit"), "--json", "--top-k", "100"] + way
    let rows = { (pictures: [String]) in
      try scores(CommandRun(["classify"] + pictures + arguments), "predictions", "score")
    }
    let alone = try Self.pictures.map { try rows([$0])[0] }
    expectRowsOfItems(try rows(Self.pictures), alone, tolerance: tolerance(way), "\(way)")
    let list = try CommandRun(
      ["classify", "-"] + arguments, input: Self.pictures.joined(separator: "\n") + "\n")
    expectRowsOfItems(
      try scores(list, "predictions", "score"), alone, tolerance: tolerance(way), "\(way): a list")
  }

  @Test(arguments: ways)
  func zeroShot(_ way: [String]) throws {
    let rows = { (pictures: [String], labels: [String]) in
      try scores(
        CommandRun(
          ["zero-shot"] + pictures + ["--model", Checkout.modelFolder("clip"), "--json"]
            + labels.flatMap { ["--label", $0] } + way), "scores", "logit")
    }
    let labels = Self.texts.sorted()
    let alone = try Self.pictures.map { try rows([$0], labels)[0] }
    expectRowsOfItems(try rows(Self.pictures, labels), alone, tolerance: tolerance(way), "\(way)")
    // A label's logit does not depend on which others there are.
    let single = try labels.map { try rows([Self.pictures[0]], [$0])[0] }
    expectRowsOfItems(alone[0].map { [$0] }, single, tolerance: tolerance(way), "\(way): labels")
  }

  @Test(arguments: ["bert-classifier", "clip"])
  func tokenize(_ name: String) throws {
    let rows = { (texts: [String]) in
      let run = try CommandRun(
        ["tokenize", "--model", Checkout.modelFolder(name)], input: texts.joined(separator: "\n") + "\n")
      #expect(run.exitCode == 0, "\(run.messages)")
      return try run.output.split(separator: "\n").map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [Int]).map(Float.init)
      }
    }
    expectRowsOfItems(try rows(Self.texts), try Self.texts.map { try rows([$0])[0] }, tolerance: 0, "\(name)")
  }

  /// The baseline's and the other model's scores of each sample, whichever of them is run first.
  @Test(arguments: ways)
  func compare(_ way: [String]) throws {
    let model = Checkout.modelFolder("vit")
    let rows = { (pictures: [String]) in
      let list = try folder.write("list.csv", "path\n" + pictures.joined(separator: "\n") + "\n")
      let run = try CommandRun(
        ["compare", model, "\(model)@\(way[1])", "--data", list, "--json", "--threads", way[3]])
      let models = try #require(try lines(run)[0]["models"] as? [[String: Any]])
      let scores = try models.map { try #require($0["confidences"] as? [Double]).map(Float.init) }
      return pictures.indices.map { index in scores.map { $0[index] } }
    }
    let alone = try Self.pictures.map { try rows([$0])[0] }
    expectRowsOfItems(try rows(Self.pictures), alone, tolerance: tolerance(way), "\(way)")
  }

  @Test(arguments: ways)
  func embedTexts(_ way: [String]) throws {
    let rows = { (texts: [String]) in
      let file = "\(folder.path)/vectors.npy"
      let run = try CommandRun(
        ["embed", "--model", Checkout.modelFolder("bert-sentence"), "--output", file, "--text", "-"] + way,
        input: texts.joined(separator: "\n") + "\n")
      #expect(run.exitCode == 0, "\(run.messages)")
      return try Npy.tensor(contentsOf: file).rows()
    }
    let alone = try Self.texts.map { try rows([$0])[0] }
    expectRowsOfItems(try rows(Self.texts), alone, tolerance: tolerance(way), "\(way)")
  }
}
