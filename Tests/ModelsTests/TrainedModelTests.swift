import Foundation
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Formats
@testable import Models

/// Trained models give the numbers that NumPy gives in float64.
struct TrainedModelTests {
  /// Where `Tools/fixtures/fetch-minilm` puts the model, or `$APUS_MINILM`; nil when there is none.
  static let miniLM: String? = {
    let candidates: [String?] = [
      ProcessInfo.processInfo.environment["APUS_MINILM"],
      Checkout.file(".build/models/all-MiniLM-L6-v2").path,
    ]
    return candidates.compactMap { $0 }.first {
      FileManager.default.fileExists(atPath: $0 + "/model.safetensors")
    }
  }()

  @Test(
    .enabled(
      if: SharedData.isPresent && miniLM != nil, "needs the shared data and Tools/fixtures/fetch-minilm"))
  func miniLMGivesItsReferenceEmbeddings() throws {
    let folder = try ModelFolder(#require(Self.miniLM))
    let model = try ModelArchitecture.load(folder)
    guard case .encoder(normalizes: true) = model.outputs, let tower = model.text else {
      throw ApusError(.unsupportedModel, "no text encoder")
    }
    #expect(tower.maximumTokens == 256)
    let texts = try ConfigurationReader(contentsOf: SharedData.path("minilm/reference_texts.json"))
    let rows = try #require(try texts.optionalList("rows", of: "texts") { $0["ids"] })
    let ids = rows.map { row -> [Int32] in
      guard case .array(let numbers) = row else { return [] }
      return numbers.compactMap { $0.int.map { Int32($0) } }
    }
    let expected: [Float] = try Npy.tensor(contentsOf: SharedData.path("minilm/reference_embeddings.npy"))
      .elements()
    let found = try ModelFixture.run(tower, ids)
    let width = tower.outputWidth
    #expect(found.count == expected.count && width == 384)
    for row in ids.indices {
      let range = row * width..<(row + 1) * width
      #expect(cosine(found[range], expected[range]) >= 0.999_999, "text \(row)")
    }
  }

  private func cosine(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Double {
    let dot = { (x: ArraySlice<Float>, y: ArraySlice<Float>) in
      zip(x, y).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
    }
    return dot(a, b) / (dot(a, a) * dot(b, b)).squareRoot()
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared data"))
  func aSmallVisionTransformerReadsThreeDigits() throws {
    let root = "vit_small/converted/vit_mnist_012_hf"
    let model = try ModelArchitecture.load(ModelFolder(SharedData.path(root)))
    guard case .classifier(let labels, _) = model.outputs, let tower = model.image else {
      throw ApusError(.unsupportedModel, "no image classifier")
    }
    #expect(labels == ["0", "1", "2"] && tower.channels == 1)
    let digits = try HandwrittenDigits(labels: 0...2)
    let expected = try ExpectedDigits("\(root)/expected.json")
    try expected.check(
      tower.graph, digits, wholeAccuracy: "accuracy_all_t10k_012", over: digits.indices)
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared data"))
  func aVisionTransformerOfAnotherLayoutReadsTenDigits() throws {
    let root = "vit_small/converted/vit_mnist_10class"
    let weights = WeightPath(
      try SafetensorsCollection(contentsOf: SharedData.path("\(root)_raw.safetensors")))
    let digits = try HandwrittenDigits(labels: 0...9)
    let expected = try ExpectedDigits("\(root)_expected.json")
    try expected.check(
      { (batch) throws(ApusError) in try PlainViT(weights: weights).graph(batch: batch) }, digits,
      wholeAccuracy: "accuracy_first_1000", over: Array(0..<1000))
  }
}

/// A vision transformer with heads wider than their share, no offsets in its projections, and patches that a linear
/// layer embeds: the layers of `Models` make it too.
private struct PlainViT {
  let weights: WeightPath
  private let width = 64
  private let heads = 4
  private let headWidth = 64
  private let expanded = 128

  init(weights: WeightPath) { self.weights = weights }

  func graph(batch: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let pixels = graph.input("pixel_values", TensorType(.float32, try Shape([batch, 28, 28, 1])))
    let matrix = try weights.tensor("to_patch_embedding.1.weight", [width, 16])
    let filters = graph.constant(
      "filters", try matrix.reinterpreted(as: TensorType(.float32, Shape([width, 4, 4, 1]))))
    let bias = try graph.float32(weights, "to_patch_embedding.1.bias", [width])
    var x = try graph.apply(
      Convolution2D(padding: .valid, strideY: 4, strideX: 4), [pixels, filters, bias], at: "patches")
    x = try graph.reshape(x, [batch, 49, width], at: "patches as rows")
    x = try graph.prepend([graph.float32(weights, "cls_token", [1, 1, width])], to: x, at: "tokens")
    x = try graph.sum(x, graph.float32(weights, "pos_embedding", [1, 50, width]), at: "positions")
    x = try graph.reshape(x, [batch * 50, width], at: "rows")
    let segments = try Segments(count: batch, length: 50, in: &graph)
    for index in 0..<6 { x = try layer(x, segments, weights["transformer.layers"][index], in: &graph) }
    x = try graph.gather(x, graph.indices((0..<batch).map { $0 * 50 }, at: "first"), at: "class tokens")
    x = try graph.layerNorm(x, weights["mlp_head.0"], epsilon: 1e-5)
    graph.output(try graph.linear(x, weights["mlp_head.1"], outputs: 10))
    return graph.graph
  }

  private func layer(
    _ x: Value, _ segments: Segments, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let inner = heads * headWidth
    let normal = try graph.layerNorm(x, weights["0.norm"], epsilon: 1e-5)
    let all = try graph.linear(normal, weights["0.fn.to_qkv"], outputs: 3 * inner, hasBias: false)
    let attention = Attention(
      heads: heads, headWidth: headWidth, scale: 0.125, isCausal: false, keyOffset: inner,
      valueOffset: 2 * inner)
    let attended = try graph.apply(
      attention, [all, all, all, segments.bounds, segments.bounds], at: weights.key("attention"))
    let x = try graph.sum(
      x, graph.linear(attended, weights["0.fn.to_out.0"], outputs: width), at: "first sum")
    let second = try graph.layerNorm(x, weights["1.norm"], epsilon: 1e-5)
    let wide = try graph.linear(second, weights["1.fn.net.0"], outputs: expanded, activation: .relu)
    return try graph.sum(x, graph.linear(wide, weights["1.fn.net.3"], outputs: width), at: "second sum")
  }
}

/// The test digits of MNIST that have one of some labels.
private struct HandwrittenDigits {
  /// Numbers of the digits in the whole set.
  let indices: [Int]
  private let pixels: ArraySlice<UInt8>
  private let labels: ArraySlice<UInt8>
  private static let side = 28
  // Unpacking takes seconds in a debug build: once for all tests.
  private static let images = Result { try unpacked("t10k-images-idx3-ubyte.gz") }
  private static let classes = Result { try unpacked("t10k-labels-idx1-ubyte.gz") }

  init(labels wanted: ClosedRange<UInt8>) throws {
    pixels = try Self.images.get().dropFirst(16)
    labels = try Self.classes.get().dropFirst(8)
    indices = (0..<labels.count).filter { [labels] in wanted.contains(labels[labels.startIndex + $0]) }
  }

  func label(_ index: Int) -> Int { Int(labels[labels.startIndex + index]) }

  /// Digits as the models were trained to see them.
  func tensor(_ indices: ArraySlice<Int>) throws -> Tensor {
    let size = Self.side * Self.side
    var elements: [Float] = []
    for index in indices {
      for pixel in pixels[(pixels.startIndex + index * size)...].prefix(size) {
        elements.append((Float(pixel) / 255 - 0.1307) / 0.3081)
      }
    }
    return try Tensor(elements, shape: Shape([indices.count, Self.side, Self.side, 1]))
  }

  /// The content of a gzip file (RFC 1952) whose header has nothing but, perhaps, a name.
  private static func unpacked(_ name: String) throws -> [UInt8] {
    let bytes = try FileBytes.read(SharedData.path("small_sets/mnist/\(name)"), limit: 1 << 24)
    var content = bytes.dropFirst(10)
    if bytes[3] & 8 != 0 { content = content.drop { $0 != 0 }.dropFirst() }
    return try Inflate.inflate(content.dropLast(8), limit: 1 << 24)
  }
}

/// Logits of some digits, and the share of digits read rightly.
private struct ExpectedDigits {
  private let reader: ConfigurationReader
  private let rows: [(index: Int, logits: [Float])]

  init(_ path: String) throws {
    reader = try ConfigurationReader(contentsOf: SharedData.path(path))
    rows = try #require(
      try reader.optionalList("rows", of: "rows") { row -> (index: Int, logits: [Float])? in
        guard let index = row["t10k_index"]?.int, case .array(let logits)? = row["logits"] else { return nil }
        return (index, logits.compactMap { $0.double.map { Float($0) } })
      })
  }

  func check(
    _ graph: (Int) throws(ApusError) -> Graph, _ digits: HandwrittenDigits, wholeAccuracy key: String,
    over indices: [Int]
  ) throws {
    let few = rows.map(\.index)
    let logits = try run(graph, digits, few[...])
    expectClose(logits.flatMap(\.self), rows.flatMap(\.logits))
    var right = 0
    for start in stride(from: 0, to: indices.count, by: 100) {
      let part = indices[start..<min(start + 100, indices.count)]
      for (index, row) in zip(part, try run(graph, digits, part)) {
        if row.firstIndex(of: row.max() ?? 0) == digits.label(index) { right += 1 }
      }
    }
    #expect(Double(right) / Double(indices.count) == (try reader.number(key)))
  }

  private func run(
    _ graph: (Int) throws(ApusError) -> Graph, _ digits: HandwrittenDigits, _ indices: ArraySlice<Int>
  ) throws -> [[Float]] {
    let workspace = try Compiler.compile(graph(indices.count)).makeWorkspace()
    try workspace.setInputs([digits.tensor(indices)])
    try workspace.run()
    let output = try workspace.output(0)
    let (elements, width) = (try output.elements(of: Float.self), output.shape[1])
    return indices.indices.map { position in
      let row = position - indices.startIndex
      return Array(elements[row * width..<(row + 1) * width])
    }
  }
}
