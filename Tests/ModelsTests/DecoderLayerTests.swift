import Formats
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Layers of decoders, stated by their parts, give PyTorch's numbers: fewer heads of keys, heads of a width of their own, each
/// normalised, and normalisations of a part's result.
@Suite struct DecoderLayerTests {
  /// What `Tools/fixtures/decoder_layers/make.py` made.
  private struct Sample {
    let weights: WeightPath
    /// Of the rotary positions: the library's default of the class.
    let base: Float
    let lengths: [Int]
    let rows: [Float]
    let results: [Float]

    init(_ name: String) throws {
      let folder = Checkout.fixture("decoder-layers/\(name)").path
      let file = try SafetensorsFile(
        FileBytes.read("\(folder)/model.safetensors", limit: 1 << 20), named: name)
      weights = WeightPath(SafetensorsCollection(file))
      base = name == "qwen3" ? 10_000 : 1_000_000
      let expected = try ConfigurationReader(contentsOf: "\(folder)/expected.json")
      lengths = try #require(try expected.optionalList("lengths", of: "integers") { $0.int })
      func numbers(_ key: String) throws -> [Float] {
        try #require(try expected.optionalList(key, of: "numbers") { $0.double.map { Float($0) } })
      }
      (rows, results) = (try numbers("rows"), try numbers("results"))
    }

    /// What layers make of the rows, or of one of each sequence alone.
    func run(
      _ weights: WeightPath, keeping end: SequenceEnd? = nil, precision: Precision = .float32,
      _ layer: (WeightPath, Value) -> EncoderLayer
    ) throws -> [Float] {
      var graph = GraphBuilder()
      let bounds = lengths.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
      let x = graph.input("x", TensorType(.float32, try Shape([bounds[lengths.count], Self.width])))
      let segments = Segments(count: lengths.count, bounds: try graph.indices(bounds, at: "bounds"))
      let positions = try graph.indices(lengths.flatMap { Array(0..<$0) }, at: "positions")
      let angles = try graph.apply(RotaryAngles(headWidth: 8, base: base), [positions], at: "angles")
      let kept = try end.map { end in
        try graph.indices(end == .first ? bounds.dropLast() : bounds.dropFirst().map { $0 - 1 }, at: "kept")
      }
      let encoder = Encoder(weights["layers"], count: 2) { layer($0, angles) }
      graph.output(try encoder(x, segments, keeping: kept, at: end ?? .first, in: &graph))
      var options = CompileOptions()
      options.precision = precision
      let model = try Compiler.compile(graph.graph, options)
      return try model.run([Tensor(rows, shape: Shape([bounds[lengths.count], Self.width]))])[0].elements()
    }

    /// The rows of a result at an end of each sequence.
    func ends(_ result: [Float], _ end: SequenceEnd) -> [Float] {
      var (first, found) = (0, [Float]())
      for length in lengths {
        let row = end == .first ? first : first + length - 1
        found += result[row * Self.width..<(row + 1) * Self.width]
        first += length
      }
      return found
    }

    private static let width = 24
  }

  private static func qwen3(_ weights: WeightPath, _ angles: Value) -> EncoderLayer {
    let norm = Norm(.rms(), 1e-6)
    let attention = SelfAttention(
      heads: 6, keyHeads: 2, headWidth: 8,
      .separate("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", hasBias: false),
      output: .withoutBias("self_attn.o_proj"),
      headNorm: .init(norm: norm, queries: "self_attn.q_norm", keys: "self_attn.k_norm"), sees: .before,
      rotation: angles)
    return EncoderLayer(
      weights, norm, attention, .normFirst("input_layernorm"),
      FeedForward(
        .gated(.withoutBias("mlp.gate_proj"), .withoutBias("mlp.up_proj")), .withoutBias("mlp.down_proj"),
        .swish, width: 40),
      .normFirst("post_attention_layernorm"))
  }

  private static func gemma3(_ weights: WeightPath, _ angles: Value) -> EncoderLayer {
    let norm = Norm(.rms(plus: 1), 1e-6)
    var attention = SelfAttention(
      heads: 6, keyHeads: 2, headWidth: 8,
      .separate("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", hasBias: false),
      output: .withoutBias("self_attn.o_proj"),
      headNorm: .init(norm: norm, queries: "self_attn.q_norm", keys: "self_attn.k_norm"), rotation: angles)
    attention.scale = 0.25
    return EncoderLayer(
      weights, norm, attention,
      .init(before: "input_layernorm", result: "post_attention_layernorm"),
      FeedForward(
        .gated(.withoutBias("mlp.gate_proj"), .withoutBias("mlp.up_proj")), .withoutBias("mlp.down_proj"),
        .gelu(.tanh), width: 40),
      .init(before: "pre_feedforward_layernorm", result: "post_feedforward_layernorm"))
  }

