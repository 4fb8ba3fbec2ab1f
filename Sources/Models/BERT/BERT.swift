import Formats
import Graph
import TensorCore

/// BERT (Devlin et al. 2019) and its kin DistilBERT, RoBERTa, MPNet, ELECTRA and ALBERT: an encoder of texts, and what
/// is made of its rows.
struct BERT: HeadedTextTower {
  let configuration: BERTConfiguration
  let head: TextHead
  /// The root of the file.
  let weights: WeightPath
  private let positions: TypedPositions
  /// What attention adds by the distance of two tokens; nil for a family that adds nothing.
  private let bias: RelativePositionBias?

  init(_ configuration: BERTConfiguration, _ head: TextHead, _ weights: WeightPath) {
    (self.configuration, self.head, self.weights) = (configuration, head, weights)
    positions = TypedPositions(configuration)
    bias = configuration.relativeBuckets.map {
      RelativePositionBias(
        heads: configuration.encoder.heads, rows: $0, length: configuration.maximumTokens)
    }
  }

  var encoder: EncoderConfiguration { configuration.encoder }
  var maximumTokens: Int { configuration.maximumTokens }
  var vocabularySize: Int? { configuration.vocabulary }
  var pairs: TextPairs { configuration.tokenTypes == 0 ? .untyped : .typed(positions.types) }

  private var encoderWeights: WeightPath { weights.descending(ifPresent: configuration.family.rawValue) }

  /// The places of the layers' weights, in the order in which they run.
  private var layers: [WeightPath] {
    let weights = encoderWeights[configuration.family.layers]
    return configuration.sharing?.layers(weights) ?? (0..<configuration.encoder.layers).map { weights[$0] }
  }

  func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let inputs = try TextInputs(
      tokens: tokens, sequences: sequences, pools: head.pooling != .mean, in: &graph)
    let embedded = try embeddings(inputs, in: &graph)
    let mask = try bias?.mask(encoderWeights["encoder.relative_attention_bias"], in: &graph)
    let encoder = Encoder(
      layers.map { place in
        var layer = configuration.layer(place)
        layer.attention.bias = mask.map { .distances($0) }
        return layer
      })
    let x = try encoder(
      embedded, inputs.segments, keeping: inputs.pooledRows, at: head.pooling.end, in: &graph)
    graph.output(try head(x, inputs.segments, weights, in: &graph))
    return graph.graph
  }

  /// Words, positions and types, summed and normalised, with as many features as a layer has.
  private func embeddings(_ inputs: TextInputs, in graph: inout GraphBuilder) throws(ApusError) -> Value {
    let (weights, width) = (encoderWeights["embeddings"], configuration.embeddingWidth)
    let words = try graph.embedding(
      inputs.ids, weights["word_embeddings"], rows: configuration.vocabulary, width: width)
    let table = try positions.table(weights, in: &graph)
    let names = ["position_embeddings"] + (configuration.tokenTypes > 0 ? ["token_type_embeddings"] : [])
    let positions = try graph.apply(
      EmbeddingRows(), [table, inputs.positions], at: weights.key(names.joined(separator: " + ")))
    let sum = try graph.sum(words, positions, at: weights.key("sum"))
    let normal = try graph.layerNorm(sum, weights["LayerNorm"], epsilon: configuration.encoder.epsilon)
    guard let projection = configuration.embeddingProjection else { return normal }
    return try graph.linear(normal, encoderWeights[projection], outputs: configuration.encoder.width)
  }

  func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor] {
    let batch = try TextBatch(rows, maximumTokens: maximumTokens)
    if bias != nil { try rows.requireNoGaps() }
    let columns = configuration.firstPosition > 0 ? rows.flatMap(positionsBehindPadding) : batch.positions
    let positions = try positions.rows(of: columns, types: rows.flatMap(\.seenTypes))
    return try batch.tensors(positions: positions, pooled: head.pooling.rows(batch))
  }

  /// RoBERTa and MPNet count from behind the padding's position, which padding inside a text keeps; whatever the mask says.
  private func positionsBehindPadding(_ row: TokenRow) -> [Int32] {
    let padding = Int32(clamping: configuration.firstPosition - 1)
    var position = padding
    let positions = row.ids.map { id in
      guard id != padding else { return padding }
      position += 1
      return position
    }
    return row.columns.map { positions[$0] }
  }
}

extension HuggingFaceArchitecture {
  static let bert: [HuggingFaceArchitecture] = [
    bert("Bert", "bert", "BERT", .bert, encoders: pretrained),
    bert("DistilBert", "distilbert", "DistilBERT", .distilbert),
    bert("Roberta", "roberta", "RoBERTa", .roberta),
    bert("XLMRoberta", "xlm-roberta", "XLM-RoBERTa", .roberta),
    bert("Camembert", "camembert", "CamemBERT", .roberta),
    bert("MPNet", "mpnet", "MPNet", .mpnet),
    bert("Electra", "electra", "ELECTRA", .electra, encoders: pretrained),
    bert("Albert", "albert", "ALBERT", .albert, encoders: pretrained),
  ].flatMap(\.self)

  /// The names of encoders in families that have heads of their own for what they were trained on, such as ELECTRA's
  /// discriminators.
  private static let pretrained = ["Model", "ForMaskedLM", "ForPreTraining"]

  private static func bert(
    _ prefix: String, _ modelType: String, _ family: String, _ kind: BERTConfiguration.Family,
    encoders: [String] = ["Model", "ForMaskedLM"]
  ) -> [HuggingFaceArchitecture] {
    let classifier = HuggingFaceArchitecture(
      "\(prefix)ForSequenceClassification", modelType, family, .textClassification,
      sample: #"{"sentence_transformers": {}}"#
    ) { (reader, _) throws(ApusError) in
      let (configuration, classes) = (try BERTConfiguration(reader, kind), try ClassConfiguration(reader))
      let pairs = try CrossEncoder(reader)
      return { (weights, folder) throws(ApusError) in
        try .classifier(configuration, classes, pairs.reading(folder), weights)
      }
    }
    let encoders = encoders.map { suffix in
      HuggingFaceArchitecture("\(prefix)\(suffix)", modelType, family, .textEmbedding) {
        (reader, _) throws(ApusError) in
        let configuration = try BERTConfiguration(reader, kind)
        return { (weights, folder) throws(ApusError) in try .encoder(configuration, weights, folder) }
      }
    }
    return [classifier] + encoders
  }
}

extension ModelArchitecture {
  fileprivate static func classifier(
    _ configuration: BERTConfiguration, _ classes: ClassConfiguration, _ pairs: CrossEncoder,
    _ weights: WeightPath
  ) -> ModelArchitecture {
    let encoder = weights.descending(ifPresent: configuration.family.rawValue)
    let head = TextHead(
      pooling: .first, classes: configuration.family.classes(classes.count, encoder: encoder))
    return ModelArchitecture(
      text: BERT(configuration, head, weights),
      outputs: .classifier(labels: classes.labels, scoring: pairs.scoring(of: classes)),
      textPreparation: pairs.preparation)
  }

  fileprivate static func encoder(
    _ configuration: BERTConfiguration, _ weights: WeightPath, _ folder: ModelFolder
  ) throws(ApusError) -> ModelArchitecture {
    let modules = try SentenceTransformer(folder)
    return ModelArchitecture(
      text: BERT(configuration, modules.head, weights),
      outputs: .encoder(normalizes: modules.normalizes), textPreparation: modules.preparation)
  }
}
