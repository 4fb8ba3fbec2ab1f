import Apus
import CLibrary
import Formats
import Networks
import TensorCore

/// Makes a classifier of pictures say how sure it may be: a temperature for its scores, a threshold below which they are
/// uncertain, and what tells pictures that show none of its classes.
package struct ClassifierCalibration {
  private let options: CalibrationOptions
  private let classifier: ImageClassifier
  private let progress: (_ done: Int, _ total: Int) -> Void

  /// - Parameter progress: told of each picture.
  /// - Throws: ``ApusError`` when the model cannot be used, or gives neither probabilities nor logits.
  package init(
    _ model: String, _ options: CalibrationOptions, progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) throws(ApusError) {
    var classifierOptions = ImageClassifier.Options(
      labels: options.labels, metadata: options.metadata.flatMap { FileSystem.exists($0) ? $0 : nil },
      preprocessing: options.preprocessing, inference: options.inference)
    classifierOptions.isForCalibration = true
    self.options = options
    self.progress = progress
    classifier = try ImageClassifier(model, options: classifierOptions)
  }

  /// Which files beside the model were passed over, and why.
  package var notes: [String] { classifier.notes }

  /// Where the metadata are written.
  package var metadataPath: String { options.metadata ?? classifier.metadataPath }

  /// Runs the model on all pictures and fits everything.
  /// - Throws: ``ApusError``: kind `file` or `configuration` for the data, and before the model runs, where what is fitted
  ///   could not be written at ``metadataPath``.
  package func fit() throws(ApusError) -> CalibratedClassifier {
    let pictures = try CalibrationPictures(options)
    let matching = try matching(of: pictures.known)
    let classes = pictures.known.items.compactMap { $0.label.flatMap { matching.classes[ExactText($0)] } }
    let hasPairs = Set(classes).count < classes.count
    try CalibrationFiles.check(metadata: metadataPath, mayReject: classifier.showsFeatures && hasPairs)
    let (known, foreign) = try pictures.map(progress: progress) { (image, label) throws(ApusError) in
      try sample(try classifier.outputs(for: image), label.flatMap { matching.classes[ExactText($0)] })
    }
    try pictures.checkScatter(
      of: known.map(\.features), known.map(\.label), foreign: foreign.map(\.features))
    return try naming(options.data) { () throws(ApusError) in
      try CalibratedClassifier(
        known, foreign: foreign, kinds: pictures.foreignKinds, classCount: classifier.labels.count,
        options.demands)
    }
  }

  private func matching(of data: DataSet) throws(ApusError) -> LabelMatching {
    guard data.isLabelled, !data.items.isEmpty else {
      throw ApusError(
        .configuration, "pictures without labels", expected: "a folder for each class, or a list with labels",
        file: options.data)
    }
    let names = classifier.hasLabels ? classifier.shownLabels : nil
    let space = try ClassSpace(
      [.init(model: classifier.path, count: classifier.labels.count, names: names)], table: data.table,
      dataLabels: data.labels)
    return try LabelMatching(data.labels, in: space, table: data.table)
  }

  private func sample(_ outputs: ClassOutputs, _ label: Int?) throws(ApusError) -> CalibrationSample {
    let logits: [Float]
    switch (classifier.meaning, outputs.logits) {
    case (.probabilities, let stated?): logits = stated
    case (.logits, _): logits = outputs.values
    case (.probabilities, nil): logits = outputs.values.map { logf(max($0, 0)) }
    case (.independentLogits, _), (.independentProbabilities, _), (.quantities, _):
      throw ApusError(
        .unsupportedModel, "scores of which each stands for itself", expected: "probabilities of classes",
        file: classifier.path)
    }
    return CalibrationSample(logits: logits, features: outputs.features, label: label)
  }
}
