import Formats
import Graph
import TensorCore

/// A BERT with rotary positions and gated layers: Nomic's and GTE's encoders of texts.
struct RotaryBERT: HeadedTextTower {
  let configuration: RotaryBERTConfiguration
  let head: TextHead
  /// The root of the file.
  let weights: WeightPath
  let maximumTokens: Int

  /// Where the modules of sentence-transformers may say more tokens than the model, at most.
  private static let longest = 1 << 16

  init(
    _ configuration: RotaryBERTConfiguration, _ head: TextHead, _ weights: WeightPath,
    _ preparation: TextPreparation
  ) {
    (self.configuration, self.head, self.weights) = (configuration, head, weights)
    maximumTokens = max(configuration.maximumTokens, min(preparation.maximumTokens ?? 0, Self.longest))
  }

  var encoder: EncoderConfiguration { configuration.encoder }
  var vocabularySize: Int? { configuration.vocabulary }
  /// Tokens of a second type would need rows of their own.
  var pairs: TextPairs { configuration.tokenTypes > 1 ? .refused : .untyped }
  private var model: WeightPath { weights.encoder }

  func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let inputs = try TextInputs(
      tokens: tokens, sequences: sequences, pools: head.pooling != .mean, in: &graph)
    let embedded = try embeddings(inputs, in: &graph)
    let angles = try configuration.positions.angles(
      inputs.positions, headWidth: encoder.headWidth, in: &graph)
    let layers = Encoder(model[configuration.family.layers], count: encoder.layers) { layer($0, angles) }
    let x = try layers(
      embedded, inputs.segments, keeping: inputs.pooledRows, at: head.pooling.end, in: &graph)
    graph.output(try head(x, inputs.segments, weights, in: &graph))
    return graph.graph
  }

  /// Words and their type, summed and normalised.
  private func embeddings(_ inputs: TextInputs, in graph: inout GraphBuilder) throws(ApusError) -> Value {
    let (weights, width) = (model["embeddings"], encoder.width)
    var x = try graph.embedding(
      inputs.ids, weights["word_embeddings"], rows: configuration.vocabulary, width: width)
    if configuration.tokenTypes > 0 {
      let types = try graph.float32(
        weights["token_type_embeddings"], "weight", [configuration.tokenTypes, width])
      let first = try graph.gather(types, graph.indices([0], at: "type 0"), at: weights.key("type 0"))
      x = try graph.sum(x, first, at: weights.key("sum"))
    }
    let norm = configuration.family == .nomic ? model["emb_ln"] : weights["LayerNorm"]
    return try graph.layerNorm(x, norm, epsilon: encoder.epsilon)
  }

  private func layer(_ weights: WeightPath, _ angles: Value) -> EncoderLayer {
    let (norm, biases) = (Norm(.layer, encoder.epsilon), configuration.biases)
    func linear(_ name: String, _ hasBias: Bool) -> LinearLayer { LinearLayer(name, hasBias: hasBias) }
    switch configuration.family {
    case .nomic:
      let attention = SelfAttention(
        encoder, .stacked(linear("attn.Wqkv", biases.attention)),
        output: linear("attn.out_proj", biases.attention), rotation: angles)
      let feedForward = FeedForward(
        .gated(linear("mlp.fc12", biases.expansion), linear("mlp.fc11", biases.expansion)),
        linear("mlp.fc2", biases.contraction), encoder)
      return EncoderLayer(weights, norm, attention, .normLast("norm1"), feedForward, .normLast("norm2"))
    case .new, .gte:
      let attention = SelfAttention(
        encoder, .stacked(linear("attention.qkv_proj", biases.attention)),
        output: linear("attention.o_proj", biases.attention), rotation: angles)
      let feedForward = FeedForward(
        .stackedGate(linear("mlp.up_gate_proj", biases.expansion), .gateLast),
        linear("mlp.down_proj", biases.contraction), encoder)
      return EncoderLayer(weights, norm, attention, .normLast("attn_ln"), feedForward, .normLast("mlp_ln"))
    case .jina:
      let attention = SelfAttention(
        encoder,
        .separate("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", hasBias: biases.attention),
        output: linear("self_attn.o_proj", biases.attention), rotation: angles)
      let feedForward = FeedForward(
        .plain(linear("mlp.fc1", biases.expansion)), linear("mlp.fc2", biases.contraction), encoder)
      return EncoderLayer(
        weights, norm, attention, .normLast("post_attention_layernorm"), feedForward,
        .normLast("post_mlp_layernorm"))
    }
  }

  func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor] {
    let batch = try TextBatch(rows, maximumTokens: maximumTokens)
    return try batch.tensors(pooled: head.pooling.rows(batch))
  }
}

extension HuggingFaceArchitecture {
  static let rotaryBERT: [HuggingFaceArchitecture] = [
    rotaryBERT("NomicBertModel", "nomic_bert", "NomicBERT", .nomic),
    rotaryBERT("NewModel", "new", "GTE", .new),
    rotaryBERTClassifier("NewForSequenceClassification", "new", "GTE", .new),
    rotaryBERT("GteModel", "gte", "GTE of transformers", .gte),
    rotaryBERTClassifier("GteForSequenceClassification", "gte", "GTE of transformers", .gte),
    rotaryBERT("JinaEmbeddingsV3Model", "jina_embeddings_v3", "Jina Embeddings v3", .jina),
  ]

  private static func rotaryBERT(
    _ name: String, _ modelType: String, _ family: String, _ kind: RotaryBERTConfiguration.Family
  ) -> HuggingFaceArchitecture {
    HuggingFaceArchitecture(
      name, modelType, family, .textEmbedding, sample: #"{"rope_parameters": {}}"#
    ) { (reader, _) throws(ApusError) in
      let configuration = try RotaryBERTConfiguration(reader, kind)
      return { (weights, folder) throws(ApusError) in
        let modules = try SentenceTransformer(folder)
        return ModelArchitecture(
          text: RotaryBERT(configuration, modules.head, weights, modules.preparation),
          outputs: .encoder(normalizes: modules.normalizes), textPreparation: modules.preparation)
      }
    }
  }

  private static func rotaryBERTClassifier(
    _ name: String, _ modelType: String, _ family: String, _ kind: RotaryBERTConfiguration.Family
  ) -> HuggingFaceArchitecture {
    HuggingFaceArchitecture(
      name, modelType, family, .textClassification,
      sample: #"{"sentence_transformers": {}, "rope_parameters": {}}"#
    ) { (reader, _) throws(ApusError) in
      let configuration = try RotaryBERTConfiguration(reader, kind)
      let (classes, pairs) = (try ClassConfiguration(reader), try CrossEncoder(reader))
      return { (weights, folder) throws(ApusError) in
        let said = try pairs.reading(folder)
        let dense = LinearLayer(weights.encoder.key("pooler.dense"), hasBias: true)
        let head = TextHead(
          pooling: .first, classes: .init(count: classes.count, dense: dense, activation: .tanh))
        return ModelArchitecture(
          text: RotaryBERT(configuration, head, weights, said.preparation),
          outputs: .classifier(labels: classes.labels, scoring: said.scoring(of: classes)),
          textPreparation: said.preparation)
      }
    }
  }
}

extension WeightPath {
  /// The place of the encoder, which classifiers have a name for.
  fileprivate var encoder: WeightPath {
    ["new", "gte", "roberta"].reduce(self) { $0.descending(ifPresent: $1) }
  }
}
