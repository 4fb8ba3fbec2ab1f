import Formats
import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Apus

/// `similarity` gives the cosines of what `embed` gives, whichever way it is asked.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct SimilarityCommandTests {
  private static let texts = ["two red circles", "a dog", "-5 of them"]
  private let folder: TemporaryFolder
  private let pictures: [String]

  init() throws {
    folder = try TemporaryFolder()
    let samples = Checkout.file("Weights/scenes/samples").path
    pictures =
      ["three-red-circles.png"].map { "\(samples)/\($0)" } + [
        try folder.write("small.png", FolderFixture.png)
      ]
  }

  private func records(_ arguments: [String], input: String = "") throws -> [[String: Any]] {
    let run = try CommandRun(["similarity", "--json"] + arguments, input: input)
    #expect(run.exitCode == 0, "\(run.messages)")
    return try run.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func cosines(_ records: [[String: Any]]) throws -> [[Float]] {
    try records.map { try #require($0["cosines"] as? [Double]).map(Float.init) }
  }

  @Test func textsWithEachOther() throws {
    let model = Checkout.modelFolder("bert-sentence")
    let records = try records(["--model", model, "--text"] + Self.texts)
    #expect(records.map { $0["input"] as? String } == Self.texts)
    let found = try cosines(records)
    let vectors: [Embedding] = try TextEmbedder(model).blocking.embed(Self.texts)
    for (row, vector) in zip(found, vectors) { expectClose(row, vectors.map(vector.cosine), tolerance: 1e-6) }
    for (index, row) in found.enumerated() { #expect(abs(row[index] - 1) < 1e-6) }
  }

  @Test func picturesWithTexts() throws {
    let model = Checkout.modelFolder("clip")
    let records = try records(
      ["--model", model, "--image"] + pictures + ["--with-text", "-"],
      input: Self.texts.joined(separator: "\n") + "\n")
    #expect(records.map { $0["kind"] as? String } == ["image", "image"])
    let embedder = try ImageEmbedder(model).blocking
    let texts: [Embedding] = try TextEmbedder(model).blocking.embed(Self.texts)
    for (row, picture) in zip(try cosines(records), pictures) {
      let vector: Embedding = try embedder.embed(.file(picture))
      expectClose(row, texts.map(vector.cosine), tolerance: 1e-6)
    }
  }

  @Test func theNearestAreTheGreatestOfTheMatrix() throws {
    let model = ["--model", Checkout.modelFolder("clip")]
    let inputs = ["--text"] + Self.texts + ["--image"] + pictures
    let matrix = try cosines(try records(model + inputs))
    for (row, record) in try records(model + inputs + ["--nearest", "2"]).enumerated() {
      let nearest = try #require(record["nearest"] as? [[String: Any]])
      let found = nearest.compactMap { $0["index"] as? Int }
      let others = matrix[row].indices.filter { $0 != row }.sorted { matrix[row][$0] > matrix[row][$1] }
      #expect(found == Array(others.prefix(2)))
      #expect(nearest.map { ($0["cosine"] as? Double).map(Float.init) } == found.map { matrix[row][$0] })
    }
  }

  @Test func theArrayIsTheMatrix() throws {
    let file = folder.path + "/cosines.npy"
    let arguments = [
      "--model", Checkout.modelFolder("bert-sentence"), "--output", file, "--text", "one", "two",
    ]
    let matrix = try cosines(try records(arguments + Self.texts.map { "--with-text=\($0)" }))
    let tensor = try Npy.tensor(contentsOf: file)
    #expect(tensor.type.shape.dimensions == [2, 3])
    #expect(try tensor.elements(of: Float.self) == matrix.flatMap(\.self))
  }

  @Test func aPictureThatFailedHasNoCosines() throws {
    let file = folder.path + "/cosines.npy"
    let model = Checkout.modelFolder("clip")
    let run = try CommandRun(
      ["similarity", "--model", model, "--image", "nowhere.png", pictures[0], "--output", file, "--json"])
    #expect(run.exitCode == 5 && run.messages.contains("nowhere.png"))
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("\"error\"") && lines[1].contains("[null, "))
    #expect(
      try Npy.tensor(contentsOf: file).elements(of: Float.self).map(\.isNaN) == [true, true, true, false])
    let none = try CommandRun(["similarity", "--model", model, "--image", "nowhere.png", "--json"])
    #expect(none.exitCode == 3)
  }

  @Test func manyColumnsAreNumbered() throws {
    let texts = (0..<9).map { "text number \($0)" }
    let run = try CommandRun(
      ["similarity", "--model", Checkout.modelFolder("bert-sentence"), "--text"] + texts)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 10 && lines[0].split(separator: " ").map(String.init) == (1...9).map(String.init))
    #expect(lines[9].hasPrefix("9  text number 8  "))
  }

  /// The vectors of texts come first, whatever the order of the options.
  @Test func embedTakesTextsAndPictures() throws {
    let file = folder.path + "/vectors.npy"
    let model = Checkout.modelFolder("clip")
    let run = try CommandRun(
      [
        "embed", "--model", model, "--image", pictures[0], "--text", "a dog", "-5", "--output", file,
        "--json",
      ])
    #expect(run.exitCode == 0, "\(run.messages)")
    let rows = try Npy.tensor(contentsOf: file).rows()
    #expect(rows[0] == (try TextEmbedder(model).blocking.embed("a dog")).values)
    #expect(rows[2] == (try ImageEmbedder(model).blocking.embed(.file(pictures[0]))).values)
    let kinds = run.output.split(separator: "\n").map { $0.contains("\"kind\": \"text\"") }
    #expect(kinds == [true, true, false])
  }
}
