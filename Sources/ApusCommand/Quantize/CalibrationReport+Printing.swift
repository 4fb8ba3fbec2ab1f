import Quantizer

extension CalibrationReport {
  func print() {
    let line = StandardStreams.printLine
    line("calibrated with \(samples)")
    for trial in trials {
      let mark = trials.count > 1 && trial.method == method ? "  <--" : ""
      line("ranges by \(trial.method): scores \(trial.scores.text)\(mark)")
    }
    var table = Table([
      ("activation", .left), ("least", .right), ("greatest", .right), ("scale", .right), ("zero", .right),
      ("SQNR", .right),
    ])
    for activation in activations {
      table.append([
        activation.name.shortened(to: 70), Format.decimal(Double(activation.seen.lower), 3),
        Format.decimal(Double(activation.seen.upper), 3), "\(activation.scale)", "\(activation.zeroPoint)",
        activation.error.text,
      ])
    }
    if !activations.isEmpty { table.print() }
    line("outputs on the samples: \(outputs.text), the same greatest on \(agreeing) of \(count)")
  }

  var json: JSON {
    .object([
      ("samples", .string(samples)), ("method", .string(method)),
      (
        "trials",
        .array(
          trials.map {
            .object([("method", .string($0.method)), ("scores_sqnr_db", .number($0.scores.decibels))])
          })
      ),
      ("outputs_sqnr_db", .number(outputs.decibels)), ("agreeing", .integer(agreeing)),
      ("count", .integer(count)), ("activations", .array(activations.map(Self.json))),
    ])
  }

  private static func json(_ activation: Activation) -> JSON {
    .object([
      ("name", .string(activation.name)), ("least", .float(activation.seen.lower)),
      ("greatest", .float(activation.seen.upper)), ("scale", .float(activation.scale)),
      ("zero_point", .integer(Int(activation.zeroPoint))), ("sqnr_db", .number(activation.error.decibels)),
    ])
  }
}
