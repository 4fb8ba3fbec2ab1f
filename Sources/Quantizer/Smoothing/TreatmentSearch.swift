import Formats
import Models
import Networks
import Statistics
import TensorCore

/// Tries treatments of a model folder and takes the one whose int8 form errs least on samples that none of them was
/// made from.
struct TreatmentSearch {
  /// Strengths of smoothing that are tried.
  private static let strengths: [Float] = [0.3, 0.5, 0.7]
  /// A treatment must be better by so many dB than those that do less: in networks that need none, one or the other is
  /// better by a few tenths by luck.
  private static let leastGain = 0.5
  /// Samples on which the results of layers are compared.
  private static let layerSamples = 16

  private let model: OpenedModel
  private let weights: SafetensorsCollection
  private let samples: CalibrationSamples
  private let threads: Int
  private let report: @Sendable (String) -> Void
  /// The model's outputs for each sample used for judging.
  private let expected: [[Float]]
  private let treatments: [ChannelTreatment]

  /// - Parameter report: told what is being done.
  init(
    _ folder: ModelFolder, _ weights: SafetensorsCollection, _ calibration: CalibrationFolder, threads: Int,
    report: @escaping @Sendable (String) -> Void
  ) throws(ApusError) {
    let model = try OpenedModel(folder)
    let samples = try CalibrationSamples(model, calibration)
    self.model = model
    self.weights = weights
    self.samples = samples
    self.threads = threads
    self.report = report
    report("looking at \(samples.looked.count + samples.judged.count) samples")
    var runs = SampleRuns(model, weights, .float32, threads: threads)
    var expected: [[Float]] = []
    for sample in samples.judged { expected.append(try runs.run(sample).output) }
    self.expected = expected
    treatments = try Self.treatments(model, weights, samples.looked, threads: threads)
  }

  /// From the one that does least.
  private static func treatments(
    _ model: OpenedModel, _ weights: SafetensorsCollection, _ samples: [PreparedSample], threads: Int
  ) throws(ApusError) -> [ChannelTreatment] {
    var runs = SampleRuns(model, weights, .float32, observing: .inputsOfLayers, threads: threads)
    var statistics = ChannelStatistics()
    var channels: [ModelPart: [ScalableChannels]] = [:]
    for sample in samples {
      let run = try runs.run(sample)
      for (place, layer) in run.structure.layers.enumerated() {
        statistics.add(layer, run.numbers(place), width: run.width(place))
      }
      if channels[sample.part] == nil { channels[sample.part] = ScalableChannels.find(in: run.structure) }
    }
    var treatments = [
      ChannelTreatment(), ChannelTreatment(name: "weights by their inputs", statistics: statistics),
    ]
    let groups = ModelPart.allCases.flatMap { channels[$0] ?? [] }
    for strength in strengths {
      let scaling = try ChannelScaling(groups, statistics, weights, strength: strength)
      guard !scaling.isEmpty else { break }
      treatments.append(
        ChannelTreatment(name: "smoothing \(strength)", scaling: scaling, statistics: statistics))
    }
    return treatments
  }

  /// - Parameter candidate: writes the folder with a treatment.
  func best(
    _ candidate: (ChannelTreatment) throws(ApusError) -> FolderCandidate
  ) throws(ApusError) -> (FolderCandidate, CalibrationReport) {
    var report = CalibrationReport(samples: samples.description, notes: samples.notes)
    var plain: LayerErrors?
    var best: (candidate: FolderCandidate, treatment: ChannelTreatment, judgement: Judgement)?
    for (place, treatment) in treatments.enumerated() {
      self.report("trying \(treatment.name), \(place + 1) of \(treatments.count)")
      let candidate = try candidate(treatment)
      let judgement = try judge(candidate, treatment)
      plain = plain ?? judgement.layers
      report.trials.append(
        .init(
          method: treatment.name, scores: judgement.error,
          cosine: model.isClassifier ? nil : judgement.cosine,
          agreeing: model.isClassifier ? judgement.agreeing : nil))
      let threshold = best.map { $0.judgement.error.decibels + Self.leastGain }
      if let threshold, !(judgement.error.decibels > threshold) { continue }
      best = (candidate, treatment, judgement)
    }
    guard let best, let plain else {
      throw ApusError(.argument, "no treatment", expected: "at least one")
    }
    report.method = best.treatment.name
    report.outputs = best.judgement.error
    report.agreeing = best.judgement.agreeing
    report.count = model.isClassifier ? samples.judged.count : 0
    report.layers = plain.layers.map { layer in
      .init(
        name: layer.name,
        factors: layer.matrices.first.flatMap { best.treatment.scaling.range(of: $0.tensor) },
        before: plain[layer.name], after: best.judgement.layers[layer.name])
    }
    return (best.candidate, report)
  }

  private struct Judgement {
    var error = SignalToNoise()
    var cosines = 0.0
    var count = 0
    var agreeing = 0
    var layers = LayerErrors()

    /// The mean over samples.
    var cosine: Double { count == 0 ? 1 : cosines / Double(count) }

    mutating func add(_ expected: [Float], _ found: [Float]) {
      var (product, left, right) = (0.0, 0.0, 0.0)
      for (found, expected) in zip(found, expected) {
        error.add(expected, became: found)
        product += Double(found) * Double(expected)
        left += Double(found) * Double(found)
        right += Double(expected) * Double(expected)
      }
      cosines += left * right > 0 ? product / (left * right).squareRoot() : left == right ? 1 : 0
      count += 1
      if Ranking.best(found) == Ranking.best(expected) { agreeing += 1 }
    }
  }

  /// How far the candidate's results at int8 are from the model's.
  private func judge(
    _ candidate: FolderCandidate, _ treatment: ChannelTreatment
  ) throws(ApusError) -> Judgement {
    let folder = try ModelFolder(candidate.folder.path)
    let (written, stored) = (try OpenedModel(folder), try folder.weights())
    var judgement = Judgement()
    var runs = SampleRuns(written, stored, .int8, threads: threads)
    for (sample, expected) in zip(samples.judged, expected) {
      judgement.add(expected, try runs.run(sample).output)
    }
    var before = SampleRuns(model, weights, .float32, observing: .outputsOfLayers, threads: threads)
    var after = SampleRuns(written, stored, .int8, observing: .outputsOfLayers, threads: threads)
    for sample in samples.judged.prefix(Self.layerSamples) {
      judgement.layers.add(try before.run(sample), try after.run(sample), treatment.scaling)
    }
    return judgement
  }
}
