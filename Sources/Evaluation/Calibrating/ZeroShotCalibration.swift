import Apus
import Networks
import TensorCore

/// Makes a model of pictures and texts say which pictures are unlike all that it knows, whatever the labels.
package struct ZeroShotCalibration {
  private let options: CalibrationOptions
  private let classifier: ZeroShotClassifier
  private let progress: (_ done: Int, _ total: Int) -> Void

  /// - Parameter progress: told of each picture.
  /// - Throws: ``ApusError`` when the model cannot be used.
  package init(
    _ model: String, _ options: CalibrationOptions, progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) throws(ApusError) {
    var classifierOptions = ZeroShotClassifier.Options(
      preprocessing: options.preprocessing, inference: options.inference)
    classifierOptions.isForCalibration = true
    self.options = options
    self.progress = progress
    classifier = try ZeroShotClassifier(model, options: classifierOptions)
  }

  /// Which files beside the model were passed over, and why.
  package var notes: [String] { classifier.notes }

  /// Where the metadata are written.
  package var metadataPath: String { options.metadata ?? classifier.metadataPath }

  /// Runs the tower for pictures on all of them and fits a rejection.
  /// - Throws: ``ApusError``: kind `file` or `configuration` for the data, and before the tower runs, where what is fitted
  ///   could not be written at ``metadataPath``; `unsupportedModel` for a tower without places.
  package func fit() throws(ApusError) -> CalibratedZeroShot {
    let pictures = try CalibrationPictures(options)
    try CalibrationFiles.check(metadata: metadataPath, mayReject: true)
    let (known, foreign) = try pictures.map(progress: progress) { (image, _) throws(ApusError) in
      try classifier.features(of: image)
    }
    let kinds = Self.kinds(of: pictures.known)
    try pictures.checkScatter(of: known, kinds, foreign: foreign)
    return try naming(classifier.path) { () throws(ApusError) in
      try CalibratedZeroShot(
        known, kinds: kinds, foreign: foreign, foreignKinds: pictures.foreignKinds, options.demands)
    }
  }

  /// Pictures of a label of which there are fewer do not say how those of a label scatter.
  private static let leastOfKind = 10

  /// What each picture shows: its label, where all labels have enough pictures; else all show the same.
  private static func kinds(of data: DataSet) -> [Int] {
    let labels = data.items.map { $0.label.map { ExactText($0) } }
    let counts = Dictionary(labels.compactMap(\.self).map { ($0, 1) }, uniquingKeysWith: +)
    guard data.isLabelled, counts.values.allSatisfy({ $0 >= leastOfKind }) else {
      return data.items.map { _ in 0 }
    }
    let numbers = Dictionary(uniqueKeysWithValues: zip(counts.keys.sorted(), 0...))
    return labels.map { $0.flatMap { numbers[$0] } ?? 0 }
  }
}
