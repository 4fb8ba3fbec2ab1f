import Formats
import Graph
import TensorCore

/// The `config.json` of BERT, DistilBERT, RoBERTa, XLM-RoBERTa, MPNet, ELECTRA or ALBERT.
struct BERTConfiguration: Sendable {
  enum Family: String, Sendable {
    case bert, distilbert, roberta, mpnet, electra, albert
  }

  let family: Family
  let encoder: EncoderConfiguration
  /// How layers share weights; nil for a family whose layers have their own.
  let sharing: LayerSharing?
  let vocabulary: Int
  /// Features of a token before the first layer: those of a layer, but for ELECTRA and ALBERT.
  let embeddingWidth: Int
  /// Rows of the table of positions.
  let positions: Int
  /// The position of a text's first token: 0, or the one behind the padding of RoBERTa and MPNet.
  let firstPosition: Int
  /// Token types; 0 for a family without them.
  let tokenTypes: Int
  /// Rows of the table of relative positions; nil for a family without one.
  let relativeBuckets: Int?

  /// Tokens of one text, at most.
  var maximumTokens: Int { positions - firstPosition }

  /// The name of the linear layer from the features of a token to those of a layer; nil where there is none.
  var embeddingProjection: String? {
    switch family {
    case .electra: embeddingWidth == encoder.width ? nil : "embeddings_project"
    case .albert: "encoder.embedding_hidden_mapping_in"
    case .bert, .distilbert, .roberta, .mpnet: nil
    }
  }

  init(_ reader: ConfigurationReader, _ family: Family) throws(ApusError) {
    self.family = family
    reader.passOver(Self.keysWithoutEffect + family.keysWithoutEffect)
    encoder = try family == .distilbert ? Self.distilBERT(reader) : Self.bert(reader, family.defaults)
    sharing = family == .albert ? try LayerSharing(reader, turns: encoder.layers) : nil
    embeddingWidth =
      family == .electra || family == .albert
      ? try reader.size("embedding_size", default: 128) : encoder.width
    vocabulary = try reader.size("vocab_size", default: family.usualVocabulary)
    positions = try reader.size("max_position_embeddings", default: 512)
    tokenTypes = family.hasTokenTypes ? try reader.size("type_vocab_size", default: 2) : 0
    let buckets = RelativePositionBias.buckets
    relativeBuckets =
      family == .mpnet
      ? try reader.integer(
        "relative_attention_num_buckets", in: buckets...ConfigurationReader.sizeLimit, default: buckets) : nil
    switch family {
    case .bert, .distilbert, .electra, .albert: firstPosition = 0
    // The library counts from behind 1, whatever the id of the padding.
    case .mpnet: firstPosition = 2
    case .roberta:
      guard !reader.isNull("pad_token_id") else {
        throw ApusError(
          .configuration, "is null", expected: "an id: positions are counted from behind it",
          at: "pad_token_id",
          file: reader.file)
      }
      firstPosition = try reader.integer("pad_token_id", in: 0...positions, default: 1) + 1
    }
    guard positions > firstPosition else {
      throw reader.unexpected(
        "max_position_embeddings", reader.value("max_position_embeddings"),
        "more positions than the \(firstPosition) that padding takes")
    }
  }

  private static let keysWithoutEffect = [
    KeysWithoutEffect(
      "training and initialisation", ["qa_dropout", "seq_classif_dropout", "sinusoidal_pos_embds"]),
    KeysWithoutEffect(
      "sizes of a pooling layer that no version of the library makes",
      [
        "pooler_fc_size", "pooler_num_attention_heads", "pooler_num_fc_layers", "pooler_size_per_head",
        "pooler_type", "directionality",
      ]),
    KeysWithoutEffect(
      "how TinyBERT was trained, and the older name of vocab_size, which no version of the library reads",
      [
        "cell", "emb_size", "pre_trained", "structure", "training", "vocab_size_or_config_json_file",
      ]),
  ]

  private static func bert(
    _ reader: ConfigurationReader, _ defaults: EncoderConfiguration.Defaults
  ) throws(ApusError) -> EncoderConfiguration {
    try reader.require("position_embedding_type", isOneOf: .string("absolute"))
    return try EncoderConfiguration(reader, defaults)
  }

