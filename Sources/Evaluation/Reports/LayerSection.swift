import HTMLReport

extension ComparisonPage {
  /// Where inside the models the results part.
  var layerSection: Markup? {
    let parts = report.layers.filter { $0.matched > 0 }.flatMap { layers in
      heading(layers.baseline, layers.other) + divergence(layers)
        + [.figure(layerChart(layers), caption: layerCaption(layers)), layerTable(layers)]
    }
    guard !parts.isEmpty else { return nil }
    return .section(
      "Layer by layer",
      about: [
        """
        Both models run side by side on the same inputs. A layer’s signal-to-noise ratio says how strong the \
        result is against its error: 20 dB is ten to one, every 6 dB less doubles the error. “In the run” has the \
        errors of all layers before; “of its own” is what the layer makes when it is given the baseline’s numbers, \
        and what the worst are ranked by.
        """
      ], parts)
  }

  private func divergence(_ layers: LayerReport) -> [Markup] {
    guard let first = layers.firstDivergence, layers.rows.indices.contains(first.row) else { return [] }
    let row = layers.rows[first.row]
    return [
      .paragraph([
        "The first operator to leave the bound (", .text(first.bound), ") is ",
        .strong([.outside(row.baselineLabel)]),
        ", number \(NumberText.count(row.position + 1)) in run order.",
      ])
    ]
  }

  private func layerChart(_ layers: LayerReport) -> LayerChart {
    let order = layers.rows.indices.filter { !layers.rows[$0].isInput }
      .sorted { layers.rows[$0].position < layers.rows[$1].position }
    let places = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
    let worst = worstRows(layers)
    let names = worst.map { layers.rows[$0].baselineLabel }.joined(separator: ", ")
    return LayerChart(
      title: "Signal-to-noise ratio of each layer", summary: "The worst: \(names).",
      vertical: Axis("Higher is better", unit: NumberText.space + "dB"),
      layers: order.map { LayerChart.Layer(layers.rows[$0].baselineLabel, layers.rows[$0].signalToNoise) },
      worst: worst.compactMap { places[$0] })
  }

  private func layerCaption(_ layers: LayerReport) -> [Markup] {
    let unmatched = layers.unmatchedInBaseline + layers.unmatchedInOther
    let exact = layers.rows.count { !$0.isInput && $0.signalToNoise == .infinity }
    return [
      "\(NumberText.count(layers.matched, "matched layer")) over \(samples(layers.sampleCount))",
      " as it is in the run, the worst by themselves numbered",
      .text(exact > 0 ? "; \(NumberText.count(exact)) without any difference, drawn light" : ""),
      .text(unmatched > 0 ? "; \(NumberText.count(unmatched)) have no counterpart" : ""), ".",
    ]
  }

  /// Rows of layers with a difference, the worst first as the report has them.
  private func worstRows(_ layers: LayerReport) -> [Int] {
    let rows = layers.rows
    let differing = rows.indices.filter { !rows[$0].isInput && rows[$0].signalToNoise != .infinity }
    return Array(differing.prefix(Self.layersShown))
  }

  private func layerTable(_ layers: LayerReport) -> Markup {
    var table = DataTable(
      caption: caption("The layers that make most error of their own", layers.baseline, layers.other),
      isSortable: true,
      [
        (["#"], .number), (["Layer"], .text), (["Shape"], .text), (["Of its own"], .number),
        (["In the run"], .number), (["Cosine"], .number), (["Largest error"], .number),
      ])
    for (rank, index) in worstRows(layers).enumerated() {
      let row = layers.rows[index]
      let other: [Markup] =
        row.otherLabel == row.baselineLabel ? [] : [.tag("small", [.outside(row.otherLabel)])]
      table.append([
        ["\(rank + 1)"], [.outside(row.baselineLabel)] + other,
        [.text(row.shape.map { "\($0)" }.joined(separator: "×"))],
        [.text(row.introduced.map(Self.decibel) ?? "–")], [.text(Self.decibel(row.difference))],
        [.text(NumberText.decimal(row.cosine, 4))],
        [.text(row.difference.notFinite > 0 ? "–" : NumberText.significant(row.greatestError, 3))],
      ])
    }
    return table.isEmpty ? .note(["No layer differs."]) : table.markup
  }

  private static func decibel(_ difference: ValueDifference) -> String {
    if difference.notFinite > 0 { return "not finite (\(NumberText.count(difference.notFinite)))" }
    let value = difference.signalToNoise
    return value == .infinity ? "no error" : NumberText.decimal(value, 1) + NumberText.space + "dB"
  }

  private static let layersShown = 8
}
