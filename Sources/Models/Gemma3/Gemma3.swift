import Formats
import Graph
import TensorCore

/// Gemma 3 (Gemma Team 2025, "Gemma 3 Technical Report") as an encoder of texts, whose tokens see those on both sides
/// (Schechter Vera et al. 2025, "EmbeddingGemma").
struct Gemma3: HeadedTextTower {
  let configuration: Gemma3Configuration
  let head: TextHead
  /// The root of the file.
  let weights: WeightPath

  var encoder: EncoderConfiguration { configuration.encoder }
  var maximumTokens: Int { configuration.maximumTokens }
  var vocabularySize: Int? { configuration.vocabulary }
  var pairs: TextPairs { .untyped }
  private var model: WeightPath { weights.descending(ifPresent: "model") }

  func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let inputs = try TextInputs(
      tokens: tokens, sequences: sequences, pools: head.pooling != .mean, in: &graph)
    let words = try graph.embedding(
      inputs.ids, model["embed_tokens"], rows: configuration.vocabulary, width: encoder.width)
    let factor = graph.constant(
      "embed_scale", try Tensor([Float(encoder.width).squareRoot()], shape: .vector(1)))
    let embedded = try graph.apply(Multiply(), [words, factor], at: "scaled embeddings")
    let layers = Encoder(try layers(inputs, in: &graph))
    var x = try layers(
      embedded, inputs.segments, keeping: inputs.pooledRows, at: head.pooling.end, in: &graph)
    x = try configuration.norm(x, model["norm"], in: &graph)
    graph.output(try head(x, inputs.segments, weights, in: &graph))
    return graph.graph
  }

  /// The layers in the order in which they run, with the angles of each reach once.
  private func layers(_ inputs: TextInputs, in graph: inout GraphBuilder) throws(ApusError) -> [EncoderLayer]
  {
    var angles: [Gemma3Configuration.Reach: Value] = [:]
    var layers: [EncoderLayer] = []
    for (index, reach) in configuration.reaches.enumerated() {
      let turned =
        if let known = angles[reach] {
          known
        } else {
          try configuration.positions(of: reach).angles(
            inputs.positions, headWidth: configuration.heads.width, in: &graph)
        }
      angles[reach] = turned
      let sees = reach == .near ? SelfAttention.Reach.near(configuration.window) : .all
      layers.append(layer(model["layers"][index], sees, turned))
    }
    return layers
  }

  private func layer(_ weights: WeightPath, _ sees: SelfAttention.Reach, _ angles: Value) -> EncoderLayer {
    let (heads, norm, hasBias) = (configuration.heads, configuration.norm, configuration.hasAttentionBias)
    var attention = SelfAttention(
      heads: heads.count, keyHeads: heads.keys, headWidth: heads.width,
      .separate("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", hasBias: hasBias),
      output: LinearLayer("self_attn.o_proj", hasBias: hasBias),
      headNorm: .init(norm: norm, queries: "self_attn.q_norm", keys: "self_attn.k_norm"), sees: sees,
      rotation: angles)
    attention.scale = configuration.scale
    return EncoderLayer(
      weights, norm, attention, .init(before: "input_layernorm", result: "post_attention_layernorm"),
      FeedForward(
        .gated(.withoutBias("mlp.gate_proj"), .withoutBias("mlp.up_proj")), .withoutBias("mlp.down_proj"),
        encoder),
      .init(before: "pre_feedforward_layernorm", result: "post_feedforward_layernorm"))
  }

  func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor] {
    let batch = try TextBatch(rows, maximumTokens: maximumTokens)
    if configuration.reaches.contains(.near) { try rows.requireNoGaps(beyond: configuration.window) }
    return try batch.tensors(pooled: head.pooling.rows(batch))
  }
}

extension HuggingFaceArchitecture {
  static let gemma3 = HuggingFaceArchitecture(
    "Gemma3TextModel", "gemma3_text", "Gemma 3", .textEmbedding,
    sample: """
      {"use_bidirectional_attention": true, "rope_parameters": {"full_attention": {}, "sliding_attention": {}}}
      """
  ) { (reader, _) throws(ApusError) in
    let configuration = try Gemma3Configuration(reader)
    return { (weights, folder) throws(ApusError) in
      let modules = try SentenceTransformer(folder)
      return ModelArchitecture(
        text: Gemma3(configuration: configuration, head: modules.head, weights: weights),
        outputs: .encoder(normalizes: modules.normalizes), textPreparation: modules.preparation)
    }
  }
}
