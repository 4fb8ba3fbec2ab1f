import Models
import TensorCore

/// Tries ways to the ranges of activations and takes the one whose model errs least on the samples that are kept to judge
/// by.
struct IntegerSearch {
  private let network: FloatNetwork
  private let looked: any CalibrationSource
  private let memory: ObservationMemory?
  private let threads: Int
  private let activations: ActivationType
  private let classes: ScaleClasses
  private let scores: ScoreErrors

  /// - Parameters:
  ///   - looked: the samples from which ranges and means are taken.
  ///   - judged: those that ways are judged by.
  init(
    _ network: FloatNetwork, _ importer: TFLiteImporter, looked: any CalibrationSource,
    judged: any CalibrationSource, activations: ActivationType, memory: ObservationMemory?, threads: Int
  ) throws(ApusError) {
    self.network = network
    self.looked = looked
    self.memory = memory
    self.threads = threads
    self.activations = activations
    classes = try ScaleClasses(network, activations)
    scores = try ScoreErrors(network, importer, judged, threads: threads)
  }

  /// The best of the ways, each with biases as they are and corrected, as a draft, and what each of them gave.
  func best(
    of methods: [RangeMethod], takesFloats: Bool, _ report: inout CalibrationReport
  ) throws(ApusError) -> (rewriter: IntegerRewriter, ranges: [Int: ValueRange]) {
    let observer = try ActivationObserver(network, memory: memory, threads: threads)
    let (seen, means) = try observer.ranges(looked)
    var extremes = seen
    for (input, range) in zip(network.subgraph.inputs, looked.inputRanges) {
      if let range { extremes[input] = range }
    }
    let needsHistograms = methods.contains { $0 != .extremes }
    let histograms = needsHistograms ? try observer.histograms(looked, extremes) : [:]
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
          network, quantizations, activations, means: corrects ? means : [:], takesFloats: takesFloats)
        let error = try scores.error(rewriter.draft) { rewriter.tensor($0) }
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
}
