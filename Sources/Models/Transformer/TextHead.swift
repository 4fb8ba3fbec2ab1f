import Graph
import TensorCore

/// What a network for texts makes of its tokens' features: one row of them for each text, or of a classifier the logits.
struct TextHead: Sendable {
  /// Which tokens' features stand for a text, by the names of sentence-transformers.
  enum Pooling: String, Sendable {
    /// The mean of all.
    case mean
    /// The first token's.
    case first = "cls"
    /// Those of the last token that the model sees.
    case last = "lasttoken"

    /// The end of a text at which its token stands, if it is one.
    var end: SequenceEnd { self == .last ? .last : .first }

    /// The rows whose results are wanted, one for each text; nil for all.
    func rows(_ batch: TextBatch) -> [Int32]? {
      switch self {
      case .mean: nil
      case .first: batch.firstRows
      case .last: batch.lastRows
      }
    }

    /// The features of each text, float32 [texts, width].
    /// - Parameter x: of all tokens for the mean, else of one token of each text.
    func callAsFunction(
      _ x: Value, _ segments: Segments, in graph: inout GraphBuilder
    ) throws(ApusError) -> Value {
      guard self == .mean else { return x }
      return try graph.apply(SegmentMean(), [x, segments.bounds], at: "mean of the tokens")
    }
  }

  /// A linear layer to the logits, it may be behind one with an activation.
  struct Classes: Sendable {
    let count: Int
    var dense: LinearLayer?
    var activation = LinearActivation.none
    /// What normalises the features between the two.
    var norm: (kind: Norm, name: String)?
    var output: LinearLayer = "classifier"
  }

  let pooling: Pooling
  /// Linear layers of sentence-transformers behind pooling, in order.
  var dense: [DenseModule] = []
  /// Nil where the features are the result.
  var classes: Classes?

  /// - Parameters:
  ///   - x: as ``Pooling/callAsFunction(_:_:in:)`` takes them.
  ///   - weights: the place from which the layers have their names.
  func callAsFunction(
    _ x: Value, _ segments: Segments, _ weights: WeightPath, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    var x = try pooling(x, segments, in: &graph)
    for module in dense { x = try module(x, in: &graph) }
    guard let classes else { return x }
    if let dense = classes.dense {
      x = try graph.linear(x, weights, dense, outputs: graph.width(x), activation: classes.activation)
    }
    if let norm = classes.norm { x = try norm.kind(x, weights[norm.name], in: &graph) }
    return try graph.linear(x, weights, classes.output, outputs: classes.count)
  }
}

/// A network for texts that ends with a ``TextHead``.
protocol HeadedTextTower: TextTower {
  var head: TextHead { get }
  var encoder: EncoderConfiguration { get }
}

extension HeadedTextTower {
  var outputWidth: Int { head.classes?.count ?? head.dense.last?.outputs ?? encoder.width }
  var outputName: TowerOutput? { head.classes == nil ? .sentenceEmbedding : .logits }
  func pooledToken(of ids: [Int32]) -> Int? { head.pooling == .first ? 0 : nil }
}
