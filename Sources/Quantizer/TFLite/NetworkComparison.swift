import Formats
import Models
import Networks
import Statistics
import TensorCore

/// Runs the float network and the one written side by side, and adds up the errors of every activation.
struct NetworkComparison {
  private let network: FloatNetwork
  private let draft: TFLiteDraft
  private let tensor: (Int) -> Int?
  private let before: NetworkRun
  private let after: NetworkRun
  private let activations: [Int]

  /// - Parameters:
  ///   - written: the file that the draft became.
  ///   - tensor: the tensor of the draft that stands for one of the float network.
  init(
    _ network: FloatNetwork, _ importer: TFLiteImporter, _ draft: TFLiteDraft, _ written: TFLiteImporter,
    threads: Int, tensor: @escaping (Int) -> Int?
  ) throws(ApusError) {
    self.network = network
    self.draft = draft
    self.tensor = tensor
    activations = network.activations.filter { tensor($0) != nil }
    before = try NetworkRun(importer, activations, threads: threads)
    after = try NetworkRun(written, activations.compactMap(tensor), threads: threads)
  }

  func fill(
    _ report: inout CalibrationReport, _ source: any CalibrationSource, seen: [Int: ValueRange] = [:]
  ) throws(ApusError) {
    var errors = [SignalToNoise](repeating: SignalToNoise(), count: activations.count)
    let outputs = activations.indices.filter { network.subgraph.outputs.contains(activations[$0]) }
    for sample in 0..<source.count {
      let inputs = try source.inputs(sample)
      try before.run(inputs)
      try after.run(inputs)
      for place in activations.indices {
        let (found, expected) = (after.numbers(place), before.numbers(place))
        for (found, expected) in zip(found, expected) { errors[place].add(expected, became: found) }
        guard place == outputs.first else { continue }
        report.count += 1
        if Ranking.best(found) == Ranking.best(expected) { report.agreeing += 1 }
      }
    }
    for place in outputs { report.outputs.add(errors[place]) }
    for (place, tensor) in activations.enumerated() {
      guard let quantization = self.tensor(tensor).flatMap({ draft.tensors[$0].quantization })
      else { continue }
      report.activations.append(
        .init(
          name: network.subgraph.tensors[tensor].name, seen: seen[tensor] ?? ValueRange(),
          scale: quantization.scale, zeroPoint: quantization.zeroPoint, error: errors[place]))
    }
  }
}
