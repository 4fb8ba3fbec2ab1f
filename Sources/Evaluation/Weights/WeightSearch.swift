import TensorCore

/// Finds stored numbers of a model that are not the baseline's, where the two are forms of one model.
struct WeightSearch {
  /// A tensor that is not the baseline's.
  struct Find {
    let name: String
    let shape: [Int]
    let fault: WeightFault

    var statement: String { fault.statement(name, shape: shape) }
  }

  /// Whether most tensors are the same numbers but for rounding: then what differs is one of the two models' fault.
  let areForms: Bool
  /// In the order of the file.
  let finds: [Find]

  /// The signal to noise in dB that forms of one model have at least, in the median over their tensors.
  private static let leastUsual = 25.0
  /// Tensors that are tried for being in each other's place, at most.
  private static let mostExchanged = 40

  /// - Parameter order: where the other model has the baseline's classes; nil in the same places.
  init(_ stored: StoredPairs, order: ClassOrder? = nil) {
    let examined = OrderedExaminations(stored, order: order).examined
    let ratios = examined.map(\.examination.signalToNoise).sorted()
    areForms = !ratios.isEmpty && ratios[(ratios.count - 1) / 2] >= Self.leastUsual
    finds = areForms ? Self.finds(examined) : []
  }

  private static func finds(_ examined: [OrderedExaminations.Examined]) -> [Find] {
    let factors = examined.map(\.examination.factors)
    let exchanged = exchanged(examined)
    return examined.indices.compactMap { index in
      let tensor = examined[index]
      guard !exchanged.partners.contains(index), let fault = exchanged.faults[index] ?? tensor.fault else {
        return nil
      }
      if case .channels(_, let channels, let factor) = fault, factor != 0 {
        let others = factors.indices.filter { $0 != index }.flatMap { factors[$0].map(\.factors) }
        if others.contains(where: { makesUp($0, for: channels, factor) }) { return nil }
      }
      return Find(name: tensor.pair.name, shape: tensor.examination.shape, fault: fault)
    }
  }

  /// Whether channels were only moved from one layer to the next, as smoothing does: divided here, multiplied there.
  private static func makesUp(_ factors: [Int: Double], for channels: [Int], _ factor: Double) -> Bool {
    channels.allSatisfy { channel in factors[channel].map { abs($0 * factor - 1) < 0.05 } ?? false }
  }

  /// Tensors that are in each other's place, and which of them are the second of two.
  private static func exchanged(
    _ examined: [OrderedExaminations.Examined]
  ) -> (faults: [Int: WeightFault], partners: Set<Int>) {
    let strange = examined.indices.filter { index in
      if case .different? = examined[index].fault { true } else { false }
    }.prefix(mostExchanged)
    func isSame(_ a: Int, _ b: Int) -> Bool {
      guard let baseline = try? examined[a].pair.baseline(), let other = try? examined[b].pair.other(),
        let examination = try? WeightExamination(baseline, other)
      else { return false }
      return examination.unexplainedSignalToNoise >= leastUsual
    }
    var faults: [Int: WeightFault] = [:]
    var partners: Set<Int> = []
    for first in strange where !partners.contains(first) {
      let partner = strange.first { second in
        second > first && !partners.contains(second)
          && examined[second].examination.shape == examined[first].examination.shape
          && isSame(first, second) && isSame(second, first)
      }
      guard let partner else { continue }
      faults[first] = .exchanged(with: examined[partner].pair.name)
      partners.insert(partner)
    }
    return (faults, partners)
  }

  /// One for all tensors at fault, of which a few are named; where none is at fault for sure, those that differ.
  func culprit(_ model: Int) -> Culprit? {
    let sure = finds.filter(\.fault.isDefinite)
    let named = sure.isEmpty ? finds : sure
    guard !named.isEmpty else { return nil }
    let rest = named.count - Self.named
    let statements = named.prefix(Self.named).map(\.statement).joined(separator: "; ")
    let isOrder = named.allSatisfy { $0.fault == .outOfOrder }
    let what = isOrder ? "its classes in two orders" : "other numbers than A, of which it is a form"
    return Culprit(
      kind: .weights, model: model, certainty: sure.isEmpty ? .suspected : .found,
      statement: "\(ReportWriter.letter(model)) has \(what): \(statements)"
        + (rest > 0 ? "; and \(rest) more." : "."),
      advice: Self.advice(named),
      evidence: [.init(name: "tensors at fault", value: Double(named.count))])
  }

  private static let named = 4

  /// The baseline's tensors have its order of classes, and mend none that is out of another.
  private static func advice(_ finds: [Find]) -> String {
    var advice: [String] = []
    if finds.contains(where: { $0.fault != .outOfOrder }) {
      advice.append(
        "Make the file again from the model that it was made of, or take these tensors from there.")
    }
    if finds.contains(where: { $0.fault == .outOfOrder }) {
      advice.append("Give the labels and the tensors that have a place for each class one order.")
    }
    return advice.joined(separator: " ")
  }
}
