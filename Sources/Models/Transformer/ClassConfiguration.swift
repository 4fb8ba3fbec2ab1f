import Formats
import TensorCore

/// What a configuration of Hugging Face says of a classifier's classes.
struct ClassConfiguration: Sendable {
  let labels: [String]
  let scoring: ClassScoring
  var count: Int { labels.count }
  var outputs: ModelOutputs { .classifier(labels: labels, scoring: scoring) }

  /// Classes that a model may have, at most.
  private static let limit = 1 << 20

  init(_ reader: ConfigurationReader) throws(ApusError) {
    labels = try Self.labels(reader)
    reader.passOver([KeysWithoutEffect("the classes' names, which id2label says", ["label2id"])])
    switch try reader.optionalString("problem_type") {
    case "regression": scoring = .none
    case "multi_label_classification": scoring = .sigmoid
    case nil where labels.count == 1: scoring = .sigmoid
    case "single_label_classification" where labels.count == 1:
      throw reader.unexpected(
        "problem_type", reader.value("problem_type"),
        "regression or multi_label_classification: one label alone has the share 1 of every text or picture")
    case nil, "single_label_classification": scoring = .softmax
    default:
      throw reader.unexpected(
        "problem_type", reader.value("problem_type"),
        "regression, single_label_classification or multi_label_classification", kind: .unsupportedModel)
    }
  }

  /// The names in `id2label`; else as many names as `num_labels` says, or two, as transformers makes them.
  private static func labels(_ reader: ConfigurationReader) throws(ApusError) -> [String] {
    guard let names = try reader.optionalObject("id2label") else {
      let count = try reader.integer("num_labels", in: 1...limit, default: 2)
      return (0..<count).map { "LABEL_\($0)" }
    }
    reader.passOver([KeysWithoutEffect("the count of the names in id2label", ["num_labels"])])
    let keys = names.keys
    guard !keys.isEmpty else {
      throw reader.unexpected("id2label", reader.value("id2label"), "a name for each class")
    }
    var labels: [String] = []
    for index in keys.indices {
      // transformers gives a number back as such.
      if let number = names.value("\(index)")?.int {
        labels.append("\(number)")
      } else {
        labels.append(try names.string("\(index)"))
      }
    }
    return labels
  }
}
