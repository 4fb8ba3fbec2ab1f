import Formats
import Models
import Networks
import TensorCore

/// How far the scores of written networks are from those of the float network.
struct ScoreErrors {
  private let tensors: [Int]
  private let source: any CalibrationSource
  private let threads: Int
  /// The float network's outputs for each sample.
  private let expected: [[Float]]

  init(
    _ network: FloatNetwork, _ importer: TFLiteImporter, _ source: any CalibrationSource, threads: Int
  ) throws(ApusError) {
    tensors = Self.scoreTensors(network)
    self.source = source
    self.threads = threads
    expected = try Self.scores(NetworkRun(importer, tensors, threads: threads), tensors.count, source)
  }

  /// What is compared: the operand of a softmax or logistic function at the end, else the output.
  private static func scoreTensors(_ network: FloatNetwork) -> [Int] {
    network.subgraph.outputs.filter(network.isActivation).map { output in
      let producer = network.steps.first { $0.outputs.contains(output) }
      guard producer?.builtin == .SOFTMAX || producer?.builtin == .LOGISTIC,
        let operand = producer?.inputs.first ?? nil, network.isActivation(operand)
      else { return output }
      return operand
    }
  }

  /// The error of the scores over all samples.
  /// - Parameter tensor: the tensor of the draft that stands for one of the float network.
  func error(_ draft: TFLiteDraft, tensor: (Int) -> Int?) throws(ApusError) -> SignalToNoise {
    let bytes = try TFLiteWriter.bytes(draft)
    let importer = TFLiteImporter(try TFLiteModel(bytes))
    let tensors = tensors.compactMap(tensor)
    let run = try NetworkRun(importer, tensors, threads: threads)
    var error = SignalToNoise()
    for (found, expected) in zip(try Self.scores(run, tensors.count, source), expected) {
      for (found, expected) in zip(found, expected) { error.add(expected, became: found) }
    }
    return error
  }

  private static func scores(
    _ run: NetworkRun, _ count: Int, _ source: any CalibrationSource
  ) throws(ApusError) -> [[Float]] {
    var scores: [[Float]] = []
    for sample in 0..<source.count {
      try run.run(source.inputs(sample))
      scores.append((0..<count).flatMap { run.numbers($0) })
    }
    return scores
  }
}
