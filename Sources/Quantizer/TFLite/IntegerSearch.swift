import Formats
import Models
import Networks
import TensorCore

/// Tries ways to the ranges of activations and takes the one whose model errs least on the samples.
struct IntegerSearch {
  private let network: FloatNetwork
  private let importer: TFLiteImporter
  private let source: any CalibrationSource
  private let threads: Int
  private let classes: ScaleClasses
  /// What the float network gives for each sample.
  private let scores: [[Float]]

  init(
    _ network: FloatNetwork, _ importer: TFLiteImporter, _ source: any CalibrationSource, threads: Int
  ) throws(ApusError) {
    self.network = network
    self.importer = importer
    self.source = source
    self.threads = threads
    classes = try ScaleClasses(network)
    let run = try NetworkRun(importer, Self.scoreTensors(network), threads: threads)
    var scores: [[Float]] = []
    for sample in 0..<source.count {
      try run.run(source.inputs(sample))
      scores.append(Self.scoreTensors(network).indices.flatMap { run.numbers($0) })
    }
    self.scores = scores
  }

  /// What is compared: the operand of a softmax or logistic function at the end, else the output.
  static func scoreTensors(_ network: FloatNetwork) -> [Int] {
    network.subgraph.outputs.filter(network.isActivation).map { output in
      let producer = network.steps.first { $0.outputs.contains(output) }
      guard producer?.builtin == .SOFTMAX || producer?.builtin == .LOGISTIC,
        let operand = producer?.inputs.first ?? nil, network.isActivation(operand)
      else { return output }
      return operand
    }
  }

  /// The best of the ways, each with biases as they are and corrected, as a draft, and what each of them gave.
  func best(
    of methods: [RangeMethod], takesFloats: Bool, _ report: inout CalibrationReport
  ) throws(ApusError) -> (rewriter: IntegerRewriter, ranges: [Int: ValueRange]) {
    let observer = try ActivationObserver(network, threads: threads)
    let (seen, means) = try observer.ranges(source)
    var extremes = seen
    for (input, range) in zip(network.subgraph.inputs, source.inputRanges) {
      if let range { extremes[input] = range }
    }
    let needsHistograms = methods.contains { $0 != .extremes }
    let histograms = needsHistograms ? try observer.histograms(source, extremes) : [:]
    var best: (rewriter: IntegerRewriter, decibels: Double)?
    for method in methods {
      let ranges = Dictionary(
        uniqueKeysWithValues: extremes.map { tensor, range in
          let isInput = network.subgraph.inputs.contains(tensor)
          return (tensor, isInput ? range : method.range(range, histograms[tensor]))
        })
      let quantizations = try classes.quantizations(ranges)
      for corrects in [false, true] {
        let rewriter = try IntegerRewriter(
          network, quantizations, means: corrects ? means : [:], takesFloats: takesFloats)
        let error = try error(rewriter)
        let name = method.rawValue + (corrects ? ", biases corrected" : "")
        report.trials.append(.init(method: name, scores: error))
        guard best.map({ error.decibels > $0.decibels }) ?? true else { continue }
        best = (rewriter, error.decibels)
        report.method = name
      }
    }
    guard let best else { throw ApusError(.argument, "no way to ranges", expected: "at least one") }
    return (best.rewriter, extremes)
  }

  /// The error of the scores over all samples.
  private func error(_ rewriter: IntegerRewriter) throws(ApusError) -> SignalToNoise {
    let bytes = try TFLiteWriter.bytes(rewriter.draft)
    let importer = try TFLiteImporter(TFLiteModel(bytes), bytes: bytes)
    let tensors = Self.scoreTensors(network).compactMap { rewriter.tensor($0) }
    let run = try NetworkRun(importer, tensors, threads: threads)
    var error = SignalToNoise()
    for sample in 0..<source.count {
      try run.run(source.inputs(sample))
      let found = tensors.indices.flatMap { run.numbers($0) }
      for (found, expected) in zip(found, scores[sample]) { error.add(expected, became: found) }
    }
    return error
  }
}
