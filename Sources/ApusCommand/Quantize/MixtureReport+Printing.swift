import CommandSupport
import Evaluation
import Quantizer
import Statistics

extension MixtureReport {
  func print() {
    let line = StandardStreams.printText
    let verb = calibratedSamples == 1 ? "is" : "are"
    let left = calibratedSamples > 0 ? "; \(calibratedSamples) \(verb) calibrated on and left out" : ""
    let choosing = choosingSamples.counted("sample")
    line("\(choosing) to choose layers by, \(judgingSamples.counted("other")) to judge by\(left)")
    var table = Table([
      ("in floats", .right), ("weights", .right), ("divergence", .right), ("difference", .right),
      ("judged", .right), ("interval", .left), ("", .left),
    ])
    for step in steps {
      table.append([
        "\(step.kept.count)", Format.bytes(step.byteCount), Format.decimal(step.divergence, 5),
        Self.points(step.difference), step.judgement.map { Self.points($0.difference) } ?? "",
        step.judgement.map {
          "\(Self.points($0.interval.lower)) … \(Self.points($0.interval.upper)) (\(Format.decimal(100 * $0.confidence, 2)) %)"
        } ?? "", step.kept == taken?.kept ? "<--" : "",
      ])
    }
    table.print()
    for layer in taken?.kept ?? [] { line("in floats: \(layer)") }
    if let sentence { line(sentence) }
    line("")
  }

  /// A sentence on the chosen mixture, or on the last that was judged.
  var sentence: String? {
    guard let judgement = (taken ?? steps.last { $0.judgement != nil })?.judgement else { return nil }
    let further = judgement.furtherSamples.map { " About \($0) more of them would probably tell." } ?? ""
    return sentence(judgement) + further
  }

  private static func points(_ share: Double) -> String {
    (share > 0 ? "+" : "") + Format.decimal(100 * share, 1)
  }

  var json: JSON {
    .object([
      ("at_most_loss", .number(margin)), ("choosing_samples", .integer(choosingSamples)),
      ("judging_samples", .integer(judgingSamples)), ("calibrated_samples", .integer(calibratedSamples)),
      ("steps", .array(steps.map(Self.json))),
      ("kept", taken.map { .array($0.kept.map(JSON.string)) } ?? .null),
    ])
  }

  private static func json(_ step: Step) -> JSON {
    let judgement: JSON =
      step.judgement.map {
        .object([
          ("difference", .number($0.difference)),
          ("interval", .array([.number($0.interval.lower), .number($0.interval.upper)])),
          ("confidence", .number($0.confidence)), ("outcome", .string($0.outcome.rawValue)),
          ("further_samples", $0.furtherSamples.map(JSON.integer) ?? .null),
        ])
      } ?? .null
    return .object([
      ("kept", .array(step.kept.map(JSON.string))), ("bytes", .integer(step.byteCount)),
      ("divergence", .number(step.divergence)), ("difference", .number(step.difference)),
      ("judgement", judgement),
    ])
  }
}
