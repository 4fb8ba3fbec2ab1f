import Apus
import Images
import Networks
import TensorCore

/// A model of pictures and texts, with labels that are written down.
struct ComparedZeroShotClassifier: ComparedModel {
  let classifier: ZeroShotClassifier
  let labels: [String]
  let preparation: Preprocessor

  /// - Parameters:
  ///   - templates: sentences with `{}` where a label goes; the labels alone when there are none.
  ///   - normalization: what takes the place of the model's own.
  init(
    _ path: String, labels: [String], templates: [String], profile: PreprocessingProfile?,
    normalization: Normalization?, inference: InferenceOptions
  ) throws(ApusError) {
    var options = ZeroShotClassifier.Options()
    if !templates.isEmpty { options.templates = templates }
    options.preprocessing = profile
    options.inference = inference
    let classifier = try ZeroShotClassifier(path, options: options)
    self.classifier = classifier
    self.labels = labels
    preparation = try classifier.preprocessor.with(normalization)
  }

  var path: String { classifier.path }
  var classCount: Int { labels.count }
  var classNames: [String]? { labels }
  var preprocessing: String { preparation.description }
  var preprocessor: Preprocessor? { preparation }
  var computation: Computation { classifier.computation }
  var memory: ModelMemory { classifier.memory }
  var notes: [String] { classifier.notes }
  var loadMilliseconds: Double { classifier.loadTimes.total.milliseconds }
  var outputType: TensorType? { nil }

  var meaning: ScoreMeaning { classifier.meaning }

  var certaintyRule: CertaintyRule {
    CertaintyRule(lowestScore: classifier.threshold, noveltyThreshold: classifier.noveltyThreshold)
  }

  func isForeign(_ outputs: ClassOutputs) -> Bool { classifier.isForeign(outputs) }

  func outputs(for sample: Sample, preparedBy other: Preprocessor?) throws(ApusError) -> ClassOutputs {
    guard case .picture(let image) = sample else { throw Sample.refusal("a picture") }
    return try classifier.outputs(for: image, labels: labels, preparedBy: other ?? preparation)
  }

  func tokens(of text: String) throws(ApusError) -> Encoding? { try classifier.encode(text) }

  /// The network for pictures.
  func layerSource(for sample: Sample, readBy reader: any ComparedModel) throws(ApusError) -> LayerSource {
    LayerSource(try classifier.imageGraph(), classifier.network.options.compile)
  }

  func layerInputs(for sample: Sample) throws(ApusError) -> [Tensor] {
    guard case .picture(let image) = sample else { throw Sample.refusal("a picture") }
    return [try preparation.tensor(image)]
  }

  func scores(of outputs: ClassOutputs) throws(ApusError) -> [Float] { try classifier.scores(of: outputs) }
}