  private static let families: [(name: String, layer: @Sendable (WeightPath, Value) -> EncoderLayer)] = [
    ("qwen3", qwen3), ("gemma3", gemma3),
  ]

  @Test(arguments: 0..<2) func layersGiveTheNumbersOfPyTorch(_ family: Int) throws {
    let (name, layer) = Self.families[family]
    let sample = try Sample(name)
    expectClose(try sample.run(sample.weights, layer), sample.results, name)
    for end in [SequenceEnd.first, .last] {
      let found = try sample.run(sample.weights, keeping: end, layer)
      expectClose(found, sample.ends(sample.results, end), "\(name) \(end)")
    }
  }

  /// bfloat16 has 8 bits of a number, int8 as many with a scale for each row: two layers of random weights lose so much.
  @Test(arguments: [(Precision.bfloat16, Float(0.03)), (.int8, 0.1)].filter { $0.0.isAvailable })
  func fewerBitsComeClose(_ precision: Precision, _ tolerance: Float) throws {
    for (name, layer) in Self.families {
      let sample = try Sample(name)
      let found = try sample.run(sample.weights, precision: precision, layer)
      expectClose(found, sample.results, tolerance: tolerance, "\(name) \(precision)")
    }
  }

  /// As GTE stores them: queries, keys and values in one matrix, and the gate below what it gates.
  @Test func matricesMayBeStoredAsOne() throws {
    let sample = try Sample("qwen3")
    var tensors: [(name: String, type: String, shape: [Int], bytes: [UInt8])] = []
    func add(_ name: String, of parts: [(String, Int)], _ columns: Int, in layer: WeightPath) throws {
      let floats = try parts.flatMap { try layer.tensor($0.0, [$0.1, columns]).floats() }
      let rows = parts.reduce(0) { $0 + $1.1 }
      tensors.append((layer.key(name), "F32", [rows, columns], SafetensorsBuilder.bytes(floats)))
    }
    for index in 0..<2 {
      let layer = sample.weights["layers"][index]
      try add(
        "self_attn.qkv_proj.weight",
        of: [
          ("self_attn.q_proj.weight", 48), ("self_attn.k_proj.weight", 16), ("self_attn.v_proj.weight", 16),
        ],
        24, in: layer)
      try add(
        "mlp.up_gate.weight", of: [("mlp.up_proj.weight", 40), ("mlp.gate_proj.weight", 40)], 24, in: layer)
      try add("self_attn.o_proj.weight", of: [("self_attn.o_proj.weight", 24)], 48, in: layer)
      try add("mlp.down_proj.weight", of: [("mlp.down_proj.weight", 24)], 40, in: layer)
      for (name, width) in [
        ("self_attn.q_norm", 8), ("self_attn.k_norm", 8), ("input_layernorm", 24),
        ("post_attention_layernorm", 24),
      ] {
        let floats = try layer[name].tensor("weight", [width]).floats()
        tensors.append((layer[name].key("weight"), "F32", [width], SafetensorsBuilder.bytes(floats)))
      }
    }
    let file = try SafetensorsFile(SafetensorsBuilder.file(tensors), named: "stacked.safetensors")
    let found = try sample.run(WeightPath(SafetensorsCollection(file))) { weights, angles in
      let usual = Self.qwen3(weights, angles)
      let attention = SelfAttention(
        heads: 6, keyHeads: 2, headWidth: 8, .stacked(.withoutBias("self_attn.qkv_proj")),
        output: usual.attention.output, headNorm: usual.attention.headNorm, sees: .before, rotation: angles)
      let feedForward = FeedForward(
        .stackedGate(.withoutBias("mlp.up_gate"), .gateLast), usual.feedForward.contraction, .swish, width: 40
      )
      return EncoderLayer(
        weights, usual.norm, attention, usual.aroundAttention, feedForward, usual.aroundFeedForward)
    }
    #expect(try found == sample.run(sample.weights, Self.qwen3))
  }
}
