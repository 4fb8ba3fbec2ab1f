import Evaluation
import Formats
import Networks
import Statistics
import TensorCore

/// Searches the cheapest mixture of int8 and float layers that is shown to lose no more than a margin of accuracy.
///
/// All layers in int8 come first. Where those lose too much, each layer is kept in floats by itself, and the layers are
/// ranked by how much nearer the scores come to the float model's for each byte that it takes. Of the first so many of that
/// order the least number is looked for that loses no more than the margin on a third of the samples, the one that chooses.
/// The others judge: a mixture is taken when all of the interval of its loss is below the margin; where it is not, twice as
/// many layers are kept.
///
///     let search = try MixtureSearch("mobilenet.tflite", options, LossBound(margin: 0.01, data: "photos"))
///     let mixture = try search.run(beside: "mobilenet-int8.tflite")
///     options.mixture = mixture
public struct MixtureSearch: Sendable {
  private let model: String
  private let options: ModelQuantizer.Options
  private let bound: LossBound
  private let isFile: Bool
  private let samples: MixtureSamples
  private let notes: [String]

  /// - Parameters:
  ///   - model: what ``ModelQuantizer`` takes, and has classes.
  ///   - options: for int8; layers that they keep are kept in every mixture.
  /// - Throws: ``ApusError`` of kind `argument` for samples without labels or too few of them, and whatever is wrong
  ///   with the model, the data or the options.
  public init(
    _ model: String, _ options: ModelQuantizer.Options, _ bound: LossBound
  ) throws(ApusError) {
    guard options.target == .int8 else {
      throw ApusError(.argument, "a bound of the loss, for \(options.target.rawValue)", expected: "int8")
    }
    guard bound.margin > 0, bound.margin < 1 else {
      throw ApusError(
        .argument, "a loss of at most \(bound.margin * 100) points", expected: "more than 0, less than 100")
    }
    isFile = try ModelQuantizer(model, options).writesFile
    self.model = model
    self.options = options
    self.bound = bound
    let calibration = try options.calibration.map { (path) throws(ApusError) in try CalibrationFolder(path) }
    let comparison = try Self.comparison(model, model, bound, options, isFile: isFile)
    samples = try MixtureSamples(comparison.data, without: calibration, margin: bound.margin)
    notes = comparison.notesByModel.first ?? []
  }

  /// Tries mixtures, whose files are beside the output meanwhile.
  /// - Parameter output: where the model will be written. Nothing is written there.
  /// - Throws: whatever ``ModelQuantizer`` and ``Comparison`` throw.
  public func run(beside output: String) throws(ApusError) -> MixtureReport {
    var trials = MixtureTrials(
      try NewFolder(replacing: output + ".mixtures"), model, options, isFile: isFile)
    var report = MixtureReport(
      margin: bound.margin, choosingSamples: samples.choosing.count, judgingSamples: samples.judging.count,
      calibratedSamples: samples.calibrated, notes: notes)
    let whole = try trials.trial(keeping: [])
    try add(whole, to: &report)
    guard report.taken == nil else { return report }
    let order = try ranking(whole, report.steps[0], &trials)
    // At least one layer is int8.
    guard order.count > 1 else { return report }
    var count = try leastCount(order, &report, &trials)
    while true {
      try add(try trials.trial(keeping: Array(order.prefix(count))), to: &report)
      guard report.taken == nil, count < order.count - 1 else { return report }
      count = min(2 * count, order.count - 1)
    }
  }

  /// Takes a mixture into the report, judged unless the samples that choose speak against it.
  private func add(_ trial: MixtureTrials.Trial, to report: inout MixtureReport) throws(ApusError) {
    let known = report.steps.firstIndex { $0.kept == trial.kept }
    var step = if let known { report.steps[known] } else { try chosen(trial) }
    if step.difference >= -bound.margin || known != nil {
      step.judgement = try judgement(trial, report.steps.count { $0.judgement != nil })
    }
    if let known { report.steps[known] = step } else { report.steps.append(step) }
  }

