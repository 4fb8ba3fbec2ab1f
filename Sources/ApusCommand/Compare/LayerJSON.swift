import CommandSupport
import Evaluation

extension ComparisonReport {
  /// The layers of a pair, the worst first. A ratio without noise is null, as JSON knows no infinity; so are all
  /// figures where `not_finite` counts any number.
  func json(_ layers: LayerReport) -> JSON {
    .object([
      ("baseline", letter(layers.baseline)), ("other", letter(layers.other)),
      ("samples", .integer(layers.sampleCount)),
      (
        "unmatched",
        .array([.strings(layers.unmatchedLabelsInBaseline), .strings(layers.unmatchedLabelsInOther)])
      ),
      ("rows", .array(layers.rows.map(\.json))),
      (
        "first_divergence",
        layers.firstDivergence.map { .object([("row", .integer($0.row)), ("bound", .string($0.bound))]) }
          ?? .null
      ),
    ])
  }
}

extension LayerRow {
  fileprivate var json: JSON {
    .object(
      [
        ("position", .integer(position)), ("kind", .string(kind)),
        ("labels", .strings([baselineLabel, otherLabel])),
        ("types", .strings([baselineType, otherType])), ("shape", .array(shape.map(JSON.integer))),
      ] + difference.members + [
        ("introduced", introduced.map { .object($0.members) } ?? .null),
        ("out_of_range", .number(outOfRange)),
        ("weights", weights.map { .object($0.members) } ?? .null),
      ])
  }
}

extension ValueDifference {
  fileprivate var members: [JSON.Member] {
    [
      ("signal_to_noise", .number(signalToNoise)), ("cosine", .number(cosine)), ("gain", .number(gain)),
      ("greatest_error", .number(greatestError)), ("mean_error", .number(meanError)),
      ("range", .number(baselineRange)), ("not_finite", .integer(notFinite)),
    ]
  }
}
