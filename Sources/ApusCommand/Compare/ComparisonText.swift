import CommandSupport
import Evaluation
import Statistics

/// A comparison for people, narrow enough for a terminal.
struct ComparisonText {
  let report: ComparisonReport

  /// Flipped samples, classes and confusions that are shown; `--json` has all.
  static let shown = 8

  init(_ report: ComparisonReport) { self.report = report }

  var lines: [String] {
    var sections = [heading, verdicts]
    if !report.culprits.isEmpty { sections.append(culprits) }
    sections.append(models)
    sections += report.pairs.map(pair)
    sections += report.furtherPairs.map(furtherPair)
    if !correction.isEmpty { sections.append(correction) }
    sections += report.layers.map(layers)
    sections.append(thresholds)
    sections.append(provenance)
    return Array(sections.joined(separator: [""]))
  }

  private var heading: [String] {
    let data = report.data
    let part = data.samples.count < data.available ? " of \(data.available)" : ""
    let kind =
      (report.task == .textClassification ? "text" : "picture")
      + (data.samples.count == 1 && part.isEmpty ? "" : "s")
    var lines = ["\(data.samples.count)\(part) \(kind) in \(data.path), \(data.form)"]
    if let matching = data.matching {
      lines.append("labels are matched \(matching)")
    } else {
      lines.append("without labels: the models are compared with each other, not with what is right")
    }
    if let remark = data.remarkOnCopies { lines += remark.wrapped(to: 100) }
    var table = Table([("", .left), ("", .left), ("", .left)])
    for model in report.models { table.append([model.letter, model.name, model.kind]) }
    return lines + table.lines
  }

  /// The outcome of each pair, with what to try next.
  private var verdicts: [String] {
    report.pairs.flatMap { pair in
      let split = pair.accuracy.flatMap(Verdict.split)
      return [pair.verdict, split, pair.marginSentence, pair.advice].compactMap(\.self)
        .flatMap { $0.wrapped(to: 100) }
    }
  }

  private var culprits: [String] {
    ["what is wrong, or may be:"]
      + report.culprits.flatMap { culprit in
        let mark = culprit.certainty == .found ? "!" : "?"
        return ["\(mark) \(culprit.statement)", "\(culprit.advice)"].enumerated().flatMap { position, text in
          text.wrapped(to: 96).enumerated().map { (position == 0 && $0 == 0 ? "  " : "    ") + $1 }
        }
      }
  }

  private var provenance: [String] {
    let provenance = report.provenance
    let lines =
      byLetters { "prepared by \($0.preprocessing)" } + byLetters { $0.computation.summary }
    let machine =
      "seed \(provenance.seed), \(provenance.resamples) resamples, \(provenance.threads.counted("thread")), "
      + "\(provenance.processor), \(provenance.date)"
    let warning = provenance.isOptimized ? [] : ["built without optimisation: the times say nothing"]
    let load = provenance.remarkOnLoad.map { $0.wrapped(to: 100) } ?? []
    return lines.flatMap { $0.wrapped(to: 100) } + load + machine.wrapped(to: 100) + warning
  }

  /// Sentences about models, once for all models with the same one.
  private func byLetters(_ words: (ModelReport) -> String) -> [String] {
    Dictionary(grouping: report.models, by: words).sorted { $0.value[0].letter < $1.value[0].letter }
      .map { "\($0.value.map(\.letter).joined(separator: ", ")) \($0.key)" }
  }
}

extension String {
  /// Lines of at most `width` characters, broken at spaces.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
