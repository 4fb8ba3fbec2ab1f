import Apus
import Formats
import Images
import Glibc
import Networks
import Statistics
import TensorCore

/// Makes a classifier of pictures say how sure it may be: a temperature for its scores, a threshold below which they are
/// uncertain, and what tells pictures that show none of its classes.
///
/// Novelties are chosen by pictures that the rejection was not fitted with: the samples of each class are divided in
/// their order, in which copies and series lie side by side, and those of each part are judged by a fit to the others.
package struct ClassifierCalibration {
  package struct Options: Sendable {
    /// A folder of pictures for each class, or a list with labels, that the model was not trained with.
    package var data: String
    /// A folder of pictures that show none of the classes.
    package var foreign: String?
    /// A file with a label for each class.
    package var labels: String?
    /// The `meta.json` to write; nil for that beside the model.
    package var metadata: String?
    package var preprocessing: PreprocessingProfile?
    package var demands = CertaintyDemands()
    package var inference = InferenceOptions()

    package init(data: String) { self.data = data }
  }

  private static let parts = 5

  private let options: Options
  private let classifier: ImageClassifier
  private let progress: (_ done: Int, _ total: Int) -> Void

  /// - Parameter progress: told of each picture.
  /// - Throws: ``ApusError`` when the model cannot be used, or gives neither probabilities nor logits.
  package init(
    _ model: String, _ options: Options, progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) throws(ApusError) {
    var classifierOptions = ImageClassifier.Options(
      labels: options.labels, metadata: options.metadata.flatMap { FileSystem.exists($0) ? $0 : nil },
      preprocessing: options.preprocessing, inference: options.inference)
    classifierOptions.isForCalibration = true
    self.options = options
    self.progress = progress
    classifier = try ImageClassifier(model, options: classifierOptions)
  }

  /// Where the metadata are written.
  package var metadataPath: String { options.metadata ?? classifier.metadataPath }

  /// Runs the model on all pictures and fits everything.
  /// - Throws: ``ApusError``: kind `file` or `configuration` for the data.
  package func fit() throws(ApusError) -> CalibratedClassifier {
    let data = try DataSet(options.data, kind: .pictures)
    let foreignData = try options.foreign.map { (path) throws(ApusError) in
      PictureFiles.paths(below: path).map { "\(path)/\($0)" }
    }
    if let path = options.foreign, foreignData?.isEmpty ?? true { throw PictureFiles.absent(in: path) }
    let matching = try matching(of: data)
    let total = data.items.count + (foreignData?.count ?? 0)
    var known: [CalibrationSample] = []
    var foreign: [CalibrationSample] = []
    for (index, item) in data.items.enumerated() {
      let outputs = try outputs(item.content)
      known.append(try sample(outputs, item.label.flatMap { matching.classes[$0] }))
      progress(index + 1, total)
    }
    for (index, path) in (foreignData ?? []).enumerated() {
      foreign.append(try sample(try outputs(.picture(path)), nil))
      progress(data.items.count + index + 1, total)
    }
    return try CalibratedClassifier(
      known, foreign: foreign, classCount: classifier.labels.count, parts: Self.parts, options.demands)
  }

  private func matching(of data: DataSet) throws(ApusError) -> LabelMatching {
    guard data.isLabelled, !data.items.isEmpty else {
      throw ApusError(
        .configuration, "pictures without labels", expected: "a folder for each class, or a list with labels",
        file: options.data)
    }
    let names = classifier.hasLabels ? classifier.labels : nil
    let space = try ClassSpace(
      [.init(model: classifier.path, count: classifier.labels.count, names: names)], table: data.table,
      dataLabels: data.labels)
    return try LabelMatching(data.labels, in: space, table: data.table)
  }

  private func outputs(_ content: SampleReport.Content) throws(ApusError) -> ClassOutputs {
    guard case .picture(let image) = try Sample(content) else { throw Sample.refusal("a picture") }
    return try classifier.outputs(for: image)
  }

  private func sample(_ outputs: ClassOutputs, _ label: Int?) throws(ApusError) -> CalibrationSample {
    let logits: [Float]
    switch (outputs.logits, classifier.meaning(of: outputs.values)) {
    case (let stated?, _): logits = stated
    case (nil, .logits): logits = outputs.values
    case (nil, .probabilities): logits = outputs.values.map { logf(max($0, 0)) }
    case (nil, .independentLogits), (nil, .quantities):
      throw ApusError(
        .unsupportedModel, "scores of which each stands for itself", expected: "probabilities of classes",
        file: classifier.path)
    }
    return CalibrationSample(logits: logits, features: outputs.features, label: label)
  }
}
