import Formats
import Models
import TensorCore
import TestSupport
import Testing

@testable import Quantizer

/// Channels are scaled where that changes nothing.
struct ChannelScalingTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  /// The factors for inputs of which some channels are large.
  private func scaling(_ folder: ModelFolder) throws -> ChannelScaling {
    let weights = try folder.weights()
    var groups: [ScalableChannels] = []
    var statistics = ChannelStatistics()
    var random = SeededRandom()
    for graph in try ModelArchitecture.load(folder).smallGraphs() {
      let structure = LinearStructure(graph, weights)
      groups += ScalableChannels.find(in: structure)
      for layer in structure.layers {
        let width = try #require(graph[layer.input].type.shape.dimensions.last)
        let input = random.floats(width, -1...1).map { $0 * $0 * $0 * 100 }
        input.withUnsafeBufferPointer { statistics.add(layer, $0, width: width) }
      }
    }
    return try ChannelScaling(groups, statistics, weights, strength: 0.5)
  }

  /// A copy of the folder with its tensors multiplied by their factors, all in float32.
  private func scaledFolder(_ folder: ModelFolder, _ scaling: ChannelScaling?) throws -> ModelFolder {
    let weights = try folder.weights()
    var tensors: [(name: String, tensor: Tensor)] = []
    for name in weights.names {
      let tensor = try weights.tensor(name)
      guard tensor.dataType.isFloat else {
        tensors.append((name, tensor))
        continue
      }
      tensors.append(
        (
          name,
          try NarrowedFloats.tensor(tensor, as: .float32, named: name, factors: scaling?.factors(of: name))
        ))
    }
    let path = "\(scratch.path)/\(scaling == nil ? "plain" : "scaled")"
    let target = try NewFolder(replacing: path)
    try FolderFiles(in: folder.path).copy(from: folder.path, to: target)
    let file = weights.paths[0].split(separator: "/").last ?? "model.safetensors"
    try SafetensorsWriter.write(tensors, to: "\(target.path)/\(file)")
    try target.commit()
    return try ModelFolder(path)
  }

  /// Factors are powers of two: not even the rounding of floats differs.
  @Test(arguments: [
    "bert-classifier", "bert-sentence", "clip", "deit-distilled", "dinov2-swiglu", "distilbert-classifier",
    "electra", "albert", "albert-classifier", "mpnet", "open-clip", "roberta-classifier", "siglip", "vit",
    "beit", "deberta", "deberta-c2p", "modernbert", "modernbert-cls", "swin",
    "vit-timm", "vit-timm-clip", "vit-timm-gated",
  ])
  func floatResultsStay(_ name: String) throws {
    let folder = try FolderSample(name).folder
    let scaling = try scaling(folder)
    #expect(!scaling.isEmpty)
    let expected = try FolderSample.outputs(scaledFolder(folder, nil))
    let found = try FolderSample.outputs(scaledFolder(folder, scaling))
    #expect(found == expected)
  }

  /// A pre-norm encoder's norms feed linear layers alone; the residual takes a post-norm one's results too.
  @Test func normsAreScaledWhereOnlyLinearLayersTakeThem() throws {
    let clip = try scaling(FolderSample("clip").folder)
    #expect(clip.factors(of: "vision_model.encoder.layers.0.layer_norm1.weight")?.rows != nil)
    #expect(clip.factors(of: "vision_model.encoder.layers.0.self_attn.q_proj.weight")?.columns != nil)
    #expect(clip.factors(of: "vision_model.encoder.layers.1.mlp.fc1.weight")?.columns != nil)
    #expect(clip.factors(of: "vision_model.encoder.layers.1.mlp.fc2.weight") == nil)

    let gated = try scaling(FolderSample("dinov2-swiglu").folder)
    #expect(gated.factors(of: "encoder.layer.0.norm2.weight")?.rows != nil)
    #expect(gated.factors(of: "encoder.layer.0.mlp.weights_in.weight")?.columns != nil)
    #expect(gated.factors(of: "encoder.layer.0.mlp.weights_out.weight") == nil)

    let bert = try scaling(FolderSample("bert-classifier").folder)
    let layer = "bert.encoder.layer.0.attention"
    #expect(bert.factors(of: "\(layer).output.LayerNorm.weight") == nil)
    #expect(bert.factors(of: "\(layer).self.query.weight") == nil)
    #expect(bert.factors(of: "\(layer).self.value.weight")?.rows != nil)
    #expect(bert.factors(of: "\(layer).output.dense.weight")?.columns != nil)
  }

  /// Norms without offsets are scaled as others are; of the stacked matrix the values' rows, which are not turned.
  @Test func queriesAndKeysThatAreTurnedLeaveTheValues() throws {
    let scaling = try scaling(FolderSample("modernbert").folder)
    let layers = "model.layers"
    #expect(scaling.factors(of: "\(layers).1.attn_norm.weight")?.rows != nil)
    #expect(scaling.factors(of: "\(layers).1.attn.Wqkv.weight")?.columns != nil)
    #expect(scaling.factors(of: "\(layers).1.attn.Wqkv.weight")?.rows != nil)
    #expect(scaling.factors(of: "\(layers).1.attn.Wo.weight")?.columns != nil)
    #expect(scaling.factors(of: "\(layers).1.mlp_norm.weight")?.rows != nil)
    // The residual takes what the first layer is given, too.
    #expect(scaling.factors(of: "model.embeddings.norm.weight") == nil)
    #expect(scaling.factors(of: "\(layers).0.attn.Wqkv.weight")?.columns == nil)
  }

  /// A matrix that several layers have takes one scaling for all of them: none here. In `albert` the second group is run
  /// once.
  @Test func sharedLayersAreLeftAlone() throws {
    let folder = try FolderSample("albert").folder
    let albert = try scaling(folder)
    let mapping = "encoder.embedding_hidden_mapping_in.weight"
    #expect(albert.factors(of: "embeddings.LayerNorm.weight")?.rows != nil)
    #expect(albert.factors(of: mapping)?.columns != nil)
    func value(_ group: Int) -> String {
      "encoder.albert_layer_groups.\(group).albert_layers.0.attention.value.weight"
    }
    let weights = try folder.weights()
    #expect(weights.contains(value(0)) && albert.factors(of: value(0)) == nil)
    #expect(albert.factors(of: value(1))?.rows != nil)
  }

  /// The queries of SigLIP's head come from elsewhere: its stacked matrix takes the norm's result with two thirds
  /// of its rows only.
  @Test func aMatrixThatTakesOtherInputsTooIsLeftAlone() throws {
    let siglip = try scaling(FolderSample("siglip").folder)
    #expect(siglip.factors(of: "vision_model.post_layernorm.weight") == nil)
    #expect(siglip.factors(of: "vision_model.head.attention.in_proj_weight")?.columns == nil)
    #expect(siglip.factors(of: "vision_model.head.attention.in_proj_weight")?.rows != nil)
  }
}
