import TensorCore

/// Which label belongs to which class when one of them has a background class in front.
package enum LabelAlignment: Sendable, Equatable {
  /// Label i names class i.
  case exact
  /// Class 0 is background and has no label; label i names class i + 1.
  case unlabelledBackground
  /// Label 0 is background and has no class; label i + 1 names class i.
  case surplusBackground

  /// The number of ImageNet classes, which models have with and without background.
  private static let imageNetClasses = 1000

  /// How the labels fit a model. A difference of one is background only for the 1000 classes of ImageNet, or
  /// when the surplus label says so.
  /// - Throws: ``ApusError`` of kind `configuration` with both counts when they do not fit.
  package init(labels: [String], classCount: Int) throws(ApusError) {
    let isBackground = labels.first.map { $0.lowercased() == "background" } ?? false
    switch (labels.count, classCount) {
    case let (labels, classes) where labels == classes: self = .exact
    case (Self.imageNetClasses, Self.imageNetClasses + 1): self = .unlabelledBackground
    case (Self.imageNetClasses + 1, Self.imageNetClasses): self = .surplusBackground
    case let (labels, classes) where labels - 1 == classes && isBackground: self = .surplusBackground
    default:
      throw ApusError(
        .configuration, "\(labels.count) labels for a model of \(classCount) classes",
        expected: "\(classCount)",
        advice: "The labels must be those that the model was trained with, one for each class.")
    }
  }

  /// The index of the label of a class; nil for background without one.
  package func label(ofClass index: Int) -> Int? {
    switch self {
    case .exact: index
    case .unlabelledBackground: index > 0 ? index - 1 : nil
    case .surplusBackground: index + 1
    }
  }
}
