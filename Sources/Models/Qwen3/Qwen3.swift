import Formats
import Graph
import TensorCore

/// Qwen3 (Yang et al. 2025, "Qwen3 Technical Report"): a decoder of texts, each token of which sees those before it, whose
/// last token stands for a text (Zhang et al. 2025, "Qwen3 Embedding").
struct Qwen3: HeadedTextTower {
  let configuration: Qwen3Configuration
  let head: TextHead
  /// The root of the file.
  let weights: WeightPath
  let maximumTokens: Int
  var pairs = TextPairs.untyped
  /// The ids between whose logits the result tells, if it does.
  var words: AnswerWords?

  /// Where the modules of sentence-transformers may say more tokens than the model, at most.
  private static let longest = 1 << 17

  /// - Parameter preparation: what is done to texts before: positions need no table, so that a length that is stated there
  ///   counts beyond the model's, as for the library.
  init(
    _ configuration: Qwen3Configuration, _ head: TextHead, _ weights: WeightPath,
    _ preparation: TextPreparation = TextPreparation()
  ) {
    (self.configuration, self.head, self.weights) = (configuration, head, weights)
    maximumTokens = max(configuration.maximumTokens, min(preparation.maximumTokens ?? 0, Self.longest))
  }

  var encoder: EncoderConfiguration { configuration.encoder }
  var vocabularySize: Int? { configuration.vocabulary }
  var outputWidth: Int {
    words == nil ? head.classes?.count ?? head.dense.last?.outputs ?? encoder.width : 1
  }
  var outputName: TowerOutput? { words == nil && head.classes == nil ? .sentenceEmbedding : .logits }
  private var model: WeightPath { weights.descending(ifPresent: "model") }

  func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let inputs = try TextInputs(
      tokens: tokens, sequences: sequences, pools: head.pooling != .mean, in: &graph)
    let embedded = try graph.embedding(
      inputs.ids, model["embed_tokens"], rows: configuration.vocabulary, width: encoder.width)
    let angles = try configuration.positions.angles(
      inputs.positions, headWidth: configuration.heads.width, in: &graph)
    let layers = Encoder(model["layers"], count: encoder.layers) { layer($0, angles) }
    var x = try layers(
      embedded, inputs.segments, keeping: inputs.pooledRows, at: head.pooling.end, in: &graph)
    x = try configuration.norm(x, model["norm"], in: &graph)
    if let words {
      let place = configuration.tiesWords ? model["embed_tokens"] : weights["lm_head"]
      graph.output(try words(x, place, vocabulary: configuration.vocabulary, in: &graph))
    } else {
      graph.output(try head(x, inputs.segments, weights, in: &graph))
    }
    return graph.graph
  }

  private func layer(_ weights: WeightPath, _ angles: Value) -> EncoderLayer {
    let (heads, norm) = (configuration.heads, configuration.norm)
    let attention = SelfAttention(
      heads: heads.count, keyHeads: heads.keys, headWidth: heads.width,
      .separate(
        "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", hasBias: configuration.hasAttentionBias),
      output: LinearLayer("self_attn.o_proj", hasBias: configuration.hasAttentionBias),
      headNorm: .init(norm: norm, queries: "self_attn.q_norm", keys: "self_attn.k_norm"), sees: .before,
      rotation: angles)
    return EncoderLayer(
      weights, norm, attention, .normFirst("input_layernorm"),
      FeedForward(
        .gated(.withoutBias("mlp.gate_proj"), .withoutBias("mlp.up_proj")), .withoutBias("mlp.down_proj"),
        encoder),
      .normFirst("post_attention_layernorm"))
  }

  func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor] {
    let rows = head.classes == nil ? rows : rows.map(withoutPadding)
    let batch = try TextBatch(rows, maximumTokens: maximumTokens)
    return try batch.tensors(pooled: head.pooling.rows(batch))
  }

  /// The row up to its last token that is no padding, which a classifier looks at; of padding alone the first. No token sees
  /// those behind it.
  private func withoutPadding(_ row: TokenRow) -> TokenRow {
    guard let id = configuration.padding, row.seesLast, Int(row.ids.last ?? 0) == id else { return row }
    let count = (row.ids.lastIndex { Int($0) != id } ?? 0) + 1
    return TokenRow(
      ids: Array(row.ids.prefix(count)), columns: row.columns.filter { $0 < count },
      types: row.types.map { Array($0.prefix(count)) })
  }
}
