import CommandSupport
import Evaluation

extension ComparisonText {
  /// The layers that introduce most error, and the first that leaves the bound.
  func layers(_ layers: LayerReport) -> [String] {
    let (a, b) = (report.models[layers.baseline].letter, report.models[layers.other].letter)
    var lines = [
      "layers of \(b) against \(a): \(layers.matched) compared over \(layers.sampleCount) samples, "
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
        " ", Self.decibel(row.signalToNoise), row.introduced.map { Self.decibel($0.signalToNoise) } ?? "–",
        Format.decimal(row.cosine, 5), Self.significant(row.greatestError), row.otherLabel.shortened(to: 48),
      ])
    }
    return lines + table.lines + rest(layers.matched)
  }

  private static func decibel(_ value: Double) -> String {
    value == .infinity ? "same" : value.isFinite ? Format.decimal(value, 1) : "–"
  }

  private static func significant(_ value: Double) -> String { Format.significant(value, 3) }
}
