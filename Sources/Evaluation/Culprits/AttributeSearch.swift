import Graph

/// Finds layers that compute otherwise than the baseline's, with the same weights.
struct AttributeSearch {
  /// An attribute that differs, and the layers in which it does so.
  private struct Difference: Hashable {
    let name: String
    let baseline: String
    let other: String
  }

  private var layers: [Difference: [String]] = [:]
  private var order: [Difference] = []

  init(_ alignment: LayerAlignment, _ baseline: Graph, _ other: Graph) {
    for pair in alignment.pairs {
      guard let a = pair.baselineNodes.first, let b = pair.otherNodes.first else { continue }
      let (first, second) = (baseline.nodes[a].operation, other.nodes[b].operation)
      for (mine, yours) in zip(first.configuredAttributes, second.configuredAttributes)
      where mine.name == yours.name && mine.value != yours.value {
        let difference = Difference(name: mine.name, baseline: mine.value, other: yours.value)
        if layers[difference] == nil { order.append(difference) }
        layers[difference, default: []].append(other.nodes[b].label)
      }
    }
  }

  /// - Parameter settings: what the files of the two say each otherwise.
  func culprit(_ model: Int, settings: [SettingDifference]) -> Culprit? {
    guard !order.isEmpty else { return nil }
    let statements = order.map { difference in
      let labels = layers[difference] ?? []
      let others = labels.count > 1 ? " and \(labels.count - 1) more" : ""
      return "\(difference.name) \(difference.other) in place of \(difference.baseline) "
        + "(\(labels.first ?? "")\(others))"
    }
    return Culprit(
      kind: .configuration, model: model, certainty: .found,
      statement: "\(ReportWriter.letter(model)) computes otherwise than A with the same weights: "
        + "\(statements.joined(separator: "; ")).",
      advice: SettingSearch.advice(settings),
      evidence: order.map {
        .init(name: "layers of another \($0.name)", value: Double(layers[$0]?.count ?? 0))
      })
  }
}
