import Evaluation
import TensorCore

/// The card of a model that was written in fewer bits: what it was made of, what became of its weights, what this run
/// measured, and the command that runs it. It has no date, so that the same run gives the same bytes.
struct ModelCard {
  let report: QuantizationReport
  /// The model that was read, as people name it.
  let source: String
  /// The repository that it came from; nil for a folder or file.
  let repository: String?
  /// The folder or file of samples, as the caller named it.
  let samples: String?
  /// Facts from its own card that still hold.
  let facts: CardFacts?
  /// The command that runs the written model.
  let command: String

  /// The mark of a card of this kind.
  static let mark = "written by `apus quantize`"

  private var name: String { FileName.last(of: report.output) }
  private var target: String { report.target.rawValue }

  /// The card as Markdown, with a head in YAML as the Hugging Face hub reads it.
  var text: String {
    let parts = [
      head, "# \(name)",
      """
      `\(source)` with its weights in \(target)\(groups)\(activations), \(Self.mark) of Apus \(ApusVersion.current). Figures in the card of \
      `\(source)` are of the other weights, and are not repeated here.
      """,
      weights, "## What was measured", measured, "## Use", "```console\n$ \(command)\n```",
    ]
    return (parts + warnings).joined(separator: "\n\n") + "\n"
  }

  /// Warnings that nothing else in the folder gives to other libraries.
  private var warnings: [String] {
    guard report.hasUnstatedIntegers else { return [] }
    return [
      """
      Apus multiplies the integers with their scales, but `config.json` says nothing of them to compressed-tensors. \
      Another library that opens the folder, such as transformers, takes the integers as they are, and its results are \
      wrong.
      """
    ]
  }

  private var groups: String { report.groupSize.map { " with a scale for every \($0) of a row" } ?? "" }

  /// The layers that stayed in floats, and the cost.
  private var floats: String {
    report.floats.map { floats in
      let more = floats.moreBytes > 0 ? ", \(Self.bytes(floats.moreBytes)) more than in \(target)" : ""
      let size = "\(floats.names.count.counted("tensor")) of \(Self.bytes(floats.bytes))\(more)"
      return "\n| in floats: \(floats.reason) | | \(size) |"
    }.joined()
  }

  /// The arithmetic of a file.
  private var activations: String {
    switch report.activations {
    case .int8, nil: ""
    case .int16: " and its activations in int16"
    case .float: ", which are widened to floats before they are multiplied"
    }
  }

  private var head: String {
    var lines = facts?.lines ?? []
    if let repository, facts?.has("base_model") != true { lines.append("base_model: \(repository)") }
    if lines.contains(where: { $0.hasPrefix("base_model:") }) {
      lines.append("base_model_relation: quantized")
    }
    return (["---"] + lines + ["tags:", "- \(target)", "---"]).joined(separator: "\n")
  }

  private var weights: String {
    let changed = report.rows.filter { $0.error != nil }
    var counts: [ExactText: Int] = [:]
    for row in changed { counts[ExactText(row.to), default: 0] += 1 }
    let types = counts.sorted { $0.key < $1.key }.map { "\($0.value) in \($0.key)" }.joined(separator: ", ")
    let before = Self.bytes(report.fileBytesBefore), after = Self.bytes(report.fileBytesAfter)
    let share = 100 * Double(report.fileBytesAfter) / Double(max(report.fileBytesBefore, 1))
    let kept = report.rows.filter { $0.reason == QuantizationReport.keptReason }.map { "`\($0.name)`" }
    let names = kept.isEmpty ? "" : "\n| kept in floats | | \(kept.joined(separator: ", ")) |"
    let error = changed.isEmpty ? "" : "\n| signal to noise of those | | \(Self.decibels(report.error)) |"
    return """
      | | before | after |
      |---|---|---|
      | size of the weights | \(before) | \(after), \(share.printed("%.1f")) % |
      | tensors that were changed | | \(types.isEmpty ? "none" : types) |\(names)\(floats)\(error)
      """
  }

  private var measured: String {
    let mixture = report.mixture.flatMap { mixture in mixture.taken.map { (mixture, $0) } }
    guard let (mixture, taken) = mixture, let judgement = taken.judgement else { return compared }
    let kept = taken.kept.count == 1 ? "1 layer was" : "\(taken.kept.count) layers were"
    return """
      \(mixture.sentence(judgement)) \(kept) kept in floats for that, found by a search over \
      \(mixture.steps.count.counted("mixture")) on \(mixture.choosingSamples.counted("other sample")).

      \(compared)
      """
  }

  private var compared: String {
    guard let calibration = report.calibration else {
      return """
        Nothing of its answers: no samples were given. `apus compare` says what it costs, on samples with their right \
        answers: `apus compare \(source) \(runName) --data FOLDER`.
        """
    }
    let agreement =
      calibration.count > 0
      ? ", and the greatest output is the same on \(calibration.agreeing) of \(calibration.count)" : ""
    // A card is shown to others, who have no use for where samples lay.
    let samples = samples.map { calibration.samples.replacing($0, with: FileName.last(of: $0)) }
    return """
      Calibrated with \(samples ?? calibration.samples). Against the model that was read, the outputs have \
      \(Self.decibels(calibration.outputs)) of signal to noise\(agreement).

      \(Self.trials(calibration))

      These are differences from the other weights, not right and wrong answers: \
      `apus compare \(source) \(runName) --data FOLDER` counts those.
      """
  }

  /// The ways that were tried, with what is known of all of them.
  private static func trials(_ calibration: CalibrationReport) -> String {
    let trials = calibration.trials
    let hasCosines = trials.contains { $0.cosine != nil }, hasAnswers = trials.contains { $0.agreeing != nil }
    var rows = [["method", "scores"] + (hasCosines ? ["cosine"] : []) + (hasAnswers ? ["same answer"] : [])]
    rows.append(rows[0].map { _ in "---" })
    for trial in trials {
      let mark = trial.method == calibration.method && trials.count > 1 ? " (taken)" : ""
      let cosine = hasCosines ? [trial.cosine?.printed("%.5f") ?? ""] : []
      let answers = hasAnswers ? [trial.agreeing.map { "\($0) of \(calibration.count)" } ?? ""] : []
      rows.append([trial.method + mark, decibels(trial.scores)] + cosine + answers)
    }
    return rows.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
  }

  /// The model at the precision that it was made for.
  private var runName: String {
    report.target == .int8 && !name.hasSuffix(".tflite") ? "\(name)@int8" : name
  }

  private static func decibels(_ error: SignalToNoise) -> String {
    error.decibels.isFinite ? error.decibels.printed("%.1f") + " dB" : "exact"
  }

  /// Mebibytes, or kibibytes of what is small.
  private static func bytes(_ count: Int) -> String {
    let kibibytes = Double(count) / 1024
    return kibibytes < 1024
      ? kibibytes.printed("%.1f") + " KiB" : (kibibytes / 1024).printed("%.1f") + " MiB"
  }
}
