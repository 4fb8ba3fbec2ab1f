import Formats
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// MobileNetV3 and EfficientNet by timm's names.
struct EfficientNetTests {
  /// Blocks of each stage as timm 1.0.31 makes them.
  @Test(arguments: [
    ("mobilenetv3_small_075", [1, 2, 3, 2, 3, 1]),
    ("tf_mobilenetv3_large_minimal_100", [1, 2, 3, 4, 2, 3, 1]),
    ("mobilenetv3_large_150d", [2, 3, 4, 5, 3, 4, 2]), ("efficientnet_b0", [1, 2, 2, 3, 3, 4, 1]),
    ("efficientnet_b3", [2, 3, 3, 5, 5, 6, 2]), ("tf_efficientnet_b5", [3, 5, 5, 7, 7, 9, 3]),
    ("efficientnet_b6", [3, 6, 6, 8, 8, 11, 3]), ("tf_efficientnet_b7", [4, 7, 7, 10, 10, 13, 4]),
    ("tf_efficientnet_l2", [6, 11, 11, 16, 16, 22, 6]), ("efficientnet_lite0", [1, 2, 2, 3, 3, 4, 1]),
    ("tf_efficientnet_lite4", [1, 4, 4, 6, 6, 8, 1]),
  ])
  func namesSayHowDeepNetworksAre(_ name: String, _ counts: [Int]) throws {
    let model = try #require(TimmEfficientNet.all.first { $0.name == name })
    let layout = try model.layout(Self.weights(counts))
    let last = model.design.headIsBehindMean ? counts.last ?? 0 : 0
    #expect(layout.lastLayers.count == last)
    #expect(layout.blocks.count == counts.reduce(0, +) - last)
    for stage in counts.indices {
      var wrong = counts
      wrong[stage] += 1
      let weights = try Self.weights(wrong)
      let error = #expect(throws: ApusError.self) { try model.layout(weights) }
      #expect(error?.problem == "\(counts[stage] + 1) blocks in blocks.\(stage)")
    }
    let fewer = try Self.weights(Array(counts.dropLast()))
    let error = #expect(throws: ApusError.self) { try model.layout(fewer) }
    #expect(error?.problem == "\(counts.count - 1) stages in blocks")
  }

  @Test func eachNameIsThereOnce() {
    let names = TimmEfficientNet.all.map(\.name)
    #expect(names.count == 42)
    #expect(Set(names).count == names.count)
  }

  @Test func weightsOfTensorFlowHaveItsPaddingAndEpsilon() throws {
    let weights = try Self.weights([1, 2, 2, 3, 3, 4, 1])
    for (name, epsilon, padsLikeTensorFlow) in [
      ("efficientnet_b0", 1e-5, false), ("tf_efficientnet_b0", 1e-3, true),
    ] {
      let model = try #require(TimmEfficientNet.all.first { $0.name == name })
      let layout = try model.layout(weights)
      #expect(layout.epsilon == epsilon)
      #expect(layout.padsLikeTensorFlow == padsLikeTensorFlow)
    }
  }

  /// Factors of another width would be broadcast.
  @Test(arguments: [(4, 3, 4, ""), (4, 3, 1, "conv_expand"), (1, 3, 4, "conv_reduce")])
  func factorsOfAnotherWidthAreRefused(
    _ inputs: Int, _ narrow: Int, _ outputs: Int, _ refused: String
  ) throws {
    let weights = try Self.squeeze(inputs, narrow, outputs)
    guard !refused.isEmpty else {
      let found = try Self.gated(weights)
      #expect(found == [1, 3, 3, 4])
      return
    }
    let error = #expect(throws: ApusError.self) { try Self.gated(weights) }
    #expect(error?.kind == .malformedModel)
    #expect(error?.location == "tensor 'se.\(refused).weight'")
  }

  /// The extents of four channels that a squeeze has scaled.
  private static func gated(_ weights: WeightPath) throws -> [Int] {
    var builder = GraphBuilder()
    let pixels = builder.input("x", TensorType(.float32, try Shape([1, 3, 3, 4])))
    let squeeze = SqueezeExcitation(
      reduction: "se.conv_reduce", expansion: "se.conv_expand", activation: .relu, gate: .sigmoid)
    let scaled = try squeeze.gated(pixels, weights, in: &builder)
    return builder.dimensions(scaled)
  }

  /// Functions are done by the layers before them, and sums by those whose results they add.
  @Test(arguments: [
    "mobilenetv3-timm", "mobilenetv3-timm-large", "mobilenetv3-timm-minimal", "efficientnet-timm",
    "efficientnet-timm-lite",
  ])
  func functionsJoinTheLayersBeforeThem(_ name: String) throws {
    let tower = try #require(try ModelArchitecture.load(ModelFixture(name).folder).image)
    let graph = try tower.graph(batch: 1)
    let gates = graph.nodes.filter { ($0.operation as? Add)?.activation == .relu6 }
    let compiled = try Compiler.compile(graph).graph
    let left = compiled.nodes.filter { $0.operation is Swish || $0.operation is HardSwish }
    #expect(left.isEmpty)
    let additions = compiled.nodes.filter { $0.operation is Add }
    #expect(additions.count == gates.count)
  }

  /// The two layers of a squeeze, of weights 0.
  private static func squeeze(_ inputs: Int, _ narrow: Int, _ outputs: Int) throws -> WeightPath {
    let zeros = { (count: Int) in [UInt8](repeating: 0, count: 4 * count) }
    return try file([
      ("se.conv_reduce.weight", "F32", [narrow, inputs, 1, 1], zeros(narrow * inputs)),
      ("se.conv_reduce.bias", "F32", [narrow], zeros(narrow)),
      ("se.conv_expand.weight", "F32", [outputs, narrow, 1, 1], zeros(outputs * narrow)),
      ("se.conv_expand.bias", "F32", [outputs], zeros(outputs)),
    ])
  }

  /// A tensor in each block of each stage.
  private static func weights(_ counts: [Int]) throws -> WeightPath {
    var tensors: [Stored] = []
    for (stage, count) in counts.enumerated() {
      for block in 0..<count { tensors.append(("blocks.\(stage).\(block).bn1.weight", "U8", [1], [7])) }
    }
    return try file(tensors)
  }

  private typealias Stored = (name: String, type: String, shape: [Int], bytes: [UInt8])

  private static func file(_ tensors: [Stored]) throws -> WeightPath {
    let folder = try TemporaryFolder()
    try folder.write("model.safetensors", SafetensorsBuilder.file(tensors))
    return try withExtendedLifetime(folder) { try WeightPath(ModelFolder(folder.path).weights()) }
  }
}
