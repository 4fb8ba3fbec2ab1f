import Formats
import Graph
import TensorCore

/// ModernBERT (Warner et al. 2024, "Smarter, Better, Faster, Longer"): an encoder of texts whose layers normalise first,
/// turn queries and keys by their positions, and for the most part see the tokens near each token only.
struct ModernBERT: HeadedTextTower {
  let configuration: ModernBERTConfiguration
  let head: TextHead
  /// The root of the file.
  let weights: WeightPath
  let maximumTokens: Int

  /// Where the modules of sentence-transformers may say more tokens than the model, at most.
  private static let longest = 1 << 16

  /// - Parameter preparation: what is done to texts before: positions need no table, so that a length that is stated there
  ///   counts beyond the model's, as for the library.
  init(
    _ configuration: ModernBERTConfiguration, _ head: TextHead, _ weights: WeightPath,
    _ preparation: TextPreparation
  ) {
    (self.configuration, self.head, self.weights) = (configuration, head, weights)
    maximumTokens = max(configuration.maximumTokens, min(preparation.maximumTokens ?? 0, Self.longest))
  }

  var encoder: EncoderConfiguration { configuration.encoder }
  var vocabularySize: Int? { configuration.vocabulary }
  var pairs: TextPairs { .untyped }
  private var encoderWeights: WeightPath { weights.descending(ifPresent: "model") }

  func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let inputs = try TextInputs(
      tokens: tokens, sequences: sequences, pools: head.pooling != .mean, in: &graph)
    let embedded = try embeddings(inputs, in: &graph)
    let encoder = Encoder(try layers(inputs, in: &graph))
    var x = try encoder(
      embedded, inputs.segments, keeping: inputs.pooledRows, at: head.pooling.end, in: &graph)
    x = try configuration.norm(x, encoderWeights["final_norm"], in: &graph)
    graph.output(try head(x, inputs.segments, weights, in: &graph))
    return graph.graph
  }

  private func embeddings(_ inputs: TextInputs, in graph: inout GraphBuilder) throws(ApusError) -> Value {
    let weights = encoderWeights["embeddings"]
    let words = try graph.embedding(
      inputs.ids, weights["tok_embeddings"], rows: configuration.vocabulary,
      width: configuration.encoder.width)
    return try configuration.norm(words, weights["norm"], in: &graph)
  }

  /// The layers in the order in which they run, with the angles of every base once.
  private func layers(_ inputs: TextInputs, in graph: inout GraphBuilder) throws(ApusError) -> [EncoderLayer]
  {
    var angles: [Float: Value] = [:]
    var layers: [EncoderLayer] = []
    for (index, reach) in configuration.reaches.enumerated() {
      let base = configuration.base(of: reach)
      let operation = RotaryAngles(headWidth: configuration.encoder.headWidth, base: base)
      let turned =
        if let known = angles[base] {
          known
        } else {
          try graph.apply(operation, [inputs.positions], at: "angles of \(base)")
        }
      angles[base] = turned
      layers.append(layer(index, seeing: reach == .near ? .near(configuration.window) : .all, turned))
    }
    return layers
  }

  private func layer(_ index: Int, seeing reach: SelfAttention.Reach, _ angles: Value) -> EncoderLayer {
    func linear(_ name: String, _ hasBias: Bool) -> LinearLayer { LinearLayer(name, hasBias: hasBias) }
    let (sizes, inAttention, behind) = (
      configuration.encoder, configuration.hasAttentionBias, configuration.hasFeedForwardBias
    )
    let attention = SelfAttention(
      sizes, .stacked(linear("attn.Wqkv", inAttention)), output: linear("attn.Wo", inAttention), sees: reach,
      rotation: angles)
    return EncoderLayer(
      encoderWeights["layers"][index], configuration.norm, attention,
      // What the first layer takes is the result of a normalisation.
      .normFirst(index > 0 ? "attn_norm" : nil),
      FeedForward(.stackedGate(linear("mlp.Wi", behind)), linear("mlp.Wo", behind), sizes),
      .normFirst("mlp_norm"))
  }

  func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor] {
    let batch = try TextBatch(rows, maximumTokens: maximumTokens)
    if configuration.reaches.contains(.near) { try rows.requireNoGaps(beyond: configuration.window) }
    return try batch.tensors(pooled: head.pooling.rows(batch))
  }
}

extension HuggingFaceArchitecture {
  static let modernBERT: [HuggingFaceArchitecture] = {
    let (modelType, family) = ("modernbert", "ModernBERT")
    let rotary = #"{"full_attention": {}, "sliding_attention": {}}"#
    let classifier = HuggingFaceArchitecture(
      "ModernBertForSequenceClassification", modelType, family, .textClassification,
      sample: "{\"sentence_transformers\": {}, \"rope_parameters\": \(rotary)}"
    ) { (reader, _) throws(ApusError) in
      let (configuration, classes) = (try ModernBERTConfiguration(reader), try ClassConfiguration(reader))
      let head = try configuration.head(reader, classes: classes.count)
      let pairs = try CrossEncoder(reader)
      return { (weights, folder) throws(ApusError) in
        let said = try pairs.reading(folder)
        return ModelArchitecture(
          text: ModernBERT(configuration, head, weights, said.preparation),
          outputs: .classifier(labels: classes.labels, scoring: said.scoring(of: classes)),
          textPreparation: said.preparation)
      }
    }
    let encoders = ["Model", "ForMaskedLM"].map { suffix in
      HuggingFaceArchitecture("ModernBert\(suffix)", modelType, family, .textEmbedding) {
        (reader, _) throws(ApusError) in
        reader.passOver([ModernBERTConfiguration.classifierKeys])
        let configuration = try ModernBERTConfiguration(reader)
        return { (weights, folder) throws(ApusError) in
          let modules = try SentenceTransformer(folder)
          return ModelArchitecture(
            text: ModernBERT(configuration, modules.head, weights, modules.preparation),
            outputs: .encoder(normalizes: modules.normalizes), textPreparation: modules.preparation)
        }
      }
    }
    return [classifier] + encoders
  }()
}
