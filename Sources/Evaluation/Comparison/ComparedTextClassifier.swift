import Apus
import Images
import Networks
import TensorCore

/// A classifier of texts in a folder.
struct ComparedTextClassifier: ComparedModel {
  let classifier: TextClassifier
  let classNames: [String]?

  /// - Parameter labels: names for the classes in place of the model's own.
  /// - Throws: ``ApusError``, of kind `configuration` when they are not as many as the classes.
  init(_ path: String, labels: GivenLabels?, inference: InferenceOptions) throws(ApusError) {
    var options = TextClassifier.Options()
    options.inference = inference
    // The labels of a file may tell which of several outputs has the scores.
    if case .file(let file) = labels { options.labels = file }
    classifier = try TextClassifier(path, options: options)
    let names: [String] = if case .names(let names) = labels { names } else { classifier.shownLabels }
    guard names.count == classifier.labels.count else {
      throw ApusError(
        .configuration, "\(names.count) labels", expected: "\(classifier.labels.count)",
        file: classifier.path)
    }
    classNames = names
  }

  var path: String { classifier.path }
  var classCount: Int { classifier.labels.count }
  var preprocessing: String { "the tokenizer in the model's folder" }
  var preprocessor: Preprocessor? { nil }
  var computation: Computation { classifier.computation }
  var memory: ModelMemory { classifier.memory }
  var notes: [String] { classifier.notes }
  var loadMilliseconds: Double { classifier.loadTimes.total.milliseconds }
  var outputType: TensorType? { nil }

  var meaning: ScoreMeaning { classifier.meaning }

  var certaintyRule: CertaintyRule { CertaintyRule(lowestScore: classifier.lowestScore) }

  func outputs(for sample: Sample, preparedBy other: Preprocessor?) throws(ApusError) -> ClassOutputs {
    guard case .text(let text) = sample else { throw Sample.refusal("a text") }
    return try classifier.outputs(for: text)
  }

  func tokens(of text: String) throws(ApusError) -> Encoding? { try classifier.encode(text) }

  func outputs(forTokens tokens: Encoding) throws(ApusError) -> ClassOutputs? {
    try classifier.outputs(for: tokens)
  }

  func layerSource(for sample: Sample, readBy reader: any ComparedModel) throws(ApusError) -> LayerSource {
    guard case .text(let text) = sample else { throw Sample.refusal("a text") }
    let tokens = if let tokens = try reader.tokens(of: text) { tokens } else { try classifier.encode(text) }
    let (graph, options) = try classifier.graph(for: tokens)
    return LayerSource(graph, options.compile, classNames: classNames)
  }

  func layerInputs(for sample: Sample) throws(ApusError) -> [Tensor] {
    guard case .text(let text) = sample else { throw Sample.refusal("a text") }
    return try classifier.inputs(for: text)
  }

  func scores(of outputs: ClassOutputs) throws(ApusError) -> [Float] { try classifier.scores(of: outputs) }
}
