import Formats
import Statistics
import TensorCore

/// What the configuration files of two folders say each otherwise.
enum SettingSearch {
  /// How weights are stored and what classes are called is compared elsewhere.
  private static let passedOver = ["quantization_config.", "compression_config.", "id2label."]

  static func differences(_ baseline: ModelKind, _ other: ModelKind) -> [SettingDifference] {
    struct Place: Hashable {
      let file: ExactText
      let key: ExactText
    }
    func table(_ kind: ModelKind) -> [Place: ConfigurationRecord.Setting] {
      Dictionary(
        kind.settings.filter { setting in !passedOver.contains { setting.key.hasPrefix($0) } }
          .map { (Place(file: ExactText($0.file), key: ExactText($0.key)), $0) },
        uniquingKeysWith: { first, _ in first })
    }
    let (before, after) = (table(baseline), table(other))
    // A file and a folder have nothing to say in common.
    guard !before.isEmpty, !after.isEmpty else { return [] }
    let places = Set(before.keys).union(after.keys).sorted { ($0.file, $0.key) < ($1.file, $1.key) }
    return places.compactMap { place in
      let (first, second) = (before[place], after[place])
      if let first, let second, first.means(second) { return nil }
      return SettingDifference(
        file: place.file.text, key: place.key.text, baseline: first?.text, other: second?.text)
    }
  }

  /// A suspicion, for a model that is worse and of which nothing surer is known.
  static func culprit(_ model: Int, settings: [SettingDifference]) -> Culprit? {
    guard !settings.isEmpty else { return nil }
    return Culprit(
      kind: .configuration, model: model, certainty: .suspected,
      statement: "\(ReportWriter.letter(model))'s files say otherwise than A's how the model is used: "
        + "\(words(settings)).",
      advice: "Check which of the two the weights were trained with.",
      evidence: [.init(name: "keys that differ", value: Double(settings.count))])
  }

  static func advice(_ settings: [SettingDifference]) -> String {
    settings.isEmpty
      ? "Check which of the two the weights were trained with."
      : "Find out which of the two the weights were trained with: \(words(settings))."
  }

  private static func words(_ settings: [SettingDifference]) -> String {
    let shown = settings.prefix(4).map { difference in
      "\(difference.key) in \(difference.file) is \(difference.other ?? "not there") "
        + "(A: \(difference.baseline ?? "not there"))"
    }
    let rest = settings.count - shown.count
    return shown.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
  }
}
