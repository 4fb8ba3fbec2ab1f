import Apus
import Statistics
import TensorCore

/// Finds texts that become other tokens for a model than for the baseline, and runs some with the baseline's tokens.
struct TokenizerSearch {
  /// What was found of one model.
  struct Finding {
    /// What the two tokenizers make of the first text on which they differ; nil where they never do.
    var difference: SettingDifference?
    var culprit: Culprit?
  }

  let comparison: Comparison
  let tally: ComparisonTally

  /// Texts that are tokenized, and run again where they differ: enough for a test to tell.
  private static let most = 256
  private static let shownTokens = 12

  /// A text that the two read otherwise.
  private struct Reading {
    /// The position of the sample; nil for a label.
    let sample: Int?
    let text: String
    let baseline: Encoding
    let other: Encoding
  }

  /// - Throws: ``ApusError`` of kind `cancelled`.
  func finding(_ index: Int) throws(ApusError) -> Finding {
    let texts = texts
    let readings = readings(texts, index)
    guard let first = readings.first else { return Finding() }
    let kind = comparison.task == .textClassification ? "text" : "label"
    let difference = SettingDifference(
      file: "tokenizer",
      key: "ids of \(readings.count) of \(texts.count.counted(kind)), such as “\(Self.short(first.text))”",
      baseline: Self.ids(first.baseline, besides: first.other),
      other: Self.ids(first.other, besides: first.baseline))
    guard comparison.task == .textClassification else { return Finding(difference: difference) }
    return Finding(difference: difference, culprit: try culprit(index, readings, of: texts.count))
  }

  /// Some of the samples; for models that compare pictures with texts the labels.
  private var texts: [(sample: Int?, text: String)] {
    guard comparison.task == .textClassification else { return comparison.space.names.map { (nil, $0) } }
    var random = SplitMix64(seed: comparison.options.seed)
    return random.sample(Self.most, of: Array(tally.items.indices)).compactMap { position in
      if case .text(let text) = tally.items[position].content { (position, text) } else { nil }
    }
  }

  /// Texts that either side refuses are left out.
  private func readings(_ texts: [(sample: Int?, text: String)], _ index: Int) -> [Reading] {
    let (baseline, other) = (comparison.entries[0].model, comparison.entries[index].model)
    return texts.compactMap { sample, text in
      guard let a = try? baseline.tokens(of: text), let b = try? other.tokens(of: text), a.ids != b.ids else {
        return nil
      }
      return Reading(sample: sample, text: text, baseline: a, other: b)
    }
  }

  private func culprit(
    _ index: Int, _ readings: [Reading], of texts: Int
  ) throws(ApusError) -> Culprit? {
    let model = comparison.entries[index].model
    var (now, then): ([Bool], [Bool]) = ([], [])
    for reading in readings {
      guard let sample = reading.sample else { continue }
      let wanted = tally.isLabelled ? tally.truths[sample] : tally.models[0].answers[sample]
      let outputs: ClassOutputs?
      do throws(ApusError) {
        outputs = try model.outputs(forTokens: reading.baseline)
      } catch {
        if error.kind == .cancelled { throw error }
        // Its vocabulary is a smaller one.
        return nil
      }
      let own = outputs.flatMap { try? model.scores(of: $0) }
      now.append(tally.models[index].answers[sample] == wanted)
      then.append(own.map { Ranking.best(comparison.space.scores($0, of: index)) == wanted } ?? false)
    }
    let remedy = Remedy(now: now, then: then, tried: 1)
    guard let certainty = remedy.certainty else { return nil }
    let letter = ReportWriter.letter(index)
    let what = tally.isLabelled ? "are right" : "agree with A"
    return Culprit(
      kind: .tokenizer, model: index, certainty: certainty,
      statement:
        "\(letter)'s tokenizer is not the one that its weights were trained with: \(readings.count) of \(texts) "
        + "texts become other ids than A's, and with A's ids \(Verdict.percent(remedy.then)) of them \(what) instead of "
        + "\(Verdict.percent(remedy.now)).",
      advice: "Take the tokenizer's files from A's folder.",
      evidence: remedy.evidence(of: "texts", isLabelled: tally.isLabelled), remedied: remedy.then)
  }

  /// A few ids, from shortly before those that are not the other's.
  private static func ids(_ encoding: Encoding, besides other: Encoding) -> String {
    let ids = Array(encoding.ids[encoding.content])
    let same = zip(ids, other.ids[other.content]).prefix { $0 == $1 }.count
    let start = max(0, same - 2)
    let shown = ids.dropFirst(start).prefix(shownTokens)
    return (start > 0 ? "… " : "") + shown.map(String.init).joined(separator: " ")
      + (start + shown.count < ids.count ? " …" : "")
  }

  private static func short(_ text: String) -> String {
    text.count > 40 ? text.prefix(39) + "…" : text
  }
}