  private func chosen(_ trial: MixtureTrials.Trial) throws(ApusError) -> MixtureReport.Step {
    options.progress("\(trial.kept.count) layers in floats")
    let pair = try pair(trial.path, samples.choosing)
    return MixtureReport.Step(
      kept: trial.kept, byteCount: trial.byteCount, divergence: pair.divergence.mean,
      difference: pair.accuracy?.difference ?? 0)
  }

  private func judgement(_ trial: MixtureTrials.Trial, _ index: Int) throws(ApusError)
    -> MixtureReport.Judgement
  {
    options.progress(
      "\(trial.kept.count.counted("layer")) in floats, judged by \(samples.judging.count.counted("sample"))")
    let paired = try pair(trial.path, samples.judging).accuracy?.paired
    let difference = paired ?? PairedDifference(onlyFirst: 0, onlySecond: 0, count: 0)
    let confidence = MixtureSamples.confidence(ofJudgement: index)
    let interval = difference.interval(confidence: confidence)
    let outcome = MarginTest.outcome(interval, margin: bound.margin)
    let needed =
      outcome == .open
      ? MarginTest.samplesNeeded(difference, margin: bound.margin, confidence: confidence) : nil
    return MixtureReport.Judgement(
      difference: difference.value, interval: interval, confidence: confidence, outcome: outcome,
      furtherSamples: needed.map { Int(($0 - difference.count).rounded(.up)) })
  }

  /// The layers, first those whose floats bring the scores nearest to the float model's for a byte.
  private func ranking(
    _ whole: MixtureTrials.Trial, _ first: MixtureReport.Step, _ trials: inout MixtureTrials
  ) throws(ApusError) -> [String] {
    var ranked: [(layer: String, gain: Double)] = []
    for (place, layer) in whole.layers.enumerated() {
      options.progress("layer \(place + 1) of \(whole.layers.count)")
      let trial = try trials.trial(keeping: [layer])
      let divergence = try pair(trial.path, samples.choosing).divergence.mean
      ranked.append(
        (layer, (first.divergence - divergence) / Double(max(1, trial.byteCount - whole.byteCount))))
      trials.remove(trial)
    }
    return ranked.sorted { ($1.gain, $0.layer) < ($0.gain, $1.layer) }.map(\.layer)
  }

  /// The least number of layers with which the loss on the samples that choose is within the margin.
  private func leastCount(
    _ order: [String], _ report: inout MixtureReport, _ trials: inout MixtureTrials
  ) throws(ApusError) -> Int {
    func isEnough(_ count: Int, _ report: inout MixtureReport, _ trials: inout MixtureTrials)
      throws(ApusError) -> Bool
    {
      let step = try chosen(try trials.trial(keeping: Array(order.prefix(count))))
      report.steps.append(step)
      return step.difference >= -bound.margin
    }
    var (tooFew, enough) = (0, 1)
    while enough < order.count - 1, try !isEnough(enough, &report, &trials) {
      (tooFew, enough) = (enough, min(2 * enough, order.count - 1))
    }
    while enough - tooFew > 1 {
      let middle = (tooFew + enough) / 2
      if try isEnough(middle, &report, &trials) { enough = middle } else { tooFew = middle }
    }
    return enough
  }

  private func pair(_ candidate: String, _ items: [DataSet.Item]) throws(ApusError) -> PairReport {
    let comparison = try Self.comparison(model, candidate, bound, options, isFile: isFile)
    guard let pair = try comparison.restricted(to: items).run().pairs.first else {
      throw ApusError(.argument, "no sample that both models answer", file: bound.data)
    }
    return pair
  }

  /// A folder's layers are measured by what is stored, in the arithmetic of floats.
  private static func comparison(
    _ baseline: String, _ candidate: String, _ bound: LossBound, _ options: ModelQuantizer.Options,
    isFile: Bool
  ) throws(ApusError) -> Comparison {
    let models = [baseline, candidate].map { isFile ? $0 : $0 + "@f32" }
    var comparing = Comparison.Options(models: models, data: bound.data)
    (comparing.classes, comparing.labels) = (bound.classes, bound.labels)
    comparing.profile = options.preprocessing
    comparing.threads = options.threads
    comparing.looksForCulprits = false
    return try Comparison(comparing)
  }
}
