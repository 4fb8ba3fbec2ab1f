import Apus
import Images
import Networks
import TensorCore

/// A model under comparison, whatever its kind.
protocol ComparedModel: Sendable {
  /// The file or folder in use.
  var path: String { get }
  var classCount: Int { get }
  /// The names of the classes; nil when nobody says them.
  var classNames: [String]? { get }
  /// How samples become its input, on one line.
  var preprocessing: String { get }
  /// What writes pictures into its input; nil for a model of texts.
  var preprocessor: Preprocessor? { get }
  /// The arithmetic and kernels it runs on.
  var computation: Computation { get }
  /// The time of loading, in milliseconds.
  var loadMilliseconds: Double { get }
  /// Bytes it holds in memory now.
  var memory: ModelMemory { get }
  /// Which files beside it were passed over, and why.
  var notes: [String] { get }
  /// What its output is taken for.
  var meaning: ScoreMeaning { get }
  /// By what it calls answers uncertain itself.
  var certaintyRule: CertaintyRule { get }
  /// Whether a sample is foreign to it, by its outputs.
  func isForeign(_ outputs: ClassOutputs) -> Bool
  /// What it gives for a sample.
  /// - Parameter other: what prepares a picture in place of ``preprocessor``.
  func outputs(for sample: Sample, preparedBy other: Preprocessor?) throws(ApusError) -> ClassOutputs
  func scores(of outputs: ClassOutputs) throws(ApusError) -> [Float]
  /// The tokens of a text as it reads them; nil for a model of pictures alone.
  func tokens(of text: String) throws(ApusError) -> Encoding?
  /// What it gives for tokens that another model's tokenizer made; nil for a model of pictures.
  func outputs(forTokens tokens: Encoding) throws(ApusError) -> ClassOutputs?
  /// Its network as it was before any pass, and how it is run.
  /// - Parameters:
  ///   - sample: one that it shall take, where that decides shapes.
  ///   - reader: the model whose tokens of a text it shall take.
  func layerSource(for sample: Sample, readBy reader: any ComparedModel) throws(ApusError) -> LayerSource
  /// The inputs of its network for a sample.
  func layerInputs(for sample: Sample) throws(ApusError) -> [Tensor]
  /// The type of its output, where integers may be at the end of their range.
  var outputType: TensorType? { get }
}

extension ComparedModel {
  func isForeign(_ outputs: ClassOutputs) -> Bool { false }

  /// Why it calls an answer uncertain itself; nil where it does not.
  /// - Parameter scores: by its own numbering of classes.
  func reason(_ scores: [Float], _ outputs: ClassOutputs) -> Uncertainty? {
    if isForeign(outputs) { return .foreign }
    guard let least = certaintyRule.lowestScore, let best = scores.max() else { return nil }
    return best < least ? .lowScore : nil
  }

  func tokens(of text: String) throws(ApusError) -> Encoding? { nil }
  func outputs(forTokens tokens: Encoding) throws(ApusError) -> ClassOutputs? { nil }
}
