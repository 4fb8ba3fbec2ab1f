import CommandSupport
import Evaluation

extension ComparisonText {
  /// The layers that introduce most error, and the first that leaves the bound.
  func layers(_ layers: LayerReport) -> [String] {
    let (a, b) = (report.models[layers.baseline].letter, report.models[layers.other].letter)
    var lines = [
      "layers of \(b) against \(a): \(layers.matched) compared over \(layers.sampleCount.counted("sample")), "
        + "\(layers.unmatchedInBaseline) of \(a) and \(layers.unmatchedInOther) of \(b) without counterpart"
    ]
    if let divergence = layers.firstDivergence {
      let row = layers.rows[divergence.row]
      lines +=
        "first to leave the bound (\(divergence.bound)): \(row.otherLabel), \(row.kind) of \(row.shape)"
        .wrapped(to: 100)
    } else if let bound = layers.bound {
      lines.append("no layer leaves the bound (\(bound))")
    }
    var table = Table([
      ("", .left), ("SQNR dB", .right), ("of its own", .right), ("cosine", .right), ("max error", .right),
      ("layer, the worst by itself first", .left),
    ])
    for row in layers.rows.filter({ !$0.isInput }).prefix(Self.shown) {
      table.append([
        " ", Self.decibel(row.difference), row.introduced.map(Self.decibel) ?? "–",
        Self.figure(row) { Format.decimal($0.cosine, 5) },
        Self.figure(row) { Format.significant($0.greatestError, 3) }, row.otherLabel.shortened(to: 48),
      ])
    }
    return lines + table.lines + rest(layers.matched)
  }

  private static func decibel(_ difference: ValueDifference) -> String {
    if difference.notFinite > 0 { return "not finite (\(difference.notFinite))" }
    let value = difference.signalToNoise
    return value == .infinity ? "same" : value.isFinite ? Format.decimal(value, 1) : "–"
  }

  /// A figure, empty beside numbers that are not finite.
  private static func figure(_ row: LayerRow, _ text: (ValueDifference) -> String) -> String {
    row.difference.notFinite > 0 ? "–" : text(row.difference)
  }
}
