import CommandSupport
import Quantizer

extension CalibrationReport {
  func print() {
    let line = StandardStreams.printText
    line("calibrated with \(samples)")
    for trial in trials {
      let mark = trials.count > 1 && trial.method == method ? "  <--" : ""
      let cosine = trial.cosine.map { ", cosine \(Format.decimal($0, 5))" } ?? ""
      let agreeing = trial.agreeing.map { ", the same greatest on \($0) of \(count)" } ?? ""
      line("tried \(trial.method): scores \(trial.scores.text)\(cosine)\(agreeing)\(mark)")
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
    printLayers()
    let agreement = count > 0 ? ", the same greatest on \(agreeing) of \(count)" : ""
    line("outputs on the samples: \(outputs.text)\(agreement)")
  }

  private func printLayers() {
    guard !layers.isEmpty else { return }
    var table = Table([
      ("layer", .left), ("inputs divided by", .left), ("SQNR without", .right), ("SQNR", .right),
    ])
    for layer in layers {
      let factors = layer.factors.map { "\($0.lowerBound) to \($0.upperBound)" } ?? ""
      table.append([layer.name.shortened(to: 70), factors, layer.before.text, layer.after.text])
    }
    table.print()
  }

  var json: JSON {
    .object([
      ("samples", .string(samples)), ("method", .string(method)),
      (
        "trials",
        .array(
          trials.map {
            .object([
              ("method", .string($0.method)), ("scores_sqnr_db", .number($0.scores.decibels)),
              ("cosine", $0.cosine.map(JSON.number) ?? .null),
              ("agreeing", $0.agreeing.map(JSON.integer) ?? .null),
            ])
          })
      ),
      ("outputs_sqnr_db", .number(outputs.decibels)), ("agreeing", .integer(agreeing)),
      ("count", .integer(count)), ("activations", .array(activations.map(Self.json))),
      ("layers", .array(layers.map(Self.json))),
    ])
  }

  private static func json(_ layer: Layer) -> JSON {
    .object([
      ("name", .string(layer.name)), ("least_factor", layer.factors.map { .float($0.lowerBound) } ?? .null),
      ("greatest_factor", layer.factors.map { .float($0.upperBound) } ?? .null),
      ("sqnr_db_without", .number(layer.before.decibels)), ("sqnr_db", .number(layer.after.decibels)),
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
