import CLibrary

extension LayerReport {
  /// The layers that make errors of another size than the rest, in run order, at most five: those whose scale or
  /// weights are wrong among layers that only round.
  package var culprits: [Culprit] {
    let typical = typicalSignalToNoise
    let found = rows.filter { !$0.isInput && Self.isConspicuous($0, typical: typical) }
    return found.prefix(5).sorted { $0.position < $1.position }.map { culprit($0, typical: typical) }
  }

  /// Noise of more than a thirtieth of the signal's power, and sixteen times what is usual in the model; where
  /// weights are near to half or twice the baseline's, whatever is usual.
  private static func isConspicuous(_ row: LayerRow, typical: Double) -> Bool {
    guard let own = row.introduced else { return false }
    if own.notFinite > 0 { return true }
    let isScaled = row.weights.map { !(1 / 1.75...1.75).contains($0.gain) } ?? false
    return own.signalToNoise < 15 && (isScaled || own.signalToNoise < typical - 12)
  }

  /// The median over the layers of what they introduce, in dB.
  private var typicalSignalToNoise: Double {
    let ratios = rows.compactMap { row -> Double? in
      guard !row.isInput, let own = row.introduced, own.notFinite == 0 else { return nil }
      return own.signalToNoise
    }.sorted()
    return ratios.isEmpty ? .infinity : ratios[ratios.count / 2]
  }

  private func culprit(_ row: LayerRow, typical: Double) -> Culprit {
    let own = row.introduced ?? row.difference
    let cause = row.cause
    let findings = [Self.figure(own, typical: typical), cause.statement].compactMap(\.self)
    let figures: [Culprit.Evidence] =
      own.notFinite > 0
      ? [.init(name: "results that are finite on one side only", value: Double(own.notFinite))]
      : [
        .init(name: "SQNR introduced, dB", value: own.signalToNoise),
        .init(name: "median SQNR introduced, dB", value: typical),
        .init(name: "gain of the results", value: own.gain),
      ]
    return Culprit(
      kind: .layer, model: other, certainty: cause.isCertain ? .found : .suspected,
      statement:
        "\(row.otherLabel), \(row.kind) of \(row.shape), makes an error of its own: given the baseline's numbers "
        + "\(findings.joined(separator: "; ")).",
      advice: cause.advice,
      evidence: figures + Self.causes(row))
  }

  /// What the layer's error comes to, in words.
  private static func figure(_ own: ValueDifference, typical: Double) -> String {
    if own.notFinite > 0 {
      return
        "\(own.notFinite) of its \(own.count.counted("result")) \(own.notFinite == 1 ? "is" : "are") finite on "
        + "one side only"
    }
    let usual =
      typical.isFinite ? "where \(number(typical)) dB are usual in this model" : "where most make none"
    return "its SQNR is \(number(own.signalToNoise)) dB, \(usual)"
  }

  private static func causes(_ row: LayerRow) -> [Culprit.Evidence] {
    let range = Culprit.Evidence(name: "share out of range", value: row.outOfRange)
    guard let weights = row.weights else { return [range] }
    return weights.notFinite > 0
      ? [range, .init(name: "weights that are finite on one side only", value: Double(weights.notFinite))]
      : [range, .init(name: "gain of the weights", value: weights.gain)]
  }
}

/// Why a layer may make an error of its own.
private enum LayerCause {
  case weights(gain: Double)
  case weightsNotFinite(Int)
  case range(share: Double)
  case notFinite
  case results(gain: Double)

  /// Weights of another size are a fact about the model; a range may be right for other data.
  var isCertain: Bool {
    switch self {
    case .weights, .weightsNotFinite, .notFinite: true
    case .range, .results: false
    }
  }

  /// Nil where the results themselves say it all.
  var statement: String? {
    switch self {
    case .weights(let gain): "its weights are \(number(gain)) times the baseline's"
    case .weightsNotFinite(let count):
      "\(count.counted("number")) of its weights \(count == 1 ? "is" : "are") finite on one side only"
    case .range(let share): "\(number(100 * share)) % of its results are beyond the range of its integers"
    case .notFinite: nil
    case .results(let gain): "its results are \(number(gain)) times the baseline's"
    }
  }

  var advice: String {
    switch self {
    case .weights, .weightsNotFinite: "Check the weights and their scales against the model it was made from."
    case .range: "Calibrate the scales of activations with samples like these."
    case .notFinite, .results: "Check the layer's scales, or keep it in float."
    }
  }
}

extension LayerRow {
  /// What the numbers say of the reason for the error that the layer introduces.
  fileprivate var cause: LayerCause {
    if let weights, weights.notFinite > 0 { return .weightsNotFinite(weights.notFinite) }
    if let weights, abs(weights.gain - 1) > 0.1 || weights.signalToNoise < 6 {
      return .weights(gain: weights.gain)
    }
    if let introduced, introduced.notFinite > 0 { return .notFinite }
    return outOfRange > 0.001 ? .range(share: outOfRange) : .results(gain: (introduced ?? difference).gain)
  }
}

private func number(_ value: Double) -> String { value.printed("%.3g") }
