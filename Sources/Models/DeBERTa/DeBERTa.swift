import Formats
import Graph
import TensorCore

/// The second and third version of DeBERTa (He et al. 2021, "DeBERTa: Decoding-enhanced BERT with Disentangled Attention"):
/// an encoder of texts whose attention goes by the distances of tokens, and what is made of its rows.
struct DeBERTa: HeadedTextTower {
  let configuration: DeBERTaConfiguration
  let head: TextHead
  let maximumTokens: Int
  /// The root of the file.
  let weights: WeightPath
  /// What is added to the words' embeddings; nil for nothing.
  private let positions: TypedPositions?
  /// What attention goes by; nil where it goes by no distances.
  private let vectors: DistanceVectors?

  init(_ configuration: DeBERTaConfiguration, _ head: TextHead, _ weights: WeightPath) {
    self.configuration = configuration
    self.head = head
    self.weights = weights
    maximumTokens = configuration.maximumTokens
    let adds = configuration.hasPositions || configuration.tokenTypes > 0
    positions =
      adds
      ? TypedPositions(
        positions: configuration.hasPositions ? configuration.statedPositions : nil,
        tokenTypes: configuration.tokenTypes, width: configuration.embeddingWidth) : nil
    vectors = configuration.attention.isUsed ? DistanceVectors(configuration: configuration) : nil
  }

  var encoder: EncoderConfiguration { configuration.encoder }
  var vocabularySize: Int? { configuration.vocabulary }

  var pairs: TextPairs {
    guard configuration.tokenTypes > 0, let positions else { return .untyped }
    return .typed(positions.types)
  }

  private var encoderWeights: WeightPath { weights.descending(ifPresent: "deberta") }

  func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let inputs = try TextInputs(
      tokens: tokens, sequences: sequences, pools: head.pooling != .mean, in: &graph)
    let embedded = try embeddings(inputs, in: &graph)
    // No text is longer than the limit, however many there are.
    let layers = try layers(tokens: min(tokens, maximumTokens), in: &graph)
    let x = try encoded(embedded, inputs, layers, in: &graph)
    graph.output(try head(x, inputs.segments, weights, in: &graph))
    return graph.graph
  }

  /// The layers in the order in which they run, with what each adds by distances.
  private func layers(tokens: Int, in graph: inout GraphBuilder) throws(ApusError) -> [EncoderLayer] {
    let places = (0..<configuration.encoder.layers).map { encoderWeights["encoder.layer"][$0] }
    var layers = places.map(layer)
    let operands = try vectors?.operands(tokens: tokens, places, encoderWeights["encoder"], in: &graph) ?? []
    for (index, operands) in operands.enumerated() { layers[index].attention.bias = .vectors(operands) }
    return layers
  }

  private func layer(_ weights: WeightPath) -> EncoderLayer {
    let sizes = configuration.encoder
    var attention = SelfAttention(
      sizes,
      .separate("attention.self.query_proj", "attention.self.key_proj", "attention.self.value_proj"),
      output: "attention.output.dense")
    // Sums of several kinds of products are scaled down by so many more.
    attention.scale = 1 / Float(sizes.headWidth * (1 + configuration.attention.namedTerms)).squareRoot()
    return EncoderLayer(
      weights, Norm(.layer, sizes.epsilon), attention, .normLast("attention.output.LayerNorm"),
      FeedForward(.plain("intermediate.dense"), "output.dense", sizes), .normLast("output.LayerNorm"))
  }

  /// Words and what is added to them, projected to as many features as a layer has, and normalised.
  private func embeddings(_ inputs: TextInputs, in graph: inout GraphBuilder) throws(ApusError) -> Value {
    let (weights, width) = (encoderWeights["embeddings"], configuration.embeddingWidth)
    var x = try graph.embedding(
      inputs.ids, weights["word_embeddings"], rows: configuration.vocabulary, width: width)
    if let positions {
      let table = try positions.table(weights, in: &graph)
      let rows = try graph.apply(
        EmbeddingRows(), [table, inputs.positions], at: weights.key("positions and types"))
      x = try graph.sum(x, rows, at: weights.key("sum"))
    }
    if width != configuration.encoder.width {
      x = try graph.linear(
        x, weights["embed_proj"], outputs: configuration.encoder.width, hasBias: false)
    }
    return try graph.layerNorm(x, weights["LayerNorm"], epsilon: configuration.encoder.epsilon)
  }

  /// All layers, with the convolution of what the first one is given added to its result.
  private func encoded(
    _ embedded: Value, _ inputs: TextInputs, _ layers: [EncoderLayer], in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let (segments, kept, end) = (inputs.segments, inputs.pooledRows, head.pooling.end)
    guard let convolution = configuration.convolution else {
      return try Encoder(layers)(embedded, segments, keeping: kept, at: end, in: &graph)
    }
    let first = try Encoder(Array(layers.prefix(1)))(embedded, segments, in: &graph)
    let convolved = try self.convolved(embedded, segments, convolution, in: &graph)
    let weights = encoderWeights["encoder.conv"]
    let sum = try graph.sum(first, convolved, at: weights.key("sum"))
    let x = try graph.layerNorm(sum, weights["LayerNorm"], epsilon: configuration.encoder.epsilon)
    return try Encoder(Array(layers.dropFirst()))(x, segments, keeping: kept, at: end, in: &graph)
  }

  private func convolved(
    _ x: Value, _ segments: Segments, _ convolution: DeBERTaConfiguration.Convolution,
    in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let (weights, width, size) = (
      encoderWeights["encoder.conv.conv"], configuration.encoder.width, convolution.size
    )
    let windows = try graph.apply(
      SegmentWindows(size: size), [x, segments.bounds], at: weights.key("windows"))
    let place = weights.key("weight")
    // Stored [outputs, inputs, rows], and multiplied with one row after the other.
    let stored = try graph.float32(weights, "weight", [width, width, size])
    let matrix = try graph.reshape(
      graph.transpose(stored, [0, 2, 1], at: place), [width, size * width], at: place)
    let bias = try graph.float32(weights, "bias", [width])
    return try graph.apply(
      Linear(hasBias: true, activation: convolution.activation), [windows, matrix, bias], at: weights.prefix)
  }

  func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor] {
    let batch = try TextBatch(rows, maximumTokens: maximumTokens)
    if vectors != nil || configuration.convolution != nil { try rows.requireNoGaps() }
    let places = try positions?.rows(of: batch.positions, types: rows.flatMap(\.seenTypes)) ?? batch.positions
    return try batch.tensors(positions: places, pooled: head.pooling.rows(batch))
  }
}
