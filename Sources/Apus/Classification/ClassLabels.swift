import Formats
import Networks
import TensorCore

/// The name of each class of a model, and what else is said of it.
struct ClassLabels: Sendable {
  /// By index: the label, `background` for a background class without one, or the number of the class. Empty
  /// where a configuration says so.
  let names: [String]
  /// Whether anybody says them.
  let areKnown: Bool
  /// Why files of labels beside the model are passed over, where they are.
  let notes: [String]
  /// By the class: two may have one label.
  private let details: [LabelDetails?]

  /// The labels of the file at `path`; else those that the model brings; else numbers.
  /// - Parameter output: the position of the scores among the outputs of a file.
  /// - Throws: ``ApusError`` when they cannot be read or are not as many as the classes.
  init(path: String?, model: OpenedModel, ofOutput output: Int = 0, classCount: Int) throws(ApusError) {
    let stated: Noted<LabelFile?> =
      if let path { Noted(try LabelFile(contentsOf: path).labels(forClasses: classCount)) } else {
        try model.labels(ofOutput: output, classCount: classCount)
      }
    notes = stated.notes
    areKnown = stated.content != nil
    guard let found = stated.content else {
      names = (0..<classCount).map { "\($0)" }
      details = Array(repeating: nil, count: classCount)
      return
    }
    let labels = found.labels
    let alignment = try naming(path ?? model.path) { () throws(ApusError) in
      try found.alignment(classCount: classCount)
    }
    // An empty line of a file names nothing; a configuration's names are what transformers gives.
    let mayBeEmpty = path == nil && model.namesClasses
    names = (0..<classCount).map { index in
      guard let position = alignment.label(ofClass: index) else { return "background" }
      guard labels.indices.contains(position), mayBeEmpty || !labels[position].isEmpty else {
        return "\(index)"
      }
      return labels[position]
    }
    details = (0..<classCount).map { index in
      alignment.label(ofClass: index).flatMap { found.details[$0] }
    }
  }

  /// The names as people read them: a class whose name is empty has its number.
  var shown: [String] { names.enumerated().map { $1.isEmpty ? "\($0)" : $1 } }

  /// The best classes, best first; of equal scores the lower index is first.
  /// - Parameters:
  ///   - scores: one for each class.
  ///   - count: how many are wanted; nil for all.
  ///   - threshold: the score below which a class is uncertain; nil where none is.
  ///   - isForeign: whether every class is.
  /// - Throws: ``ApusError`` of kind `argument` when none is wanted.
  func predictions(
    _ scores: ClassScores, _ count: Int?, threshold: Float?, isForeign: Bool = false
  ) throws(ApusError) -> [Prediction] {
    try scores.best(TopK.checked(count) ?? names.count).map { index in
      let score = scores.values[index]
      return Prediction(
        label: names[index], index: index, score: score,
        isUncertain: isForeign || threshold.map { score < $0 } ?? false,
        details: details[index])
    }
  }
}
