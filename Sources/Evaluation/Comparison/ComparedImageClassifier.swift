import Apus
import Images
import Networks
import TensorCore

/// A classifier of pictures in a file or folder.
struct ComparedImageClassifier: ComparedModel {
  let classifier: ImageClassifier
  let preparation: Preprocessor

  /// - Parameter normalization: what takes the place of the model's own.
  init(
    _ path: String, labels: String?, profile: PreprocessingProfile?, normalization: Normalization?,
    inference: InferenceOptions
  ) throws(ApusError) {
    var options = ImageClassifier.Options()
    options.labels = labels
    options.preprocessing = profile
    options.inference = inference
    let classifier = try ImageClassifier(path, options: options)
    self.classifier = classifier
    preparation = try classifier.preprocessor.with(normalization)
  }

  var path: String { classifier.path }
  var classCount: Int { classifier.labels.count }
  var classNames: [String]? { classifier.hasLabels ? classifier.shownLabels : nil }
  var preprocessing: String { preparation.description }
  var preprocessor: Preprocessor? { preparation }
  var computation: Computation { classifier.computation }
  var memory: ModelMemory { classifier.memory }
  var notes: [String] { classifier.notes }
  var loadMilliseconds: Double { classifier.loadTimes.total.milliseconds }
  var outputType: TensorType? { classifier.outputType }

  var meaning: ScoreMeaning { classifier.meaning }

  var certaintyRule: CertaintyRule {
    CertaintyRule(lowestScore: classifier.lowestScore, noveltyThreshold: classifier.noveltyThreshold)
  }

  func isForeign(_ outputs: ClassOutputs) -> Bool { classifier.isForeign(outputs) }

  func outputs(for sample: Sample, preparedBy other: Preprocessor?) throws(ApusError) -> ClassOutputs {
    guard case .picture(let image) = sample else { throw Sample.refusal("a picture") }
    return try classifier.outputs(for: image, preparedBy: other ?? preparation)
  }

  func layerSource(for sample: Sample, readBy reader: any ComparedModel) throws(ApusError) -> LayerSource {
    LayerSource(try classifier.graph(), classifier.network.options.compile, classNames: classNames)
  }

  func layerInputs(for sample: Sample) throws(ApusError) -> [Tensor] {
    guard case .picture(let image) = sample else { throw Sample.refusal("a picture") }
    return [try preparation.tensor(image)]
  }

  func scores(of outputs: ClassOutputs) throws(ApusError) -> [Float] { try classifier.scores(of: outputs) }
}

extension Preprocessor {
  /// The same with another rule for the numbers; the same itself for nil.
  func with(_ normalization: Normalization?) throws(ApusError) -> Preprocessor {
    guard let normalization else { return self }
    return try Preprocessor(profile.with(normalization), input: input)
  }
}