  private static func distilBERT(_ reader: ConfigurationReader) throws(ApusError) -> EncoderConfiguration {
    let width = try reader.size("dim", or: "hidden_size", default: 768)
    let heads = try reader.size("n_heads", or: "num_attention_heads", default: 12)
    try reader.requireHeads("n_heads", heads, divide: width)
    return EncoderConfiguration(
      layers: try reader.size("n_layers", or: "num_hidden_layers", default: 6), width: width, heads: heads,
      expandedWidth: try reader.size("hidden_dim", default: 3072),
      activation: try reader.activation("activation", default: .gelu(.exact)), epsilon: 1e-12)
  }
}

extension BERTConfiguration.Family {
  fileprivate var usualVocabulary: Int {
    switch self {
    case .bert, .distilbert, .electra: 30522
    case .roberta: 50265
    case .mpnet: 30527
    case .albert: 30000
    }
  }

  fileprivate var defaults: EncoderConfiguration.Defaults {
    switch self {
    case .bert, .distilbert, .roberta, .mpnet: .init()
    case .electra: .init(width: 256, heads: 4, expandedWidth: 1024)
    case .albert: .init(width: 4096, heads: 64, expandedWidth: 16384, activation: .gelu(.tanh))
    }
  }

  fileprivate var hasTokenTypes: Bool {
    switch self {
    case .bert, .roberta, .electra, .albert: true
    case .distilbert, .mpnet: false
    }
  }

  fileprivate var keysWithoutEffect: [KeysWithoutEffect] {
    switch self {
    case .bert, .distilbert, .roberta, .mpnet: []
    case .electra:
      [
        KeysWithoutEffect(
          "what a model for multiple choice makes of a text",
          ["summary_activation", "summary_last_dropout", "summary_type", "summary_use_proj"])
      ]
    case .albert:
      [
        KeysWithoutEffect(
          "settings of the first implementation, which the library does not read",
          ["down_scale_factor", "gap_size", "layers_to_keep", "net_structure_type", "num_memory_blocks"])
      ]
    }
  }

  /// Where the layers are in the encoder.
  var layers: String {
    switch self {
    case .bert, .roberta, .mpnet, .electra: "encoder.layer"
    case .distilbert: "transformer.layer"
    case .albert: "encoder.albert_layer_groups"
    }
  }

  /// The layers of a classifier.
  /// - Parameter encoder: the place of all but those.
  func classes(_ count: Int, encoder: WeightPath) -> TextHead.Classes {
    func classes(
      _ dense: String, _ activation: Activation, _ output: LinearLayer = "classifier"
    ) -> TextHead.Classes {
      TextHead.Classes(
        count: count, dense: LinearLayer(dense, hasBias: true), activation: activation, output: output)
    }
    return switch self {
    case .bert: classes(encoder.key("pooler.dense"), .tanh)
    case .albert: classes(encoder.key("pooler"), .tanh)
    case .distilbert: classes("pre_classifier", .relu)
    case .roberta, .mpnet: classes("classifier.dense", .tanh, "classifier.out_proj")
    case .electra: classes("classifier.dense", .gelu(.exact), "classifier.out_proj")
    }
  }
}

extension BERTConfiguration {
  /// A layer as the family has it.
  func layer(_ weights: WeightPath) -> EncoderLayer {
    switch family {
    case .bert, .roberta, .electra:
      layer(
        weights, ("attention.self.query", "attention.self.key", "attention.self.value"),
        "attention.output.dense", "attention.output.LayerNorm", "intermediate.dense", "output.dense",
        "output.LayerNorm")
    case .distilbert:
      layer(
        weights, ("attention.q_lin", "attention.k_lin", "attention.v_lin"), "attention.out_lin",
        "sa_layer_norm", "ffn.lin1", "ffn.lin2", "output_layer_norm")
    case .mpnet:
      layer(
        weights, ("attention.attn.q", "attention.attn.k", "attention.attn.v"), "attention.attn.o",
        "attention.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm")
    case .albert:
      layer(
        weights, ("attention.query", "attention.key", "attention.value"), "attention.dense",
        "attention.LayerNorm", "ffn", "ffn_output", "full_layer_layer_norm")
    }
  }

  private func layer(
    _ weights: WeightPath, _ projections: (LinearLayer, LinearLayer, LinearLayer), _ output: LinearLayer,
    _ attentionNorm: String, _ expansion: LinearLayer, _ contraction: LinearLayer, _ outputNorm: String
  ) -> EncoderLayer {
    EncoderLayer(
      weights, Norm(.layer, encoder.epsilon),
      SelfAttention(encoder, .separate(projections.0, projections.1, projections.2), output: output),
      .normLast(attentionNorm), FeedForward(.plain(expansion), contraction, encoder), .normLast(outputNorm))
  }
}
