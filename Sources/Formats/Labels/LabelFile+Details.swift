import TensorCore

extension LabelFile {
  /// What the file says of the classes of a model that brings labels of its own, by their positions.
  ///
  /// In a file of as many labels, the place tells two classes of one label apart. Elsewhere classes are found by their
  /// labels; what is said of other labels is passed over, and of a label that comes twice in a file of another model.
  /// - Throws: ``ApusError`` of kind `configuration` where one of several classes of the same label may be meant.
  package func details(of own: [String]) throws(ApusError) -> [Int: LabelDetails] {
    let positions = Dictionary(grouping: own.indices) { ExactText(own[$0]) }
    let entries = Dictionary(grouping: labels.indices) { ExactText(labels[$0]) }
    let isOfThisModel = labels.count == own.count || labels.allSatisfy { positions[ExactText($0)] != nil }
    var found: [Int: LabelDetails] = [:]
    for (place, said) in details.sorted(by: { $0.key < $1.key }) where labels.indices.contains(place) {
      let label = ExactText(labels[place])
      if labels.count == own.count, ExactText(own[place]) == label {
        found[place] = said
      } else if let classes = positions[label] {
        if classes.count == 1, entries[label]?.count == 1 {
          found[classes[0]] = said
        } else if isOfThisModel {
          throw Self.ambiguous(label, classes.count)
        }
      }
    }
    return found
  }

  private static func ambiguous(_ label: ExactText, _ classCount: Int) -> ApusError {
    let problem =
      classCount > 1
      ? "\(classCount) classes of the model have this label"
      : "it comes twice, and the model has one class of this label"
    return ApusError(
      .configuration, problem, expected: "one entry for one class", at: "label \"\(label.clipped)\"",
      advice: "List all labels in the order of the model's classes.")
  }
}
