import Foundation

extension LayerReport {
  /// The layers that make errors of another size than the rest, those that run first before others: one whose scale
  /// or weights are wrong among layers that only round.
  package var culprits: [Culprit] {
    let typical = typicalSignalToNoise
    return rowsInRunOrder.compactMap { row in
      guard !row.isInput, let own = row.introduced, Self.isConspicuous(own, typical: typical) else {
        return nil
      }
      return culprit(row, own, typical: typical)
    }
  }

  /// Noise of more than a thirtieth of the signal's power, and sixteen times the power of what is usual in the model.
  private static func isConspicuous(_ own: ValueDifference, typical: Double) -> Bool {
    own.notFinite > 0 || (own.signalToNoise < 15 && own.signalToNoise < typical - 12)
  }

  /// The median over the layers of what they introduce.
  private var typicalSignalToNoise: Double {
    let ratios = rows.compactMap { $0.isInput ? nil : $0.introduced?.signalToNoise }.sorted()
    return ratios.isEmpty ? .infinity : ratios[ratios.count / 2]
  }

  private func culprit(_ row: LayerRow, _ own: ValueDifference, typical: Double) -> Culprit {
    let number = { (value: Double) in String(format: "%.3g", value) }
    var statement =
      "\(row.otherLabel) makes an error of its own (SQNR \(number(own.signalToNoise)) dB given the baseline's "
      + "numbers, where \(number(typical)) dB are usual in this model)"
    if let weights = row.weights, abs(weights.gain - 1) > 0.05 || weights.signalToNoise < 15 {
      statement += "; its weights are \(number(weights.gain)) times the baseline's"
    } else if abs(own.gain - 1) > 0.05 {
      statement += "; its results are \(number(own.gain)) times the baseline's"
    }
    return Culprit(
      kind: .layer, model: other, certainty: own.signalToNoise < typical - 20 ? .found : .suspected,
      statement: statement + ".",
      advice: "Look at the scales and the weights of this layer; keep it in float if they are right.",
      evidence: [
        .init(name: "SQNR introduced, dB", value: own.signalToNoise),
        .init(name: "median SQNR introduced, dB", value: typical),
        .init(name: "gain of the results", value: own.gain),
      ] + (row.weights.map { [.init(name: "gain of the weights", value: $0.gain)] } ?? []))
  }
}
