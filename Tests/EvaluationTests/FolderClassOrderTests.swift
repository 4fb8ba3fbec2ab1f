import Formats
import Models
import TensorCore
import TestSupport
import Testing

@testable import Evaluation

/// Folders that have the baseline's classes in another order, of which only the names of weights are known.
@Suite struct FolderClassOrderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var weights: [String: [Int]]
    /// What the other folder has besides, or in another shape; none for what it lacks.
    var changed: [String: [Int]] = [:]
    /// What the other folder has in the order of the labels.
    var reversed: Set<String> = []
    /// The matrices that are out of order.
    var named: [String] = []
  }

  private static let table = "embeddings.token_type_embeddings.weight"
  private static let bottleneck = ["encoder.adapter.weight": [2, 8], "encoder.adapter.bias": [2]]
  private static let head = ["classifier.weight": [2, 8], "classifier.bias": [2]]

  static let cases: [Case] = [
    Case(
      testDescription: "a table, and a head of another shape",
      weights: [table: [2, 8], "score.weight": [2, 8]],
      changed: ["score.weight": [2, 6]]),
    Case(
      testDescription: "a table, and the bias of such a head",
      weights: [table: [2, 8], "classifier.weight": [2, 8], "classifier.bias": [2]],
      changed: ["classifier.weight": [2, 6]]),
    Case(testDescription: "a table alone", weights: [table: [2, 8]]),
    Case(testDescription: "a matrix in a module alone", weights: ["encoder.types.weight": [2, 8]]),
    Case(
      testDescription: "a bottleneck, and a head of another name",
      weights: bottleneck.merging(head) { $1 },
      changed: ["classifier.weight": [], "classifier.bias": [], "score.weight": [2, 8]]),
    Case(
      testDescription: "a bottleneck before a head in order", weights: bottleneck.merging(head) { $1 },
      reversed: ["classifier.weight", "classifier.bias"]),
    Case(
      testDescription: "a bottleneck before a head without a bias",
      weights: bottleneck.merging(["score.weight": [2, 8]]) { $1 }),
    Case(
      testDescription: "a head beside a table", weights: head.merging([table: [2, 8]]) { $1 },
      named: ["classifier.weight"]),
    Case(
      testDescription: "a head without a bias", weights: ["score.weight": [2, 8], table: [2, 8]],
      named: ["score.weight"]),
    Case(
      testDescription: "one of two heads",
      weights: [
        "cls_classifier.weight": [2, 8], "cls_classifier.bias": [2],
        "distillation_classifier.weight": [2, 8], "distillation_classifier.bias": [2],
      ], reversed: ["cls_classifier.weight", "cls_classifier.bias"],
      named: ["distillation_classifier.weight"]),
  ]

  /// Where the labels are in the other order.
  @Test(arguments: cases) func onlyAHeadIsNamed(_ example: Case) throws {
    var weights = example.weights
    for layer in 0..<4 {
      weights["encoder.\(layer).weight"] = [8, 8]
      weights["encoder.\(layer).bias"] = [8]
    }
    let changed = weights.merging(example.changed) { $1 }.filter { !$0.value.isEmpty }
    let baseline = try Self.folder(weights)
    let other = try Self.folder(changed, reversed: example.reversed)
    let order = try #require(ClassOrder(["b", "a"], baseline: ["a", "b"]))
    let finds = WeightSearch(StoredPairs(baseline, other), order: order).finds
    let named = finds.map(\.name).filter { $0.hasSuffix(".weight") }
    #expect(named == example.named, "\(finds.map(\.statement))")
    let isOrder = finds.allSatisfy { $0.fault == .outOfOrder }
    #expect(isOrder, "\(finds.map(\.statement))")
  }

  /// Weights that are random by their names.
  /// - Parameter reversed: those with their rows in the other order.
  private static func folder(
    _ weights: [String: [Int]], reversed: Set<String> = []
  ) throws -> FolderWeights {
    var tensors: [(name: String, type: String, shape: [Int], bytes: [UInt8])] = []
    for (name, shape) in weights.sorted(by: { $0.key < $1.key }) {
      let seed = name.utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
      var random = SeededRandom(seed: seed)
      let width = shape.dropFirst().reduce(1, *)
      // So that rows, and the numbers of a bias, are unlike.
      let (first, rest): (ClosedRange<Float>, ClosedRange<Float>) = (0.5...1, -1 ... -0.5)
      var rows = [random.floats(width, first)]
      for _ in 1..<shape[0] { rows.append(random.floats(width, rest)) }
      if reversed.contains(name) { rows.reverse() }
      let bytes = SafetensorsBuilder.bytes(rows.flatMap(\.self))
      tensors.append((name: name, type: "F32", shape: shape, bytes: bytes))
    }
    let file = try SafetensorsFile(SafetensorsBuilder.file(tensors), named: "model.safetensors")
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) {
      try FolderWeights(ModelFolder(folder.path), SafetensorsCollection(file))
    }
  }
}
